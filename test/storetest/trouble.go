package storetest

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
)

// Fault is what happens to one request.
type Fault int

const (
	pass Fault = iota
	Drop       // it never arrives
	busy       // it is turned away with a 503
	Lose       // it is carried out, and the answer gets lost
)

// Trouble is the faults of the requests of one call. The n-th request to a host gets Plan[n]. Requests after the plan succeed.
type Trouble struct {
	Plan []Fault
	Hook func() // runs before each request, as another process would

	mu   sync.Mutex
	met  hosts // requests so far
	done hosts // requests that were carried out
}

// hosts counts requests by their host.
type hosts map[string]int

func (h *hosts) count(host string) (before int) {
	if *h == nil {
		*h = hosts{}
	}
	(*h)[host]++
	return (*h)[host] - 1
}

func (t *Trouble) next(host string) (f Fault) {
	if t == nil {
		return pass
	}
	if t.Hook != nil {
		t.Hook()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := t.met.count(host); n < len(t.Plan) {
		f = t.Plan[n]
	}
	return f
}

// Reached returns how many requests to a host were carried out.
func (t *Trouble) Reached(host string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.done[host]
}

// lineName names a server. It is the key of the server's Trouble in a context.
type lineName string

const (
	ToSQL   lineName = "sqld"
	ToRedis lineName = "Redis"
)

func With(ctx context.Context, name lineName, t *Trouble) context.Context {
	return context.WithValue(ctx, name, t)
}

// Line is a Doer for a server that applies the Trouble of the request's context.
type Line struct {
	Name lineName
	Http interface {
		Do(*http.Request) (*http.Response, error)
	}
}

var ErrLine = errors.New("the line is dead")

func (l Line) Do(r *http.Request) (*http.Response, error) {
	t, _ := r.Context().Value(l.Name).(*Trouble)
	f := t.next(r.URL.Host)
	switch f {
	case Drop:
		return nil, ErrLine
	case busy:
		return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: io.NopCloser(strings.NewReader("busy")), Request: r}, nil
	}
	res, err := l.Http.Do(r)
	if err != nil {
		return nil, err
	}
	// At the end of the response the server has done all of the request.
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil {
		return nil, err
	}
	if t != nil {
		t.mu.Lock()
		t.done.count(r.URL.Host)
		t.mu.Unlock()
	}
	if f == Lose {
		return nil, ErrLine
	}
	res.Body, res.ContentLength = io.NopCloser(strings.NewReader(string(body))), int64(len(body))
	return res, nil
}

// RandomTrouble is none for most calls, else something that retries overcome, something
// that outlasts them all (a crash before or after the commit), or a mixture.
func RandomTrouble(rng *rand.Rand, chance float64) *Trouble {
	t := &Trouble{}
	if rng.Float64() >= chance {
		return t
	}
	kind := Fault(1 + rng.IntN(3))
	switch rng.IntN(3) {
	case 0:
		t.Plan = []Fault{kind}
	case 1:
		t.Plan = []Fault{kind, kind, kind, kind, kind, kind, kind, kind}
	default:
		for range 1 + rng.IntN(6) {
			t.Plan = append(t.Plan, Fault(rng.IntN(4)))
		}
	}
	return t
}
