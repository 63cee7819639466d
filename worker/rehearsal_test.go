package worker_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/stack/stacktest"
	"plaza/worker"
	"plaza/worker/workertest"
)

// The first page of an isolate is fast only if the tapes fit what pages ask today.
func TestRehearsal(t *testing.T) {
	for name, database := range map[string]string{"protobuf": "http://db.example", "json": "https://db.turso.io"} {
		t.Run("every page on the tape is made, "+name, func(t *testing.T) {
			if os.Getenv("PLAZA_UPDATE") != "" {
				record(t, name)
			}
			const again = "%s; run PLAZA_UPDATE=1 go test ./worker -run TestRehearsal"
			tape, err := os.ReadFile("rehearsal/" + name + ".tape")
			require.NoError(t, err)
			rehearsal, err := worker.RehearsalOf(string(tape), database, func(tape hrana.Doer) hrana.Doer { return tape })
			require.NoError(t, err)
			pages := 0
			for path, cookie := rehearsal.Next(); path != ""; path, cookie = rehearsal.Next() {
				pages++
				w := httptest.NewRecorder()
				r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+path, nil)
				r.Header.Set("Cookie", cookie)
				rehearsal.App.ServeHTTP(w, r)
				require.Equal(t, http.StatusOK, w.Code, again, path)
				require.Contains(t, w.Body.String(), "A post about gophers", again, path)
				require.Equal(t, cookie != "", strings.Contains(w.Body.String(), `action="/logout"`), again, path)
			}
			require.Equal(t, 5, pages)
		})
	}
}

// recorder writes down what a database answers.
type recorder struct {
	tape   *bytes.Buffer
	client *http.Client
	json   bool
}

func (t recorder) Do(r *http.Request) (*http.Response, error) {
	if t.json && strings.Contains(r.URL.Path, "protobuf") {
		return &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	res, err := t.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(t.tape, "answer %s %d\n%s\n", r.URL.Path, len(body), body)
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

// record makes a small site and a tape of its pages.
func record(t *testing.T, name string) {
	database, client := stacktest.OpenDB(t)
	redis, token := stacktest.OpenRedisURL(t)
	sql := hrana.New(hrana.Options{URL: database, HTTP: client})
	stacktest.ApplySchema(t, sql)
	s := workertest.OpenOn(t, sql, upstash.New(upstash.Options{URL: redis, Token: token}), 100)
	s.Config.Secret = []byte(worker.RehearsalSecret)
	s.Restart(s.Config)
	ann, bob := s.Member("ann"), s.Member("bob")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/submit", "community", "gophers", "title", "Another post", "link", "https://go.dev/blog")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post about gophers", "text", "They dig. **A lot.**")
	post := workertest.Targets(ann.Page(address))[0]
	bob.MustPost("/comment", "post", post, "body", "A comment with a [link](https://go.dev).")
	comment := workertest.Targets(ann.Page(address))[1]
	ann.MustPost("/comment", "post", post, "parent", comment, "body", "An answer.")
	bob.MustPost("/vote", "target", post, "value", "1")
	s.Deliver()
	for _, path := range []string{"/", "/c/gophers"} {
		ann.Page(path)
	}
	s.Deliver() // the hot sets are whole

	var tape bytes.Buffer
	s.Config.DB = data.NewDB(hrana.New(hrana.Options{URL: database, HTTP: recorder{&tape, client, name == "json"}}))
	s.Config.Redis = upstash.New(upstash.Options{URL: redis, Token: token, HTTP: recorder{tape: &tape, client: http.DefaultClient}})
	s.Config.Source.Now = func() time.Time { return worker.RehearsalTime }
	s.Config.Background = func(context.Context, func(context.Context)) {} // as in a rehearsal
	s.Restart(s.Config)
	for _, b := range []*workertest.Browser{s.Visitor(), bob} {
		for _, path := range []string{"/", "/c/gophers", address} {
			if b.Cookie != "" && path == address {
				continue // it has a form with a random token, and a rehearsal has no random bytes
			}
			fmt.Fprintf(&tape, "page %s", path)
			if b.Cookie != "" {
				fmt.Fprintf(&tape, " __Host-session=%s", b.Cookie)
			}
			tape.WriteByte('\n')
			b.Page(path)
		}
	}
	require.NoError(t, os.WriteFile("rehearsal/"+name+".tape", tape.Bytes(), 0o644))
}
