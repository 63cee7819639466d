package workertest

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// fakeWeb is the public internet. One local server answers for all hosts that it knows, and keeps the requests.
type fakeWeb struct {
	mu      sync.Mutex
	Asked   []*http.Request
	dialed  []string                    // hosts
	handler map[string]http.HandlerFunc // by host
	server  *http.Transport
}

func NewWeb(t *testing.T) *fakeWeb {
	w := &fakeWeb{handler: map[string]http.HandlerFunc{}}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		handler := w.handler[r.Host]
		w.mu.Unlock()
		if handler == nil {
			http.NotFound(rw, r)
			return
		}
		handler(rw, r)
	}))
	t.Cleanup(server.Close)
	dialer := &net.Dialer{}
	w.server = &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			w.mu.Lock()
			host, _, _ := net.SplitHostPort(address)
			w.dialed = append(w.dialed, host)
			w.mu.Unlock()
			return dialer.DialContext(ctx, network, server.Listener.Addr().String())
		},
		DisableKeepAlives: true,
	}
	return w
}

// Do sends a request, whatever its scheme, without TLS. It waits for the answer without a limit (deadline.Limit), because a machine that
// does much else takes longer than one: tests look at the limit of a request in Asked.
func (w *fakeWeb) Do(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.Asked = append(w.Asked, r)
	w.mu.Unlock()
	plain := r.Clone(r.Context())
	plain.URL.Scheme = "http"
	return w.server.RoundTrip(plain)
}

// On sets how a host answers.
func (w *fakeWeb) On(host string, handler http.HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.handler[host] = handler
}

// Page makes a host answer every address with HTML.
func (w *fakeWeb) Page(host, html string) {
	w.On(host, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(rw, html)
	})
}

// Redirect makes a host redirect every address.
func (w *fakeWeb) Redirect(host string, status int, to string) {
	w.On(host, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header()["Location"] = []string{to}
		rw.WriteHeader(status)
	})
}

// Addresses returns the URLs that were requested, in order.
func (w *fakeWeb) Addresses() (all []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.Asked {
		all = append(all, r.URL.String())
	}
	return all
}

// Forget forgets what was asked.
func (w *fakeWeb) Forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.Asked, w.dialed = nil, nil
}

// Hosts returns the hosts that were dialled.
func (w *fakeWeb) Hosts() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.dialed)
}

const TinyGIF = "GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x00;"

// File makes a host answer with bytes of some type.
func (w *fakeWeb) File(host, kind, body string) {
	w.On(host, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header()["Content-Type"] = []string{kind}
		rw.Header().Set("Set-Cookie", "x=1")
		rw.Header().Set("X-Other", "1")
		_, _ = io.WriteString(rw, body)
	})
}
