package stack_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/stack"
)

func startSQLD(t *testing.T, o stack.SQLDOptions) *stack.SQLD {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	s, err := stack.StartSQLD(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func exec1(t *testing.T, s *stack.SQLD, sql string) hrana.Result {
	t.Helper()
	res, err := hrana.New(hrana.Options{URL: s.URL, Token: s.Token}).Tx(t.Context(), hrana.Stmt{SQL: sql})
	require.NoError(t, err)
	return res[0]
}

func TestStartSQLD(t *testing.T) {
	t.Run("answers when it returns, keeps its data between starts and releases its port", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "made", "on the way")
		start := time.Now()
		s := startSQLD(t, stack.SQLDOptions{Dir: dir})
		t.Logf("started in %v", time.Since(start).Round(time.Millisecond))
		exec1(t, s, "CREATE TABLE t AS SELECT 42 AS a")
		start = time.Now()
		require.NoError(t, s.Close())
		t.Logf("stopped in %v", time.Since(start).Round(time.Millisecond))
		require.NoError(t, s.Close(), "a second Close is harmless")

		again := startSQLD(t, stack.SQLDOptions{Dir: dir, Addr: strings.TrimPrefix(s.URL, "http://")})
		assert.Equal(t, s.URL, again.URL)
		assert.Equal(t, [][]any{{int64(42)}}, exec1(t, again, "SELECT a FROM t").Rows())
	})
	t.Run("tells when the child dies", func(t *testing.T) {
		s := startSQLD(t, stack.SQLDOptions{})
		wait := s.Wait()
		select {
		case <-wait:
			t.Fatal("too early")
		default:
		}
		s.Kill()
		require.ErrorContains(t, <-wait, "killed")
		require.NoError(t, s.Close())
	})
	t.Run("names a port in use", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		_, err = stack.StartSQLD(t.Context(), stack.SQLDOptions{Dir: t.TempDir(), Addr: l.Addr().String()})
		require.EqualError(t, err, "sqld: port in use: "+l.Addr().String())
	})
	t.Run("says what sqld said when it ends at once", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "dbs"), nil, 0o600))
		_, err := stack.StartSQLD(t.Context(), stack.SQLDOptions{Dir: dir})
		require.ErrorContains(t, err, "sqld ended before it was ready")
	})
	t.Run("says how to get a missing binary", func(t *testing.T) {
		t.Setenv("SQLD_BIN", "/nonexistent/sqld")
		_, err := stack.StartSQLD(t.Context(), stack.SQLDOptions{Dir: t.TempDir()})
		require.ErrorContains(t, err, "SQLD_BIN=/nonexistent/sqld")
		t.Setenv("SQLD_BIN", "")
		t.Setenv("PATH", "")
		t.Chdir(t.TempDir())
		_, err = stack.StartSQLD(t.Context(), stack.SQLDOptions{Dir: t.TempDir()})
		require.ErrorIs(t, err, stack.ErrNotFound)
		require.ErrorContains(t, err, "npm ci")
	})
	t.Run("lets in nobody without the token or the admin API's key", func(t *testing.T) {
		for name, o := range map[string]stack.SQLDOptions{"one database": {}, "namespaces": {Namespaces: true}} {
			t.Run(name, func(t *testing.T) {
				var log safeBuffer
				o.Log = &log
				s := startSQLD(t, o)
				var admin []string
				require.Eventually(t, func() bool { // the log comes through a pipe
					admin = regexp.MustCompile(`adming HTTP connection on (127\.0\.0\.1:\d+)`).FindStringSubmatch(log.String())
					return admin != nil
				}, time.Minute, 5*time.Millisecond)
				for _, address := range []string{
					s.URL + "/v2/pipeline", s.URL + "/v3/pipeline", s.URL + "/v3-protobuf/pipeline", s.URL + "/", s.URL + "/dump",
					"http://" + admin[1] + "/v1/namespaces/default/config", "http://" + admin[1] + "/v1/namespaces/t/create",
				} {
					for _, authorization := range []string{"", "Bearer ", "basic ", "Bearer " + s.Token + "x"} {
						r, err := http.NewRequest(http.MethodPost, address, strings.NewReader(`{"requests": [], "statements": ["SELECT 1"]}`))
						require.NoError(t, err)
						r.Header.Set("Content-Type", "application/json")
						r.Header.Set("Authorization", authorization)
						resp, err := http.DefaultClient.Do(r)
						require.NoError(t, err)
						resp.Body.Close()
						assert.Contains(t, []int{http.StatusUnauthorized, http.StatusMethodNotAllowed, http.StatusNotFound}, resp.StatusCode, "%s with %q",
							address, authorization)
					}
				}
			})
		}
	})
	t.Run("keeps its token between starts", func(t *testing.T) {
		dir := t.TempDir()
		s := startSQLD(t, stack.SQLDOptions{Dir: dir})
		require.NoError(t, s.Close())
		again := startSQLD(t, stack.SQLDOptions{Dir: dir})
		assert.Equal(t, s.Token, again.Token)
		assert.NotEqual(t, s.Token, startSQLD(t, stack.SQLDOptions{}).Token)
		info, err := os.Stat(filepath.Join(dir, "token-key"))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode())
	})
	t.Run("writes the log", func(t *testing.T) {
		var log safeBuffer
		s := startSQLD(t, stack.SQLDOptions{Log: &log})
		require.NoError(t, s.Close())
		assert.Contains(t, log.String(), "listening for incoming user HTTP connection")
	})
}

// TestChildDiesWithParent starts this test binary again, lets it start sqld and kills it like an out-of-memory killer.
func TestChildDiesWithParent(t *testing.T) {
	if os.Getenv("PLAZA_PARENT") != "" {
		s, err := stack.StartSQLD(t.Context(), stack.SQLDOptions{Dir: os.Getenv("PLAZA_PARENT")})
		require.NoError(t, err)
		_, err = os.Stdout.WriteString("URL " + s.URL + "\n")
		require.NoError(t, err)
		select {}
	}
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("only Linux tells a child that its parent is gone")
	}
	parent := exec.Command(os.Args[0], "-test.run", "^TestChildDiesWithParent$")
	parent.Env = append(os.Environ(), "PLAZA_PARENT="+t.TempDir())
	out, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	line := make([]byte, 64)
	n, err := io.ReadAtLeast(out, line, len("URL http://127.0.0.1:1\n"))
	require.NoError(t, err)
	url := strings.TrimSpace(strings.TrimPrefix(string(line[:n]), "URL "))
	port, err := strconv.Atoi(url[strings.LastIndexByte(url, ':')+1:])
	require.NoError(t, err)
	resp, err := http.Get(url + "/health")
	require.NoError(t, err)
	resp.Body.Close()

	require.NoError(t, parent.Process.Signal(syscall.SIGKILL))
	_ = parent.Wait()
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			c.Close()
		}
		return err != nil
	}, time.Minute, 10*time.Millisecond)
}

func TestRoot(t *testing.T) {
	root, err := stack.Root()
	require.NoError(t, err)
	assert.FileExists(t, filepath.Join(root, "stack", "root.go"))
	t.Chdir(t.TempDir())
	_, err = stack.Root()
	require.ErrorContains(t, err, "not inside")
	require.NoError(t, os.WriteFile("go.mod", []byte("module plazaverse\n"), 0o600))
	_, err = stack.Root()
	require.Error(t, err)
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
