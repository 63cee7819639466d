package setup

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// lockFile is the name of a file beside wrangler.toml. While a run has it locked, no other run begins: each would create its own secrets
// and overwrite the other's.
const lockFile = ".plaza-setup.lock"

// lock locks the folder until unlock is called. The system releases the lock of a killed process, so a leftover file is harmless. The
// file has the number of the process, for the error of the next one.
func lock(folder string) (unlock func(), err error) {
	path := filepath.Join(folder, lockFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		process, _ := io.ReadAll(io.LimitReader(f, 20)) // empty while the other run begins
		return nil, fmt.Errorf("another plaza setup works in this folder (process %s). Run this again when it has ended",
			strings.TrimSpace(string(process)))
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = fmt.Fprintln(f, os.Getpid())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
