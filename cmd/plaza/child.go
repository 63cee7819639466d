package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// grace is how long a child and its children have after SIGTERM before they are killed.
const grace = 6 * time.Second

// child is a process with a process group of its own: a Ctrl-C in the terminal reaches only plaza, which ends its
// children in order, and ending the group ends the child's own children too.
type child struct {
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended; err is set before
	err  error
	log  *lastLines
	once sync.Once
}

func startChild(name string, cmd *exec.Cmd, log io.Writer) (*child, error) {
	c := &child{name: name, cmd: cmd, done: make(chan struct{}), log: &lastLines{next: log}}
	cmd.Stdout, cmd.Stderr = c.log, c.log
	cmd.SysProcAttr = childAttributes()
	cmd.WaitDelay = time.Second // a grandchild that has the output open must not keep Wait from returning
	started := make(chan error)
	go func() {
		// On Linux, a child is told of the death of the thread that started it; this one stays until the child ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		c.err = cmd.Wait()
		close(c.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%s does not start: %w", name, err)
	}
	return c, nil
}

// Close ends the process group and returns when all of it is gone.
func (c *child) Close() error {
	c.once.Do(func() {
		group := -c.cmd.Process.Pid
		_ = syscall.Kill(group, syscall.SIGTERM)
		for end := time.Now().Add(grace); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if errors.Is(syscall.Kill(group, 0), syscall.ESRCH) {
				break
			}
		}
		_ = syscall.Kill(group, syscall.SIGKILL)
		<-c.done
	})
	return nil
}

// ended is the error for a child that ended by itself, with what it said last.
func (c *child) ended() error {
	how := "exit status 0"
	if c.err != nil {
		how = c.err.Error()
	}
	err := fmt.Errorf("%s ended (%s)", c.name, how)
	if said := c.log.String(); said != "" {
		err = fmt.Errorf("%w. It said last:\n%s", err, said)
	}
	return err
}

// lastLines keeps the end of what is written to it and passes everything on.
type lastLines struct {
	next io.Writer
	mu   sync.Mutex
	tail []byte
}

func (l *lastLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail = append(l.tail, p...)
	if n := len(l.tail) - 4096; n > 0 {
		l.tail = append(l.tail[:0], l.tail[n:]...)
	}
	return l.next.Write(p)
}

func (l *lastLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := strings.Split(string(bytes.TrimSpace(l.tail)), "\n")
	if n := len(lines) - 12; n > 0 {
		lines = lines[n:]
	}
	return strings.Join(lines, "\n")
}

// logFile opens a log in the data directory; with verbose it goes to the terminal too.
func logFile(path string, verbose io.Writer) (io.Writer, func() error, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, nil, err
	}
	if verbose == nil {
		return f, f.Close, nil
	}
	return io.MultiWriter(f, verbose), f.Close, nil
}
