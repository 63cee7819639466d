package child

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// ErrTaken is wrapped by the error for an address on which something listens already.
var ErrTaken = errors.New("port in use")

// FreeAddr returns a loopback address on which nobody listens at the moment. Someone may take it before a child does.
func FreeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// CheckFree tells before a start that an address is taken, by ErrTaken.
func CheckFree(addr string) error {
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%w: %s", ErrTaken, addr)
	}
	if err != nil {
		return err
	}
	return l.Close()
}
