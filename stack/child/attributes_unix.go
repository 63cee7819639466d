//go:build unix && !linux

package child

import (
	"os/exec"
	"syscall"
)

func setAttributes(cmd *exec.Cmd, _ syscall.Signal) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
