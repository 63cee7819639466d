package child

import (
	"os/exec"
	"syscall"
)

func setAttributes(cmd *exec.Cmd, orphan syscall.Signal) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: orphan}
}
