package stacktest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// Sharing is the transport to a sqld of a test's own: its requests share connections, as those of OpenDB do, until Stop.
type Sharing struct {
	streams streams
	stopped atomic.Bool
}

// NewSharing returns a transport that sends by next.
func NewSharing(next http.RoundTripper) *Sharing {
	return &Sharing{streams: streams{next: next, open: map[string][]stream{}}}
}

// RoundTrip is http.RoundTripper.
func (s *Sharing) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.stopped.Load() {
		return s.streams.next.RoundTrip(r)
	}
	return s.streams.RoundTrip(r)
}

// Stop gives each later request a connection of its own, and closes those that were shared. A test in which requests meet faults calls it
// before they do. The server is at base, and authorization is the header that it asks for.
func (s *Sharing) Stop(base, authorization string) (err error) {
	s.stopped.Store(true)
	s.streams.mu.Lock()
	open := s.streams.open
	s.streams.open = map[string][]stream{}
	s.streams.mu.Unlock()
	for _, list := range open {
		for _, one := range list {
			r, failed := http.NewRequest(http.MethodPost, base+pipelinePath, nil)
			if failed != nil {
				return failed
			}
			r.Header.Set("Content-Type", "application/x-protobuf")
			r.Header.Set("Authorization", authorization)
			res, failed := s.streams.send(r, onStream(one.baton, closing))
			if failed == nil {
				failed = res.Body.Close()
			}
			err = errors.Join(err, failed)
		}
	}
	return err
}

// Resume shares connections again.
func (s *Sharing) Resume() { s.stopped.Store(false) }

// Apart returns a client for the databases of OpenDB, and for any other server, whose connections end with their requests. It works in a
// bubble of testing/synctest, where nothing may wait for a connection of later requests. There the clock stands still while a server works.
func Apart() *http.Client {
	dialer := &net.Dialer{}
	return &http.Client{Transport: authorized{shared.sqld.Authorization, NewSharing(&http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if _, port, _ := net.SplitHostPort(address); strings.HasSuffix(shared.sqld.URL, ":"+port) {
				address = "127.0.0.1:" + port
			}
			return dialer.DialContext(ctx, network, address)
		},
		DisableKeepAlives:  true,
		DisableCompression: true,
	})}}
}
