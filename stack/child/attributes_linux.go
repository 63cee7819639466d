package stack

import (
	"os/exec"
	"runtime"
	"syscall"
)

// prepare gives the child its own process group, so that a Ctrl-C in the terminal reaches only the parent, which then
// stops its children in order; and a death that follows the parent's, even if that is killed. The kernel means the
// thread that starts the child: it is kept until release.
func prepare(cmd *exec.Cmd) (release func()) {
	runtime.LockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return runtime.UnlockOSThread
}
