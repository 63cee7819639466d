package worker_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/stack"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// TestFullDisk fills the disk of a sqld, which goes on answering what only reads.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=24m"); err != nil {
		t.Skipf("a disk of its own can't be mounted here: %v", err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	sqld, err := stack.StartSQLD(t.Context(), stack.SQLDOptions{Dir: filepath.Join(disk, "sqld")})
	require.NoError(t, err)
	t.Cleanup(func() { _ = sqld.Close() })
	sql := hrana.New(hrana.Options{URL: sqld.URL, Token: sqld.Token})
	stacktest.ApplySchema(t, sql)
	s := workertest.OpenOn(t, sql, stacktest.OpenRedis(t), 100)
	health := func() int {
		s.Now = s.Now.Add(6 * time.Second)
		return s.Visitor().Get("/healthz").Code
	}
	require.Equal(t, http.StatusOK, health())

	filler, err := os.Create(filepath.Join(disk, "filler"))
	require.NoError(t, err)
	for page := make([]byte, 4096); err == nil; {
		_, err = filler.Write(page)
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.Eventually(t, func() bool { return health() == http.StatusServiceUnavailable }, 30*time.Second, time.Millisecond)
	_, err = sql.Query(context.Background(), hrana.Stmt{SQL: "SELECT count(*) FROM users"})
	require.NoError(t, err, "it reads")

	require.NoError(t, os.Remove(filler.Name()))
	require.NoError(t, filler.Close())
	require.Eventually(t, func() bool { return health() == http.StatusOK }, 30*time.Second, 100*time.Millisecond)
}
