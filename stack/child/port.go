package child

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"syscall"
)

// ErrTaken is wrapped by the error for an address on which something listens already.
var ErrTaken = errors.New("port in use")

// FreeAddr returns a loopback address on which nobody listens at the moment. Its port is not one of those that the system gives to
// connections, and to whoever asks for any port: before a child listens, one of these would be taken now and then.
func FreeAddr() (string, error) {
	for range 100 {
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(12000+rand.IntN(20000)))
		if CheckFree(addr) == nil {
			return addr, nil
		}
	}
	return "", ErrTaken
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
