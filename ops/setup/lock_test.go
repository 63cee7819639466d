package setup

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTwoRunsAtOnce: the second one refuses to begin, and names the process that works in the folder.
func TestTwoRunsAtOnce(t *testing.T) {
	s := newStage(t, nil)
	unlock, err := lock(s.folder)
	require.NoError(t, err)
	out, err := s.setup(t.Context(), s.options())
	require.ErrorContains(t, err, fmt.Sprintf("another plaza setup works in this folder (process %d)", os.Getpid()), out)
	require.Empty(t, s.providers.Writes)

	o := s.options()
	o.DryRun = true
	out, err = s.setup(t.Context(), o)
	require.NoError(t, err, out)

	unlock()
	require.ErrorIs(t, s.accounts(s.options()), context.Canceled, "the step itself had no error")
}

// TestALockOfAKilledProcess: it does not stop the next one.
func TestALockOfAKilledProcess(t *testing.T) {
	const lockThis = "PLAZA_TEST_LOCK"
	if folder := os.Getenv(lockThis); folder != "" { // the process to kill
		_, err := lock(folder)
		fmt.Println("locked", err)
		select {}
	}
	folder := t.TempDir()
	other := exec.Command(os.Args[0], "-test.run=^TestALockOfAKilledProcess$")
	other.Env = append(os.Environ(), lockThis+"="+folder)
	out, err := other.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "locked <nil>\n", line)
	_, err = lock(folder)
	require.ErrorContains(t, err, fmt.Sprintf("(process %d)", other.Process.Pid))

	require.NoError(t, other.Process.Kill())
	require.Error(t, other.Wait())
	require.FileExists(t, filepath.Join(folder, lockFile))
	unlock, err := lock(folder)
	require.NoError(t, err)
	unlock()
}
