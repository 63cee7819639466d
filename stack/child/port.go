package child

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"syscall"
)

// ErrTaken is wrapped by the error for an address that is in use already.
var ErrTaken = errors.New("port in use")

// FreeAddr returns a loopback address that is free at the moment. Its port is not in the system's ephemeral range: a port from there
// could be assigned to another socket before a child listens.
func FreeAddr() (string, error) {
	for range 100 {
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(12000+rand.IntN(20000)))
		if CheckFree(addr) == nil {
			return addr, nil
		}
	}
	return "", ErrTaken
}

// CheckFree returns an error that wraps ErrTaken if an address is in use.
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
