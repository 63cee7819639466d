package stack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"plaza/stack/child"
)

// Fault is what a FaultProxy does with requests. The zero Fault passes them on.
type Fault struct {
	// Kind is one of:
	//
	//	pass    passes the request on; also ""
	//	refuse  doesn't listen: refuses connections and closes open ones. Always for all requests
	//	drop    closes the connection; the request is not passed on
	//	hole    accepts the request and never responds, until another Fault is set; it is not passed on
	//	delay   passes the request on after Millis
	//	answer  responds with Status and Body of ContentType; the request is not passed on
	//	lose    passes the request on, waits for the whole response, and closes the connection instead;
	//	        with Status it responds with that instead of closing
	//	mute    like lose, but never responds, until another Fault is set
	//	cut     passes the request on, and sends the first half of the response as if it were all
	//	twice   passes the request on twice, one after the other, and sends the second response
	Kind string `json:"fault"`

	Millis      int    `json:"ms,omitempty"`
	Status      int    `json:"status,omitempty"` // for answer 503 when 0
	ContentType string `json:"type,omitempty"`
	Body        string `json:"body,omitempty"`

	// Which requests are affected: those for which all conditions hold.
	Share   float64 `json:"share,omitempty"`   // this share of them, above 0 and up to 1; 0 is all
	Times   int     `json:"times,omitempty"`   // this many requests, then all pass; 0 is no limit
	Writes  bool    `json:"writes,omitempty"`  // requests with a transaction (SQL) or a change (Redis)
	Holding string  `json:"holding,omitempty"` // requests whose body contains this text
}

// FaultCounts are the numbers of requests through a FaultProxy since its Fault was set.
type FaultCounts struct {
	Fault    Fault `json:"rule"`
	Requests int   `json:"requests"` // all requests
	Faulted  int   `json:"faulted"`  // those affected by the fault
	Open     int   `json:"open"`     // those in progress, including earlier ones
}

// FaultProxy is a proxy between a client and an HTTP server, and applies the Fault of Set to requests. It is for tests of failures of sqld,
// Redis or the network.
type FaultProxy struct {
	URL string

	target    *url.URL
	transport *http.Transport

	mu      sync.Mutex
	server  *http.Server // nil while connections are refused
	counts  FaultCounts
	changed chan struct{} // closed when another Fault is set
}

// maxFaultBody is the maximum size of a request, in bytes: sqld itself accepts less.
const maxFaultBody = 64 << 20

// StartFaultProxy returns a proxy on a free port of the loopback that passes everything on to target.
func StartFaultProxy(target string) (*FaultProxy, error) {
	to, err := url.Parse(target)
	if err != nil || to.Host == "" {
		return nil, fmt.Errorf("fault proxy: %q is not a URL with a host", target)
	}
	addr, err := child.FreeAddr()
	if err != nil {
		return nil, fmt.Errorf("fault proxy: %w", err)
	}
	p := &FaultProxy{URL: "http://" + addr, target: to, changed: make(chan struct{}),
		transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
	return p, p.listen()
}

// Set changes the Fault. Held requests end. It fails for an invalid Fault, and then changes nothing.
func (p *FaultProxy) Set(f Fault) error {
	switch f.Kind {
	case "":
		f.Kind = "pass"
	case "pass", "drop", "hole", "delay", "answer", "lose", "mute", "cut", "twice":
	case "refuse":
		if f.Share != 0 || f.Times != 0 || f.Writes || f.Holding != "" {
			return errors.New("fault proxy: refuse is for all requests")
		}
	default:
		return fmt.Errorf("fault proxy: unknown fault %q", f.Kind)
	}
	if f.Share < 0 || f.Share > 1 || f.Times < 0 || f.Millis < 0 || f.Status != 0 && (f.Status < 200 || f.Status > 599) {
		return errors.New("fault proxy: a number is out of its range")
	}
	p.mu.Lock()
	p.counts = FaultCounts{Fault: f, Open: p.counts.Open}
	close(p.changed)
	p.changed = make(chan struct{})
	server := p.server
	if f.Kind == "refuse" {
		p.server = nil
	}
	p.mu.Unlock()
	switch {
	case f.Kind == "refuse" && server != nil:
		return server.Close()
	case f.Kind != "refuse" && server == nil:
		return p.listen()
	}
	return nil
}

// Counts returns the numbers since Set.
func (p *FaultProxy) Counts() FaultCounts {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.counts
}

// Close ends the proxy and all requests.
func (p *FaultProxy) Close() error {
	err := p.Set(Fault{Kind: "refuse"})
	p.transport.CloseIdleConnections()
	return err
}

func (p *FaultProxy) listen() error {
	listener, err := net.Listen("tcp", p.URL[len("http://"):])
	if err != nil {
		return fmt.Errorf("fault proxy: %w", err)
	}
	server := &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}
	p.mu.Lock()
	p.server = server
	p.mu.Unlock()
	go func() { _ = server.Serve(listener) }()
	return nil
}

// meet returns the fault for a request, and counts the request.
func (p *FaultProxy) meet(body []byte) (Fault, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.counts
	c.Requests++
	c.Open++
	f := c.Fault
	if f.Kind == "" || f.Kind == "pass" || f.Times > 0 && c.Faulted >= f.Times ||
		f.Writes && !writes(body) || f.Holding != "" && !bytes.Contains(body, []byte(f.Holding)) ||
		f.Share > 0 && rand.Float64() >= f.Share {
		return Fault{Kind: "pass"}, p.changed
	}
	c.Faulted++
	return f, p.changed
}

// writeWords mark a request that may change something, and not only read. Hrana and the REST endpoint use JSON.
var writeWords = [][]byte{[]byte("BEGIN IMMEDIATE"), []byte("INSERT INTO "), []byte("UPDATE "), []byte("DELETE FROM "),
	[]byte(`"INCR`), []byte(`"SET"`), []byte(`"ZADD"`), []byte(`"ZREM`), []byte(`"DEL"`), []byte(`"EXPIRE"`), []byte(`"SADD"`),
	[]byte(`"SREM"`), []byte(`"PFADD"`), []byte(`"RENAMENX"`)}

func writes(body []byte) bool {
	for _, word := range writeWords {
		if bytes.Contains(body, word) {
			return true
		}
	}
	return false
}

func (p *FaultProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxFaultBody))
	if err != nil {
		panic(http.ErrAbortHandler) // closes the connection
	}
	f, changed := p.meet(body)
	defer func() {
		p.mu.Lock()
		p.counts.Open--
		p.mu.Unlock()
	}()
	switch f.Kind {
	case "drop":
		panic(http.ErrAbortHandler)
	case "hole":
		hold(r.Context(), changed)
	case "delay":
		select {
		case <-time.After(time.Duration(f.Millis) * time.Millisecond):
		case <-r.Context().Done():
			return
		}
	case "answer":
		if f.Status == 0 {
			f.Status = http.StatusServiceUnavailable
		}
		f.respond(w)
		return
	}
	ctx := r.Context()
	if f.Kind == "lose" || f.Kind == "mute" {
		ctx = context.WithoutCancel(ctx) // a request that has arrived is processed, even if its client is gone
	}
	if f.Kind == "twice" {
		_, _ = p.pass(ctx, r, body)
	}
	resp, response := p.pass(ctx, r, body)
	if f.Kind == "cut" {
		response = response[:len(response)/2]
		resp.Header.Del("Content-Length")
	}
	switch {
	case f.Kind == "mute":
		hold(r.Context(), changed)
	case f.Kind == "lose" && f.Status != 0:
		f.respond(w)
		return
	case f.Kind == "lose":
		panic(http.ErrAbortHandler)
	}
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	w.Header().Del("Transfer-Encoding")
	w.WriteHeader(resp.StatusCode)
	_, _ = w.Write(response)
}

// pass passes a request on and returns the whole response. Without one it closes the connection.
func (p *FaultProxy) pass(ctx context.Context, r *http.Request, body []byte) (*http.Response, []byte) {
	resp, err := p.transport.RoundTrip(p.request(ctx, r, body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer resp.Body.Close()
	response, err := io.ReadAll(resp.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return resp, response
}

// hold never responds: it waits until another fault is set or the client gives up, and closes the connection.
func hold(ctx context.Context, changed <-chan struct{}) {
	select {
	case <-changed:
	case <-ctx.Done():
	}
	panic(http.ErrAbortHandler)
}

func (f Fault) respond(w http.ResponseWriter) {
	if f.ContentType == "" {
		f.ContentType = "text/plain"
	}
	w.Header().Set("Content-Type", f.ContentType)
	w.WriteHeader(f.Status)
	_, _ = io.WriteString(w, f.Body)
}

// request returns r for the target.
func (p *FaultProxy) request(ctx context.Context, r *http.Request, body []byte) *http.Request {
	out := httputil.ProxyRequest{In: r, Out: r.Clone(ctx)}
	out.SetURL(p.target)
	out.Out.Host = "" // the target's
	out.Out.RequestURI = ""
	out.Out.Header.Del("Connection")
	out.Out.Body, out.Out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return out.Out
}
