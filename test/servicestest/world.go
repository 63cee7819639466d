// Package servicestest imitates the parts of Cloudflare's, Turso's and Upstash's APIs that plaza setup uses, with state, for tests. Each
// refuses what the documentation says that the service refuses: a wrong token, a missing permission, a field that it does not know, a name
// that is taken, a thing that is not there. Lists come in small pages.
//
// Databases are real: each database of Turso is a sqld of the test. It takes only tokens that were made for it and have not expired. The
// services don't document the numbers and words of most errors, so those here may differ from the real ones.
package servicestest

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// World has the three services.
type World struct {
	t  testing.TB
	mu sync.Mutex

	Cloudflare Cloudflare
	Turso      Turso
	Upstash    Upstash

	// OnWrite is called after a request that changed something, before its answer is sent. If it returns false the answer is lost.
	OnWrite func(call string) bool
	// OnDatabase is called after each request to a database was carried out. If it returns false the answer is lost. It is set while no
	// request is under way.
	OnDatabase func() bool
	// Writes are the requests that changed something; databases' are not among them.
	Writes []string
	tokens []string
}

// NewWorld makes three empty accounts. openDatabase returns the address of an empty database that takes any request.
func NewWorld(t testing.TB, openDatabase func() string) *World {
	w := &World{t: t}
	w.Cloudflare.world, w.Turso.world, w.Upstash.world = w, w, w
	w.Cloudflare.open()
	w.Turso.open(openDatabase)
	w.Upstash.open()
	return w
}

// Token makes a secret that no output may have (Secrets).
func (w *World) Token(prefix string) string {
	b := make([]byte, 24)
	_, _ = rand.Read(b)
	token := prefix + base64.RawURLEncoding.EncodeToString(b)
	w.tokens = append(w.tokens, token)
	return token
}

// Secrets are all that the services have made or were given.
func (w *World) Secrets() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := append([]string{}, w.tokens...)
	for _, script := range w.Cloudflare.Scripts {
		for _, s := range script.Secrets {
			all = append(all, s.Values...)
		}
	}
	return all
}

// answer is what a service says.
type answer struct {
	status int
	body   any
}

// serve runs one service: each request alone, under the lock.
func (w *World) serve(handle func(r *http.Request, body []byte) answer) string {
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		w.mu.Lock()
		a := handle(r, body)
		kept := true
		if r.Method != http.MethodGet && a.status < 300 {
			call := r.Method + " " + r.URL.Path
			w.Writes = append(w.Writes, call)
			if w.OnWrite != nil {
				kept = w.OnWrite(call)
			}
		}
		w.mu.Unlock()
		if !kept {
			panic(http.ErrAbortHandler)
		}
		out.Header().Set("Content-Type", "application/json")
		out.WriteHeader(a.status)
		_ = json.NewEncoder(out).Encode(a.body)
	}))
	w.t.Cleanup(server.Close)
	return server.URL
}

// parse reads a body that may have no other fields than a value has.
func parse(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
