package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/accounts/credentials"
	"plaza/stack"
	"plaza/stack/child"
	"plaza/test/stacktest"
)

// site is a running plaza dev.
type site struct {
	t        *testing.T
	cmd      *exec.Cmd
	port     int
	out, err output
	done     chan struct{}
}

// output can be read while a process writes to it.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

func startSite(t *testing.T, port int, dir string, flags ...string) *site {
	t.Helper()
	s := &site{t: t, port: port, done: make(chan struct{})}
	s.cmd = plazaProcess(t, append([]string{"dev", "--port", strconv.Itoa(port), "--data", dir}, flags...)...)
	s.cmd.Env = append(s.cmd.Env, "PLAZA_DEMO_DATA="+filepath.Join(dir, "none")) // the small set is enough here
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.err
	require.NoError(t, s.cmd.Start())
	go func() {
		_ = s.cmd.Wait()
		close(s.done)
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
		<-s.done
	})
	return s
}

// says waits until the site has printed a text. It is not synchronised with the ready line, which comes through another pipe.
func (s *site) says(text string) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return strings.Contains(s.err.String(), text) }, time.Minute, 10*time.Millisecond, text)
}

// wait returns when the site is ready or has ended.
func (s *site) wait() {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		select {
		case <-s.done:
			return true
		default:
			return strings.Contains(s.out.String(), "\n")
		}
	}, 5*time.Minute, 50*time.Millisecond, "plaza dev is not ready")
}

func (s *site) end(signal syscall.Signal) int {
	s.t.Helper()
	_ = s.cmd.Process.Signal(signal)
	select {
	case <-s.done:
	case <-time.After(time.Minute):
		s.t.Fatal("plaza dev does not end")
	}
	return s.cmd.ProcessState.ExitCode()
}

// descendants returns the processes below this one, from /proc.
func descendants(pid int) (pids []int) {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		child, _ := strconv.Atoi(strings.Split(path, "/")[2])
		fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		parent, _ := strconv.Atoi(fields[1])
		if fields[0] != "Z" {
			children[parent] = append(children[parent], child)
		}
	}
	for todo := children[pid]; len(todo) > 0; {
		pids = append(pids, todo[0])
		todo = append(todo[1:], children[todo[0]]...)
	}
	return pids
}

func running(pids []int) (left []string) {
	for _, pid := range pids {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && len(b) > 0 {
			left = append(left, strings.ReplaceAll(string(b), "\x00", " "))
		}
	}
	return left
}

func (s *site) get(path string) (int, string) {
	s.t.Helper()
	resp, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d%s", s.port, path))
	require.NoError(s.t, err)
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body)
}

// as returns a page for a demo member.
func (s *site) as(name, path string) string {
	s.t.Helper()
	base := fmt.Sprintf("http://localhost:%d", s.port)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	var resp *http.Response
	// A busy machine may be too slow for the first request, which is then refused with the advice to try again.
	require.Eventually(s.t, func() (done bool) {
		var err error
		resp, err = client.PostForm(base+"/login", url.Values{"login": {name}, "password": {demoPassword}})
		require.NoError(s.t, err)
		resp.Body.Close()
		return resp.StatusCode != http.StatusServiceUnavailable
	}, time.Minute, 50*time.Millisecond)
	require.Equal(s.t, http.StatusSeeOther, resp.StatusCode)
	req, err := http.NewRequest(http.MethodGet, base+path, nil)
	require.NoError(s.t, err)
	for _, cookie := range resp.Cookies() { // a cookie jar would not send secure cookies over http
		req.AddCookie(cookie)
	}
	resp, err = client.Do(req)
	require.NoError(s.t, err)
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return string(body)
}

func TestDev(t *testing.T) {
	t.Parallel()
	root, err := stack.Root()
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(root, "build", "app.wasm")); err != nil {
		t.Skip("there is no build/: run ./build.sh")
	}
	// The files that wrangler reads.
	stacktest.Inputs(t, "build/app.wasm", "build/app.json", "build/worker.mjs", "build/wasm_exec.js", "wrangler.toml", "public", "package-lock.json",
		"node_modules/.package-lock.json")
	addr, err := child.FreeAddr()
	require.NoError(t, err)
	port := int(netip.MustParseAddrPort(addr).Port())
	dir := t.TempDir()

	t.Run("starts with posts, keeps them though it is killed, and leaves nothing running", func(t *testing.T) {
		s := startSite(t, port, dir)
		s.wait()
		require.Equal(t, fmt.Sprintf("Plaza is ready on http://localhost:%d\n", port), s.out.String(), s.err.String())
		s.says("Log in as mira, or as georg, who is an administrator; the password of all demo members is plaza-demo\n")
		require.Contains(t, s.as("georg", "/admin"), "<h1>Administration</h1>")
		require.NotContains(t, s.as("mira", "/admin"), "<h1>Administration</h1>")
		require.NotContains(t, s.as("georg", "/"), "Set up your site", "it is not new")
		status, page := s.get("/c/golang")
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, page, "/c/golang/p/")
		below := descendants(s.cmd.Process.Pid)
		require.GreaterOrEqual(t, len(below), 4, "sqld, wrangler's two and workerd")
		s.end(syscall.SIGKILL)
		require.Eventually(t, func() bool { return len(running(below)) == 0 }, time.Minute, 50*time.Millisecond)

		began := time.Now()
		again := startSite(t, port, dir)
		again.wait()
		again.says("or as georg, who is an administrator")
		require.NotContains(t, again.err.String(), "Imported", "the second start has everything")
		_, page = again.get("/c/golang")
		require.Contains(t, page, "/c/golang/p/")
		t.Logf("the second start takes %v", time.Since(began).Round(100*time.Millisecond))
		below = descendants(again.cmd.Process.Pid)

		other, err := child.FreeAddr()
		require.NoError(t, err)
		second := startSite(t, int(netip.MustParseAddrPort(other).Port()), dir)
		<-second.done
		require.Equal(t, 1, second.cmd.ProcessState.ExitCode())
		require.Contains(t, second.err.String(), "another plaza dev uses "+dir)

		require.Zero(t, again.end(syscall.SIGINT), again.err.String())
		require.Empty(t, running(below))
	})

	t.Run("says which port is in use", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		taken := l.Addr().(*net.TCPAddr).Port
		s := startSite(t, taken, t.TempDir())
		<-s.done
		require.Equal(t, 1, s.cmd.ProcessState.ExitCode())
		require.Equal(t, fmt.Sprintf("plaza dev: port %d is in use: end what listens there, or choose another with --port\n", taken),
			s.err.String())
		require.Empty(t, s.out.String())
	})

	t.Run("begins anew when it is told to, touches nothing else in the directory, and ends when a part dies", func(t *testing.T) {
		secret, err := os.ReadFile(filepath.Join(dir, "session-secret"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600))
		s := startSite(t, port, dir, "--fresh")
		s.wait()
		s.says("Imported 200 posts")
		other, err := os.ReadFile(filepath.Join(dir, "session-secret"))
		require.NoError(t, err)
		require.NotEqual(t, secret, other)
		require.FileExists(t, filepath.Join(dir, "mine"))

		// When a part dies, the site prints a message and stops the other parts.
		below := descendants(s.cmd.Process.Pid)
		for _, pid := range below {
			if b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); bytes.Contains(b, []byte("/sqld\x00")) {
				require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			}
		}
		select {
		case <-s.done:
		case <-time.After(time.Minute):
			t.Fatal("plaza dev goes on without its database")
		}
		require.Equal(t, 1, s.cmd.ProcessState.ExitCode())
		require.Contains(t, s.err.String(), "plaza dev: sqld ended (signal: killed)")
		require.Empty(t, running(below))
	})
}

// TestFillEmpty fills the databases as plaza dev --empty does.
func TestFillEmpty(t *testing.T) {
	t.Parallel()
	url, dir := stacktest.OpenURL(t), t.TempDir()
	for n, empty := range []bool{true, true, true, false} { // it stays empty, whatever the flag says
		if n == 1 { // as if it had been killed before it wrote that
			require.NoError(t, os.Remove(filepath.Join(dir, filledMarker)))
		}
		var said output
		d := &dev{env: &environment{err: &said}, o: devOptions{data: dir, empty: empty}, sqld: &stack.SQLD{URL: url}}
		require.NoError(t, d.fill(t.Context()))
		d.sayWho()
		require.Equal(t, "Log in as georg, who is an administrator; the password is plaza-demo\n", said.String())
	}
	db := mustOpen(t, url)
	require.Equal(t, 1, number(t, db, `SELECT count(*) FROM users WHERE username = 'georg' AND admin = 1`))
	require.Equal(t, 1, number(t, db, `SELECT count(*) FROM users`))
	for _, table := range []string{"communities", "posts", "editions", "site_settings"} {
		require.Zero(t, number(t, db, `SELECT count(*) FROM `+table), table)
	}
	var hash string
	require.NoError(t, db.QueryRow(`SELECT password_hash FROM users`).Scan(&hash))
	require.True(t, credentials.SafeHashCost.Check(hash, demoPassword))
}
