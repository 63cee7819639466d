//go:build unix && !linux

package stack

import (
	"os/exec"
	"syscall"
)

func prepare(cmd *exec.Cmd) (release func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {}
}
