package stack

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync"
)

// Link is a TCP proxy to a server. While it is paused, no data passes in either direction, and neither side gets an error. Tests put it
// between a replica and its primary to pause replication.
type Link struct {
	URL string // http://host:port

	target   string
	listener net.Listener

	mu      sync.Mutex
	changed *sync.Cond
	paused  bool
	closed  bool
	open    map[net.Conn]bool
}

// StartLink starts a proxy to the server at the URL target. It listens on a free port of 127.0.0.1.
func StartLink(target string) (*Link, error) {
	to, err := url.Parse(target)
	if err != nil || to.Host == "" {
		return nil, fmt.Errorf("link: %q is not a URL with a host", target)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("link: %w", err)
	}
	l := &Link{URL: "http://" + listener.Addr().String(), target: to.Host, listener: listener, open: map[net.Conn]bool{}}
	l.changed = sync.NewCond(&l.mu)
	go l.accept()
	return l, nil
}

// Pause holds all data back. Resume lets it pass.
func (l *Link) Pause() { l.set(true) }

// Resume lets everything pass.
func (l *Link) Resume() { l.set(false) }

func (l *Link) set(paused bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.paused = paused
	l.changed.Broadcast()
}

// Close stops listening and closes all connections.
func (l *Link) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.changed.Broadcast()
	err := l.listener.Close()
	for c := range l.open {
		err = errors.Join(err, c.Close())
	}
	return err
}

func (l *Link) accept() {
	for {
		in, err := l.listener.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", l.target)
		if err != nil {
			_ = in.Close()
			continue
		}
		l.mu.Lock()
		l.open[in], l.open[out] = true, true
		l.mu.Unlock()
		go l.pass(in, out)
		go l.pass(out, in)
	}
}

// pass copies what arrives, until one of the two connections ends.
func (l *Link) pass(to, from net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		l.mu.Lock()
		for l.paused && !l.closed {
			l.changed.Wait()
		}
		l.mu.Unlock()
		if n > 0 {
			if _, failed := to.Write(buffer[:n]); failed != nil {
				err = failed
			}
		}
		if err != nil {
			break
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range []net.Conn{to, from} {
		if l.open[c] {
			delete(l.open, c)
			_ = c.Close()
		}
	}
}
