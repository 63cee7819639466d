package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// grace is how long a child has after SIGTERM before it is killed.
const grace = 5 * time.Second

// process is a child that never outlives its parent.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
	once sync.Once
	tail *tail
}

// startProcess starts a program; env is its environment, nil this process's own.
func startProcess(log io.Writer, env []string, path string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(path, args...), done: make(chan struct{}), tail: &tail{log: log}}
	p.cmd.Env = env
	p.cmd.Stdout, p.cmd.Stderr = p.tail, p.tail
	started := make(chan error)
	go func() {
		release := prepare(p.cmd)
		defer release()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
			close(p.done)
		}
	}()
	return p, <-started
}

// Close ends the child: SIGTERM, then SIGKILL. It may be called more than once.
func (p *process) Close() error {
	p.once.Do(func() {
		p.signal(syscall.SIGTERM)
		select {
		case <-p.done:
		case <-time.After(grace):
			p.signal(syscall.SIGKILL)
			<-p.done
		}
	})
	return nil
}

// Kill ends the child at once, as a crash would.
func (p *process) Kill() {
	p.signal(syscall.SIGKILL)
	<-p.done
}

func (p *process) signal(s syscall.Signal) {
	select {
	case <-p.done:
	default:
		// Negative: the whole group. ESRCH is a child that is gone already.
		_ = syscall.Kill(-p.cmd.Process.Pid, s)
	}
}

// Wait answers once, when the child is dead: nil for exit code 0.
func (p *process) Wait() <-chan error {
	c := make(chan error, 1)
	go func() {
		<-p.done
		c <- p.err
	}()
	return c
}

// ready polls until probe succeeds, the child dies or ctx ends.
func (p *process) ready(ctx context.Context, name string, probe func(context.Context) error) error {
	pause := 2 * time.Millisecond
	for {
		err := probe(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended before it was ready: %v\n%s", name, p.err, p.tail)
		case <-ctx.Done():
			return fmt.Errorf("%s did not get ready: %w (last: %v)\n%s", name, ctx.Err(), err, p.tail)
		case <-time.After(pause):
		}
		pause = min(pause*3/2, 50*time.Millisecond)
	}
}

// tail passes output on and keeps its end for error messages.
type tail struct {
	mu   sync.Mutex
	log  io.Writer
	last []byte
}

func (t *tail) Write(b []byte) (int, error) {
	const keep = 4096
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, b...)
	if n := len(t.last) - keep; n > 0 {
		t.last = append(t.last[:0], t.last[n:]...)
	}
	if t.log != nil {
		// A log that cannot be written must not kill the child with SIGPIPE.
		_, _ = t.log.Write(b)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.last)
}

// freeAddr returns a loopback address nobody listens on at the moment.
func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// checkFree tells early and clearly that a given address is taken.
func checkFree(addr string) error {
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("port in use: %s", addr)
	}
	if err != nil {
		return err
	}
	return l.Close()
}
