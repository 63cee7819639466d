package ledger

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// mount mounts something for the test. It skips the test where that is not allowed.
func mount(t *testing.T, where string, arguments ...string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(where, 0o700))
	if out, err := exec.Command("mount", append(arguments, where)...).CombinedOutput(); err != nil {
		t.Skipf("this machine mounts nothing, which takes root: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", where).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
}

const (
	diskFolder = "disk"
	ballast    = "ballast"
)

// smallDisk puts the database on a file system of its own.
func smallDisk(t *testing.T) func(int) string {
	t.Helper()
	where := filepath.Join(t.TempDir(), diskFolder)
	mount(t, where, "-t", "tmpfs", "-o", "size=128m", "tmpfs")
	return func(int) string { return filepath.Join(where, "database") }
}

// fillDisk leaves no byte on the disk of the database.
func fillDisk(w *FaultySite) error {
	f, err := os.Create(filepath.Join(filepath.Dir(w.Databases[0].dir), ballast))
	if err != nil {
		return err
	}
	defer f.Close()
	for size := 1 << 20; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			return err
		}
	}
	return nil
}

// clearDisk makes room again. A sqld that has ended or lost its way on the full disk is started again, as its operator does.
func clearDisk(w *FaultySite) error {
	d := w.Databases[0]
	if err := os.Remove(filepath.Join(filepath.Dir(d.dir), ballast)); err != nil {
		return err
	}
	d.Kill()
	return d.startAgain(w.Context())
}

const image = "disk.img"

// imageDisk puts the database on a file system in a file. The file has what the disk of a computer would have: what was not flushed is not
// in it.
func imageDisk(t *testing.T) func(int) string {
	t.Helper()
	base := t.TempDir()
	file := filepath.Join(base, image)
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Truncate(file, 128<<20))
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", file).CombinedOutput(); err != nil {
		t.Skipf("mkfs.ext4: %v %s", err, out)
	}
	where := filepath.Join(base, diskFolder)
	mount(t, where, "-o", "loop", file)
	return func(int) string { return filepath.Join(where, "database") }
}

// flushDisk writes to the disk what sqld made when it was started. What it commits from now on is its own matter.
func flushDisk(w *FaultySite) error {
	return exec.Command("sync", "-f", w.Databases[0].dir).Run()
}

// cutPower copies the image while the database is at work, lets the database never go on, and starts another from the copy: what is not
// in it is gone, as when the power is cut. A file that nobody flushed shows that the copy lacks such things.
func cutPower(w *FaultySite) error {
	d := w.Databases[0]
	base := filepath.Dir(filepath.Dir(d.dir))
	witness := make([]byte, 1<<20)
	if err := os.WriteFile(filepath.Join(filepath.Dir(d.dir), "witness"), bytes.Repeat([]byte{7}, len(witness)), 0o600); err != nil {
		return err
	}
	if err := syscall.Kill(d.PID(), syscall.SIGSTOP); err != nil {
		return err
	}
	// Twice the same: nothing reached the disk while it was copied.
	var copied, again []byte
	for range 20 {
		var err error
		if copied, err = os.ReadFile(filepath.Join(base, image)); err != nil {
			return err
		}
		if again, err = os.ReadFile(filepath.Join(base, image)); err != nil {
			return err
		}
		if bytes.Equal(copied, again) {
			break
		}
	}
	if !bytes.Equal(copied, again) {
		return errors.New("the disk never rests")
	}
	d.Kill()
	file, where := filepath.Join(base, "copy.img"), filepath.Join(base, "copy")
	if err := os.WriteFile(file, copied, 0o600); err != nil {
		return err
	}
	mount(w.T, where, "-o", "loop", file)
	f, err := os.Open(filepath.Join(where, "witness"))
	if err == nil {
		defer f.Close()
		there, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		if bytes.Contains(there, []byte{7}) {
			return errors.New("the copy has what was not on the disk")
		}
	}
	d.dir = filepath.Join(where, "database")
	w.Cleanup(func() { _ = d.Close() }) // before it is unmounted
	return d.startAgain(w.Context())
}
