// Package child runs programs of development and tests as child processes (stack, cmd/plaza). A child ends with its parent, even if the
// parent is killed.
package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// grace is how long a child and its own children have after SIGTERM before they are killed. A test shortens it.
var grace = 6 * time.Second

// Options configure a program.
type Options struct {
	// Name is its name in messages.
	Name string
	// Log gets all its output; nil drops it.
	Log io.Writer
	// Orphan is the signal that Linux sends it when this process dies without having ended it; 0 is SIGKILL. A program with children of its
	// own needs SIGTERM, to end them.
	Orphan syscall.Signal
}

// Process is a running program in its own process group: a Ctrl-C in the terminal reaches only this process, which ends its children in
// order. To end the group also ends the children's children.
type Process struct {
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended; the next two are set before
	err  error
	gone bool // its group ended with it
	tail *tail
	once sync.Once
}

// Start starts a program. Its output and process attributes must not be set.
func Start(cmd *exec.Cmd, o Options) (*Process, error) {
	p := &Process{name: o.Name, cmd: cmd, done: make(chan struct{}), tail: &tail{log: o.Log}}
	cmd.Stdout, cmd.Stderr = p.tail, p.tail
	cmd.WaitDelay = time.Second // a grandchild with the output open must not keep Wait from returning
	if o.Orphan == 0 {
		o.Orphan = syscall.SIGKILL
	}
	setAttributes(cmd, o.Orphan)
	// The cache of go test does not see which programs a test runs, but which variables it reads. ./build.sh test sets this one to a hash of
	// sqld and redis-server, so that tests run again when one of them changes.
	_ = os.Getenv("PLAZA_BINARIES")
	started := make(chan error)
	go func() {
		// For Linux the parent's death is the death of the thread that started the child. This thread stays until the child has ended.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			p.gone = !p.groupIsRunning()
			close(p.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%s does not start: %w", o.Name, err)
	}
	return p, nil
}

// Close ends the process group, by SIGTERM and finally by SIGKILL, and returns when all of it has ended. It may be called more than once.
func (p *Process) Close() error {
	p.once.Do(func() {
		p.signal(syscall.SIGTERM)
		end := time.Now().Add(grace)
		select {
		case <-p.done:
		case <-time.After(grace):
			p.signal(syscall.SIGKILL)
			<-p.done
		}
		for !p.gone && p.groupIsRunning() && time.Now().Before(end) { // children that it has left running
			time.Sleep(20 * time.Millisecond)
		}
		p.signal(syscall.SIGKILL)
	})
	return nil
}

// Kill kills the process group at once, like a crash.
func (p *Process) Kill() {
	p.signal(syscall.SIGKILL)
	<-p.done
}

// signal sends a signal to the group, unless it has ended: its number may belong to another process by now.
func (p *Process) signal(s syscall.Signal) {
	select {
	case <-p.done:
		if p.gone {
			return
		}
	default:
	}
	_ = syscall.Kill(-p.cmd.Process.Pid, s)
}

func (p *Process) groupIsRunning() bool {
	return !errors.Is(syscall.Kill(-p.cmd.Process.Pid, 0), syscall.ESRCH)
}

// PID returns the process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Wait delivers one value when the program has ended: nil for exit code 0.
func (p *Process) Wait() <-chan error {
	c := make(chan error, 1)
	go func() {
		<-p.done
		c <- p.err
	}()
	return c
}

// Ready returns when probe succeeds. It fails when the program ends before, or ctx does, with the last output of the program.
func (p *Process) Ready(ctx context.Context, probe func(context.Context) error) error {
	pause := 2 * time.Millisecond
	for {
		err := probe(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return p.withOutput(fmt.Errorf("%s ended before it was ready (%s)", p.name, How(p.err)))
		case <-ctx.Done():
			return p.withOutput(fmt.Errorf("%s was not ready in time: %w (last: %v)", p.name, ctx.Err(), err))
		case <-time.After(pause):
		}
		pause = min(pause*3/2, 50*time.Millisecond)
	}
}

// Ended returns the error for a program that has ended by itself, with its last output.
func (p *Process) Ended() error {
	<-p.done
	return p.withOutput(fmt.Errorf("%s ended (%s)", p.name, How(p.err)))
}

// How describes how a program ended, from the value of Wait.
func How(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

func (p *Process) withOutput(err error) error {
	if output := p.tail.String(); output != "" {
		return fmt.Errorf("%w. Its last output:\n%s", err, output)
	}
	return err
}
