package stack

import (
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// child is a process that must not outlive this one. It leads a process group of its own, so that a Ctrl-C in the
// terminal reaches only the parent, which ends its children in order, and so that a child's own children end with it.
type child struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended; err is set before
	err  error
}

// startChild starts cmd. On Linux the kernel kills the process when its parent dies, however it dies.
//
// The kernel ties that to the thread that started the process, not to the process it belongs to, so one goroutine keeps
// its thread until the child has ended.
func startChild(cmd *exec.Cmd) (*child, error) {
	cmd.SysProcAttr = childAttributes()
	// A grandchild that inherited the output must not keep Wait from returning.
	cmd.WaitDelay = time.Second
	c := &child{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
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
		return nil, err
	}
	return c, nil
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// wait returns a channel that delivers how the process ended, once, and is then closed.
func (c *child) wait() <-chan error {
	ch := make(chan error, 1)
	go func() {
		<-c.done
		ch <- c.err
		close(ch)
	}()
	return ch
}

// stop asks the process group to end and kills what is left of it after the grace period. It returns when the process
// has ended and may be called more than once.
func (c *child) stop(grace time.Duration) {
	select {
	case <-c.done:
		return
	default:
	}
	_ = syscall.Kill(-c.pid(), syscall.SIGTERM)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
		_ = syscall.Kill(-c.pid(), syscall.SIGKILL)
		<-c.done
	}
}
