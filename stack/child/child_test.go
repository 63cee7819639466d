//go:build unix

package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shell runs a script. Its output is complete once it has ended.
func shell(t *testing.T, script string) (*Process, *bytes.Buffer) {
	t.Helper()
	var said bytes.Buffer
	p, err := Start(exec.Command("sh", "-c", script), Options{Name: "the script", Log: &said})
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	return p, &said
}

// saysPID waits until the script has printed a process id.
func (p *Process) saysPID(t *testing.T) (pid int) {
	t.Helper()
	require.NoError(t, p.Ready(t.Context(), func(context.Context) (err error) {
		pid, err = strconv.Atoi(p.tail.String())
		return err
	}))
	return pid
}

// isRunning reports whether a process runs. An orphan may stay a zombie if no process waits for it.
func isRunning(pid int) bool {
	state, _ := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return len(state) > 0 && state[0] != 'Z'
}

func TestProcess(t *testing.T) {
	t.Run("what it says goes to the log, and the end of it into the error", func(t *testing.T) {
		p, said := shell(t, "for i in $(seq 1000); do echo line $i; done; exit 3")
		require.EqualError(t, <-p.Wait(), "exit status 3")
		require.Equal(t, 1000, strings.Count(said.String(), "\n"))
		err := p.Ended()
		require.ErrorContains(t, err, "the script ended (exit status 3). Its last output:\nline 989\n")
		require.ErrorContains(t, err, "\nline 1000")
	})
	t.Run("a start that fails, an end before it is ready and a probe that never succeeds are told", func(t *testing.T) {
		_, err := Start(exec.Command("/nonexistent"), Options{Name: "nothing"})
		require.ErrorContains(t, err, "nothing does not start: ")
		never := errors.New("not yet")
		p, _ := shell(t, "echo oh no >&2")
		require.EqualError(t, p.Ready(t.Context(), func(context.Context) error { return never }),
			"the script ended before it was ready (exit status 0). Its last output:\noh no")
		p, _ = shell(t, "sleep 1000")
		ctx, cancel := context.WithCancel(t.Context())
		err = p.Ready(ctx, func(context.Context) error { cancel(); return never })
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "(last: not yet)")
	})
	t.Run("its children end with it", func(t *testing.T) {
		p, _ := shell(t, "sleep 1000 & echo $!; wait")
		pid := p.saysPID(t)
		require.True(t, isRunning(pid))
		require.NoError(t, p.Close())
		assert.False(t, isRunning(pid))
		require.NoError(t, p.Close(), "a second Close is harmless")
	})
	t.Run("it is killed when it does not end, and so are children it has left behind", func(t *testing.T) {
		defer func(d time.Duration) { grace = d }(grace)
		grace = 300 * time.Millisecond
		for _, script := range []string{"trap '' TERM; echo $$; while true; do sleep 1000; done", "(trap '' TERM; exec sleep 1000) & echo $!"} {
			p, _ := shell(t, script)
			pid := p.saysPID(t)
			require.NoError(t, p.Close())
			require.Eventually(t, func() bool { return !isRunning(pid) }, 10*time.Second, 10*time.Millisecond, script)
		}
	})
	t.Run("a group of its own keeps a signal to ours from it", func(t *testing.T) {
		p, _ := shell(t, "echo $$; exec sleep 1000")
		group, err := syscall.Getpgid(p.saysPID(t))
		require.NoError(t, err)
		require.Equal(t, p.PID(), group)
		p.Kill()
		require.EqualError(t, <-p.Wait(), "signal: killed")
	})
}

func TestPorts(t *testing.T) {
	addr, err := FreeAddr()
	require.NoError(t, err)
	require.NoError(t, CheckFree(addr))
	l, err := net.Listen("tcp", addr)
	require.NoError(t, err)
	defer l.Close()
	require.ErrorIs(t, CheckFree(addr), ErrTaken)
	require.EqualError(t, CheckFree(addr), fmt.Sprint("port in use: ", addr))
}
