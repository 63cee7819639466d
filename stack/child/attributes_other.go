//go:build !unix

package child

import (
	"os/exec"
	"syscall"
)

// The package is vetted for js with the tests that use it; nothing can be started there.
func setAttributes(*exec.Cmd, syscall.Signal) {}
