package doctor_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/ops/doctor"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

const health = "a health token of thirty-two bytes"

// running is a site in this process on real databases. Its queue delivers every few milliseconds unless it is stopped. There is no edge
// in front of it: the test sets X-Cache.
type running struct {
	*workertest.Site
	url    string
	stands atomic.Bool
	cache  atomic.Value
}

func start(t *testing.T) *running {
	t.Helper()
	s := &running{Site: workertest.MustOpen(t)}
	s.LosesMessages = true // a stopped queue may keep votes of the doctor
	c := s.Config
	c.Source, c.HealthToken = data.SystemSource(), health // the age of waiting votes is compared with real time
	s.Restart(c)
	s.cache.Store("HIT")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/_/") {
			return // a static file, which the edge has
		}
		w.Header().Set("X-Cache", s.cache.Load().(string))
		s.App.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	t.Cleanup(func() { stop(); <-ended })
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			if !s.stands.Load() {
				for _, queue := range []string{data.QueueVotes, data.QueueEvents} {
					_, _ = s.App.Consume(ctx, queue, s.Queue.Take(queue))
				}
			}
			select {
			case <-ctx.Done():
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	return s
}

func (s *running) examine(ctx context.Context, token, healthToken string) (failing int, out string) {
	var b bytes.Buffer
	wait := time.Minute // a busy machine may take as long to count a vote
	if s.stands.Load() {
		wait = 300 * time.Millisecond // which is in vain
	}
	failing = doctor.Run(ctx, doctor.Options{URL: s.url, HealthToken: healthToken, Token: token, Wait: 1, Pause: 10 * time.Millisecond,
		CountWait: wait, CronWait: wait, Out: &b})
	return failing, b.String()
}

func TestAHealthySite(t *testing.T) {
	s := start(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "golang")
	ann.MustPost("/c/golang/submit", "title", "The older post", "text", "hello")
	ann.MustPost("/c/golang/submit", "title", "The newer post", "text", "hello")
	token := ben.NewToken("read", "write")
	votes := `SELECT count(*) FROM votes v JOIN users u ON u.id = v.user_id WHERE u.username = 'ben' AND v.value <> 0`

	t.Run("each part is well, the vote was counted and is taken back", func(t *testing.T) {
		failing, out := s.examine(t.Context(), token, health)
		require.Zero(t, failing, out)
		for _, part := range []string{"health", "parts", "page", "cache", "vote", "cron"} {
			require.Regexp(t, `(?m)^ok  `+part, out)
		}
		require.Contains(t, out, "counted by the queue")
		require.Regexp(t, `(?m)^ -  mail +the site sends none`, out)
		require.EqualValues(t, 0, s.One(votes))
		require.NotContains(t, out, token)
		require.NotContains(t, out, health)
	})
	t.Run("a queue that stands is red, and the vote is taken back all the same", func(t *testing.T) {
		s.stands.Store(true)
		failing, out := s.examine(t.Context(), token, health)
		require.Equal(t, 1, failing, out)
		require.Contains(t, out, "RED vote    the vote was not counted within")
		require.EqualValues(t, 0, s.One(votes))
		s.stands.Store(false)
	})
	t.Run("an interrupted vote is taken back", func(t *testing.T) {
		s.stands.Store(true)
		ctx, stop := context.WithCancel(t.Context())
		client := &http.Client{Transport: &stopAfterVote{stop: stop}}
		var b bytes.Buffer
		doctor.Run(ctx, doctor.Options{URL: s.url, HealthToken: health, Token: token, Wait: 1, Pause: 10 * time.Millisecond, HTTP: client, Out: &b})
		require.Contains(t, b.String(), "interrupted before the vote was counted")
		require.EqualValues(t, 0, s.One(votes))
		s.stands.Store(false)
	})
	t.Run("without tokens it says what it leaves out", func(t *testing.T) {
		failing, out := s.examine(t.Context(), "", "")
		require.Zero(t, failing, out)
		require.Regexp(t, `(?m)^ -  vote +needs PLAZA_TOKEN`, out)
		require.Regexp(t, `(?m)^ -  parts +needs HEALTH_TOKEN`, out)
	})
	t.Run("tokens that are wrong are red", func(t *testing.T) {
		failing, out := s.examine(t.Context(), "plaza_wrong", health)
		require.Equal(t, 1, failing, out)
		require.Regexp(t, `(?m)^RED vote +/new.json answers 401`, out)
		_, out = s.examine(t.Context(), ben.NewToken("read"), health)
		require.Regexp(t, `(?m)^RED vote +the vote is refused with 403`, out)
		_, out = s.examine(t.Context(), "", "another token of thirty-two bytes.")
		require.Regexp(t, `(?m)^RED parts +the site tells no more than ok`, out)
	})
	t.Run("a page that never comes from the cache is red", func(t *testing.T) {
		s.cache.Store("MISS")
		failing, out := s.examine(t.Context(), "", health)
		require.Equal(t, 1, failing, out)
		require.Regexp(t, `(?m)^RED cache +the front page was asked for 6 times`, out)
		s.cache.Store("HIT")
	})
	t.Run("votes that have waited for minutes are red", func(t *testing.T) {
		s.stands.Store(true)
		id := workertest.Targets(ben.Page("/c/golang/new"))[0]
		ben.MustPost("/vote", "target", id, "value", "1")
		for _, db := range s.Sql.All() {
			_, err := db.Tx(t.Context(), hrana.Stmt{SQL: `UPDATE vote_deltas SET created_at = created_at - 200000`})
			require.NoError(t, err)
		}
		failing, out := s.examine(t.Context(), "", health)
		require.Equal(t, 1, failing, out)
		require.Regexp(t, `(?m)^RED cron +votes in .*: the oldest has waited for 2\d\d s, and still does after another \d+ s`, out)
	})
	t.Run("they are not if the queue takes them up while the doctor waits", func(t *testing.T) {
		var b bytes.Buffer
		client := &http.Client{Transport: &afterRequests{remaining: 2, do: func() { s.stands.Store(false) }}} // the first is of parts
		failing := doctor.Run(t.Context(), doctor.Options{URL: s.url, HealthToken: health, Wait: 1, Pause: 10 * time.Millisecond,
			CronWait: time.Minute, HTTP: client, Out: &b})
		require.Zero(t, failing, b.String())
		require.Regexp(t, `(?m)^ok  cron`, b.String())
	})
}

// afterRequests calls a function after a number of responses to the monitor.
type afterRequests struct {
	remaining int
	do        func()
}

func (a *afterRequests) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if r.Header.Get("Authorization") != "" {
		if a.remaining--; a.remaining == 0 {
			a.do()
		}
	}
	return res, err
}

// stopAfterVote interrupts the run while it waits for the count of its vote.
type stopAfterVote struct {
	stop  context.CancelFunc
	voted bool
}

func (s *stopAfterVote) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if r.URL.Path == "/healthz" && s.voted {
		s.stop()
	}
	if r.URL.Path == "/vote" {
		s.voted = true
	}
	return res, err
}

// TestAWorkflowWithOtherDatabases compares the databases of plaza migrate with those of the deployment.
func TestAWorkflowWithOtherDatabases(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	site := map[string]string{"LIBSQL_URL": "libsql://plaza-example.turso.io", "LIBSQL_SHARD_URLS": "libsql://a.turso.io, libsql://b.turso.io",
		"SITE_URL": server.URL}
	for name, test := range map[string]struct {
		file, environment map[string]string
		says              string
	}{
		"the same, written in another way": {site, map[string]string{"LIBSQL_URL": "https://plaza-example.turso.io/",
			"LIBSQL_SHARD_URLS": "libsql://a.turso.io,libsql://b.turso.io"}, `ok  tools +plaza migrate and the site have the same databases`},
		"another directory": {site, map[string]string{"LIBSQL_URL": "libsql://old-example.turso.io",
			"LIBSQL_SHARD_URLS": site["LIBSQL_SHARD_URLS"]},
			`RED tools +LIBSQL_URL is "https://old-example.turso.io" in the environment and "https://plaza-example.turso.io" in wrangler.toml`},
		"without the shards": {site, map[string]string{"LIBSQL_URL": site["LIBSQL_URL"]}, `RED tools +LIBSQL_SHARD_URLS is "" in the environment`},
		"shards in another order": {site, map[string]string{"LIBSQL_URL": site["LIBSQL_URL"],
			"LIBSQL_SHARD_URLS": "libsql://b.turso.io, libsql://a.turso.io"}, `RED tools +LIBSQL_SHARD_URLS is`},
		"a database of this machine": {site, map[string]string{"LIBSQL_URL": "http://127.0.0.1:8080"},
			` -  tools +LIBSQL_URL in the environment is a database of this machine`},
		"another site's file": {map[string]string{"LIBSQL_URL": "libsql://other.turso.io", "SITE_URL": "https://other.example.org"}, site,
			` -  tools +wrangler.toml in the folder is of another site, https://other.example.org`},
		"no environment":       {site, nil, ` -  tools +needs LIBSQL_URL`},
		"no wrangler.toml":     {nil, site, ` -  tools +wrangler.toml in the folder names no database`},
		"a file as it was got": {map[string]string{"LIBSQL_URL": "http://127.0.0.1:8080"}, site, ` -  tools +wrangler.toml in the folder names no database`},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			doctor.Run(t.Context(), doctor.Options{URL: server.URL, Variables: test.file, Environment: test.environment, Wait: 1, Pause: 1, Out: &b})
			require.Regexp(t, `(?m)^`+test.says, b.String())
		})
	}
}

// States that a site in this process can't have: the responses are made up.
func TestASiteThatIsNot(t *testing.T) {
	tests := []struct {
		name, healthz string
		status        int
		page          string
		says          string
	}{
		{"the database is unavailable", "Unavailable", 503, "", `RED health +/healthz answers 503: Unavailable`},
		{"a step is missing", `{"ok":false,"schema":1,"error":"directory: it is at step 0","redis":{},"databases":[{"name":"directory","schema":0,` +
			`"error":"it is at step 0 of the schema and this build needs step 1"}]}`, 503, "", `RED parts +directory: it is at step 0`},
		{"the Redis refuses", `{"ok":true,"schema":1,"redis":{"error":"WRONGPASS"},"databases":[{"name":"directory","schema":1}]}`, 200, "",
			`RED parts +Redis: WRONGPASS`},
		{"another build", `{"ok":true,"schema":9,"redis":{},"databases":[{"name":"directory","schema":9}]}`, 200, "",
			`RED parts +the site knows step 9 of the schema`},
		{"a move that waits", `{"ok":true,"schema":1,"redis":{},"databases":[{"name":"directory","schema":1}],` +
			`"move":{"community":"gophers","to":2,"frozen":true}}`, 200, "",
			`RED parts +the move of gophers to shard 2 is not finished: no process works on it, and nobody can write there until one does.*` +
				`\n +plaza shards move gophers 2 goes on`},
		{"dead letters", `{"ok":true,"schema":1,"redis":{},"databases":[{"name":"directory","schema":1,"dead_letters":3}]}`, 200, "",
			`RED parts +3 messages have failed for good`},
		{"a gateway of another build", "ok", 200, `<!doctype html><html><link rel="stylesheet" href="/_/app.1.css"></html>`,
			`RED page +the front page has no style sheet: there is none at /_/app.1.css.*\n +With a gateway in front, deploy it and the site together`},
		{"a page that breaks off", "ok", 200, "<!doctype html><html>", `RED page +the front page breaks off after 21 bytes`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/healthz" {
					w.WriteHeader(test.status)
					_, _ = w.Write([]byte(test.healthz))
					return
				}
				if strings.HasPrefix(r.URL.Path, "/_/") {
					http.NotFound(w, r)
					return
				}
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				_, _ = w.Write([]byte(test.page))
			}))
			defer server.Close()
			var b bytes.Buffer
			require.Positive(t, doctor.Run(t.Context(), doctor.Options{URL: server.URL, HealthToken: health, Wait: 1, Pause: 1, Out: &b}))
			require.Regexp(t, `(?m)^`+test.says, b.String())
		})
	}
	t.Run("nothing answers", func(t *testing.T) {
		var b bytes.Buffer
		require.Equal(t, 1, doctor.Run(t.Context(), doctor.Options{URL: "http://127.0.0.1:1", Wait: 1, Pause: 1, Out: &b}))
		require.Equal(t, 2, strings.Count(b.String(), "\n"), "it says so once: %s", b.String())
	})
}

func TestSizes(t *testing.T) {
	folder := t.TempDir()
	file := func(name string, size int64) {
		t.Helper()
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		f, err := os.Create(path)
		require.NoError(t, err)
		require.NoError(t, f.Truncate(size))
		require.NoError(t, f.Close())
	}
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	size := func() string {
		var b bytes.Buffer
		doctor.Run(t.Context(), doctor.Options{URL: server.URL, Folder: folder, Wait: 1, Pause: 1, Out: &b})
		return b.String()
	}
	require.Regexp(t, `(?m)^ -  size +there is no build`, size())
	file("build/worker.mjs", 1000)
	file("build/wasm_exec.js", 1000)
	file("build/app.wasm", 20<<20)
	file("public/robots.txt", 10)
	require.Regexp(t, `(?m)^ok  size +modules of 20.0 MiB \(at most 64\), 1 static files`, size())
	file("public/film.mp4", 26<<20)
	require.Regexp(t, `(?m)^RED size +.*film.mp4 has 27262976 bytes`, size())
	file("build/app.wasm", 65<<20)
	require.Regexp(t, `(?m)^RED size +modules of 65.0 MiB`, size())
}
