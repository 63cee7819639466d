// Package stacktest gives every test its own database on a real sqld. One sqld serves a test binary, each test gets
// a fresh namespace of it (about 20 ms; another process would take 50 to 100). Call Main from TestMain, so that the
// process ends and its files go when the tests are done.
package stacktest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"plaza/data/wire/hrana"
	"plaza/stack"
)

// Main runs the tests and then stops what they started: func TestMain(m *testing.M) { stacktest.Main(m) }.
func Main(m *testing.M) {
	redisPool = make(chan *stack.Redis, 64)
	code := m.Run()
	err := shared.stop()
	close(redisPool)
	for r := range redisPool {
		err = errors.Join(err, r.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// MainUnshared is Main for tests of the client itself: each of its streams is a connection of its own, as on a real server.
func MainUnshared(m *testing.M) {
	shared.unshared = true
	Main(m)
}

type server struct {
	unshared bool // every request has a connection of its own
	once     sync.Once
	sqld     *stack.SQLD
	dir      string
	http     *http.Client
	streams  *stack.Sharing
	err      error
	next     atomic.Int64
}

var shared server

func (s *server) start() error {
	s.once.Do(func() {
		if s.dir, s.err = os.MkdirTemp("", "plaza-sqld-"); s.err != nil {
			return
		}
		s.sqld, s.err = stack.StartSQLD(context.Background(), stack.SQLDOptions{Dir: s.dir, Namespaces: true})
		if s.err != nil {
			return
		}
		addr := strings.TrimPrefix(s.sqld.URL, "http://")
		dialer := &net.Dialer{}
		line := http.RoundTripper(&http.Transport{
			// The name in the URL chooses the database; there is one place to connect to.
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, addr)
			},
			MaxIdleConnsPerHost: 16,
			DisableCompression:  !s.unshared, // it costs both sides more than bytes within a machine
		})
		s.streams = stack.NewSharing(line, Streams)
		if !s.unshared {
			line = s.streams
		}
		s.http = &http.Client{Transport: authorized{s.sqld.Authorization, line}}
	})
	return s.err
}

// folder is where sqld keeps the files of a database.
func (s *server) folder(name string) string { return filepath.Join(s.dir, "dbs", name) }

func (s *server) stop() error {
	if s.sqld != nil {
		s.sqld.Kill() // there is nothing to save
	}
	return os.RemoveAll(s.dir) // does nothing for ""
}

// authorized adds the header that sqld asks for to requests that carry none.
type authorized struct {
	header string
	next   http.RoundTripper
}

func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("Authorization") == "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", a.header)
	}
	return a.next.RoundTrip(r)
}

// OpenDB creates an empty database for the test and returns its URL and the client that reaches it: the name in the
// URL only works through that client, which also knows the token.
func OpenDB(t testing.TB) (url string, client *http.Client) {
	t.Helper()
	return openDB(t, func(string) error { return nil })
}

// openDB is OpenDB for a database whose files fill writes into its folder before sqld looks there.
func openDB(t testing.TB, fill func(folder string) error) (url string, client *http.Client) {
	t.Helper()
	if err := shared.start(); err != nil {
		t.Fatalf("sqld: %v", err)
	}
	name := fmt.Sprintf("t%d", shared.next.Add(1))
	if err := fill(shared.folder(name)); err != nil {
		t.Fatal(err)
	}
	return opened(t, name, shared.sqld.CreateNamespace(t.Context(), name)), shared.http
}

// opened is the URL of a database that was made, until the end of the test.
func opened(t testing.TB, name string, err error) string {
	t.Helper()
	if err != nil {
		t.Fatalf("sqld: %v", err)
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(shared.sqld.URL, "http://"))
	host := name + ".localhost:" + port
	t.Cleanup(func() {
		shared.streams.Forget(host)
		if err := shared.sqld.DeleteNamespace(context.Background(), name); err != nil {
			t.Errorf("sqld: %v", err)
		}
	})
	return "http://" + host
}

// nameOf is the name of a database by its URL.
func nameOf(url string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(url, "http://"), ".")
	return name
}

// OpenHrana creates an empty database for the test and returns a client of it.
func OpenHrana(t testing.TB) *hrana.Client {
	t.Helper()
	url, client := OpenDB(t)
	return hrana.New(hrana.Options{URL: url, HTTP: client, ReadTime: ReadTime})
}

// ShardsVariable says how many thread shards the sites of tests have: 1 unless it is set. With more than one, the directory
// is another database besides them.
const ShardsVariable = "PLAZA_SHARDS"

// Shards is the value of ShardsVariable.
func Shards(t testing.TB) int {
	t.Helper()
	text := os.Getenv(ShardsVariable)
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 16 {
		t.Fatalf("%s=%s is no number from 1 to 16", ShardsVariable, text)
	}
	return n
}

// OpenURL creates an empty database for the test behind a URL that any program can use: database/sql, a child process.
func OpenURL(t testing.TB) string {
	t.Helper()
	name, client := OpenDB(t)
	return plainURL(t, name, client)
}

// OpenSchemaURL is OpenURL for a database with schema.sql applied.
func OpenSchemaURL(t testing.TB) string {
	t.Helper()
	name, client := OpenSchemaDB(t)
	return plainURL(t, name, client)
}

// ForkURL copies a database of OpenURL or OpenSchemaURL as it is now.
func ForkURL(t testing.TB, of string) string {
	t.Helper()
	from, known := plain.Load(of)
	if !known {
		t.Fatalf("%s is no database of OpenURL", of)
	}
	to := fmt.Sprintf("t%d", shared.next.Add(1))
	return plainURL(t, opened(t, to, shared.sqld.ForkNamespace(t.Context(), nameOf(from.(string)), to)), shared.http)
}

// plain are the names of databases, by their addresses of plainURL.
var plain sync.Map

func plainURL(t testing.TB, name string, client *http.Client) string {
	t.Helper()
	target, err := url.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Del("Accept-Encoding") // Sharing reads the answer
		},
		Transport: client.Transport,
		// A client that goes away is no news; one that gets no answer is told so with a 502.
		ErrorLog: log.New(io.Discard, "", 0),
	})
	plain.Store(proxy.URL, name)
	t.Cleanup(func() { plain.Delete(proxy.URL); proxy.Close() })
	return proxy.URL
}
