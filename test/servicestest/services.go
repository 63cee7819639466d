// Package servicestest imitates Turso's API for tests, with state, and serves what tests of plaza setup imitate.
// It refuses what the documentation says that the service refuses: a wrong token, a field that it does not know, a name that is taken, a
// thing that is not there. The services don't document the numbers and words of most errors, so those here may differ from the real ones.
//
// Databases are real: each database of Turso is a namespace of the package's sqld. It takes only tokens that were made for it.
package servicestest

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Services has the services of a test.
type Services struct {
	sync.Mutex // held while a service works on a request
	t          testing.TB
	tokens     []string

	Turso Turso
	// OnWrite is called after a request that changed something, before its answer is sent. If it returns false the answer is lost.
	OnWrite func(call string) bool
	// OnDatabase is called after each request to a database was carried out. If it returns false the answer is lost. It is set while no
	// request is under way.
	OnDatabase func() bool
	// Writes are the requests that changed something; databases' are not among them.
	Writes []string
}

// Response is what a service says, as JSON.
type Response struct {
	Status int
	Body   any
}

// Object is one of JSON.
type Object = map[string]any

// NewServices has an empty organization at Turso.
func NewServices(t testing.TB) *Services {
	w := &Services{t: t}
	w.Turso = Turso{services: w, Token: w.Token("turso_"), Organization: "example", Databases: map[string]*Database{}}
	w.Turso.URL = w.Serve(w.Turso.handle)
	return w
}

// Token makes a secret that no output may have (Tokens).
func (w *Services) Token(prefix string) string {
	w.tokens = append(w.tokens, prefix+rand.Text())
	return w.tokens[len(w.tokens)-1]
}

// Tokens are all that Token has made.
func (w *Services) Tokens() []string {
	w.Lock()
	defer w.Unlock()
	return slices.Clone(w.tokens)
}

// Serve runs a service until the end of the test, and returns its address. It works on one request at a time.
func (w *Services) Serve(handle func(r *http.Request, body []byte) Response) (url string) {
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		a, kept := w.carryOut(r, func() Response { return handle(r, body) })
		if !kept {
			panic(http.ErrAbortHandler)
		}
		out.Header().Set("Content-Type", "application/json")
		out.WriteHeader(a.Status)
		_ = json.NewEncoder(out).Encode(a.Body)
	}))
	w.t.Cleanup(server.Close)
	return server.URL
}

func (w *Services) carryOut(r *http.Request, handle func() Response) (a Response, kept bool) {
	w.Lock()
	defer w.Unlock()
	a = handle()
	if r.Method == http.MethodGet || a.Status >= 300 {
		return a, true
	}
	call := r.Method + " " + r.URL.Path
	w.Writes = append(w.Writes, call)
	return a, w.OnWrite == nil || w.OnWrite(call)
}

// Parse reads a body that may have no other fields than a value has.
func Parse(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// Right is the answer to a request that was carried out.
func Right(body any) Response { return Response{200, body} }

// Wrong is an answer that says what is wrong, as Turso and Upstash do.
func Wrong(status int, message string) Response { return Response{status, Object{"error": message}} }
