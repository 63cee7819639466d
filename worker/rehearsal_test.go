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
	"plaza/data/hrana"
	"plaza/data/upstash"
	"plaza/stack/stacktest"
	"plaza/worker"
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
	s := openOn(t, sql, upstash.New(upstash.Options{URL: redis, Token: token}), 100)
	s.config.Secret = []byte(worker.RehearsalSecret)
	s.restart(s.config)
	ann, bob := s.member("ann"), s.member("bob")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/submit", "community", "gophers", "title", "Another post", "link", "https://go.dev/blog")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post about gophers", "text", "They dig. **A lot.**")
	post := targets(ann.page(address))[0]
	bob.mustPost("/comment", "post", post, "body", "A comment with a [link](https://go.dev).")
	comment := targets(ann.page(address))[1]
	ann.mustPost("/comment", "post", post, "parent", comment, "body", "An answer.")
	bob.mustPost("/vote", "target", post, "value", "1")
	s.deliver()
	for _, path := range []string{"/", "/c/gophers"} {
		ann.page(path)
	}
	s.deliver() // the hot sets are whole

	var tape bytes.Buffer
	s.config.DB = data.NewDB(hrana.New(hrana.Options{URL: database, HTTP: recorder{&tape, client, name == "json"}}))
	s.config.Redis = upstash.New(upstash.Options{URL: redis, Token: token, HTTP: recorder{tape: &tape, client: http.DefaultClient}})
	s.config.Source.Now = func() time.Time { return worker.RehearsalTime }
	s.config.Background = func(context.Context, func(context.Context)) {} // as in a rehearsal
	s.restart(s.config)
	for _, b := range []*browser{s.visitor(), bob} {
		for _, path := range []string{"/", "/c/gophers", address} {
			if b.cookie != "" && path == address {
				continue // it has a form with a random token, and a rehearsal has no random bytes
			}
			fmt.Fprintf(&tape, "page %s", path)
			if b.cookie != "" {
				fmt.Fprintf(&tape, " __Host-session=%s", b.cookie)
			}
			tape.WriteByte('\n')
			b.page(path)
		}
	}
	require.NoError(t, os.WriteFile("rehearsal/"+name+".tape", tape.Bytes(), 0o644))
}
