package stack_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/stack"
)

// unsaved returns how many pages of a file are in the kernel and not on the disk, so that a power cut loses them. It uses cachestat(2),
// from Linux 6.5 on.
func unsaved(t *testing.T, path string) uint64 {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	const cachestat = 451 // on every architecture
	var of struct{ off, len uint64 }
	var stat struct{ cached, dirty, writeback, evicted, recentlyEvicted uint64 }
	_, _, errno := syscall.Syscall6(cachestat, f.Fd(), uintptr(unsafe.Pointer(&of)), uintptr(unsafe.Pointer(&stat)), 0, 0, 0)
	if errors.Is(errno, syscall.ENOSYS) || errors.Is(errno, syscall.EOPNOTSUPP) {
		t.Skipf("the kernel can't say what is on the disk: %v", errno)
	}
	require.Zero(t, errno)
	return stat.dirty + stat.writeback
}

// toNamespace sends requests with another host to the same address, with the password of a server that has namespaces.
type toNamespace struct{ host, authorization string }

func (to toNamespace) Do(r *http.Request) (*http.Response, error) {
	r.Host = to.host
	r.Header.Set("Authorization", to.authorization)
	return http.DefaultClient.Do(r)
}

// TestPowerCut checks the database's files directly after each acknowledged commit. A power cut would lose nothing of them.
func TestPowerCut(t *testing.T) {
	dir := t.TempDir()
	control := filepath.Join(dir, "control")
	require.NoError(t, os.WriteFile(control, make([]byte, 1<<16), 0o600))
	if unsaved(t, control) == 0 {
		t.Skip("this file system does not say what is on the disk")
	}
	for name, o := range map[string]stack.SQLDOptions{
		"a database": {Dir: filepath.Join(dir, "one")}, "a namespace": {Dir: filepath.Join(dir, "many"), Namespaces: true},
	} {
		t.Run(name+" has every acknowledged commit on the disk", func(t *testing.T) {
			s := startSQLD(t, o)
			namespace, options := "default", hrana.Options{URL: s.URL, Token: s.Token}
			if o.Namespaces {
				namespace, options.HTTP = "t", toNamespace{"t.localhost", s.Authorization}
				require.NoError(t, s.CreateNamespace(t.Context(), namespace))
			}
			c := hrana.New(options)
			_, err := c.Tx(t.Context(), hrana.Stmt{SQL: "CREATE TABLE t (a)"})
			require.NoError(t, err)
			for n := range 50 {
				_, err := c.Tx(t.Context(), hrana.Stmt{SQL: "INSERT INTO t VALUES (hex(randomblob(3000)))"})
				require.NoError(t, err)
				require.Zero(t, unsaved(t, filepath.Join(o.Dir, "dbs", namespace, "data-wal")), "pages at commit %d", n)
			}
			res, err := c.Query(t.Context(), hrana.Stmt{SQL: "PRAGMA synchronous"})
			require.NoError(t, err)
			require.Equal(t, [][]any{{int64(2)}}, res[0].Rows())
		})
	}
}
