//go:build !unix

package child

import (
	"os/exec"
	"syscall"
)

// The package is vetted for js with the tests that use it; it can't start a process there.
func setAttributes(*exec.Cmd, syscall.Signal) {}
