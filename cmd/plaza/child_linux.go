package main

import "syscall"

// childAttributes has the kernel tell a child to end when plaza dies without a chance to.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
