package data_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
)

// fault is what the network does to one request.
type fault int

const (
	pass fault = iota
	drop       // it never arrives
	busy       // it is turned away with a 503
	lose       // it is carried out, and the answer gets lost
)

// trouble is what lies ahead of the requests of one call: of those to one host, the
// n-th meets plan[n]. When the plan is over, all is well again.
type trouble struct {
	plan []fault
	hook func() // runs before each request, as another process would

	mu   sync.Mutex
	met  map[string]int // requests to a host so far
	done int            // requests that were carried out
}

func (t *trouble) next(host string) (f fault) {
	if t == nil {
		return pass
	}
	if t.hook != nil {
		t.hook()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := t.met[host]; n < len(t.plan) {
		f = t.plan[n]
	}
	if t.met == nil {
		t.met = map[string]int{}
	}
	t.met[host]++
	return f
}

func (t *trouble) carriedOut() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done++
}

// reached is how many requests were carried out.
func (t *trouble) reached() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.done
}

// lineName is a server that trouble concerns, and the key of its trouble in a context.
type lineName string

const (
	toSQL   lineName = "sqld"
	toRedis lineName = "Redis"
)

func with(ctx context.Context, name lineName, t *trouble) context.Context {
	return context.WithValue(ctx, name, t)
}

// line is the way to a server: a Doer that meets the trouble of the request's context.
type line struct {
	name lineName
	http interface {
		Do(*http.Request) (*http.Response, error)
	}
}

var errLine = errors.New("the line is dead")

func (l line) Do(r *http.Request) (*http.Response, error) {
	t, _ := r.Context().Value(l.name).(*trouble)
	f := t.next(r.URL.Host)
	switch f {
	case drop:
		return nil, errLine
	case busy:
		return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: io.NopCloser(strings.NewReader("busy")), Request: r}, nil
	}
	res, err := l.http.Do(r)
	if err != nil {
		return nil, err
	}
	// The answer is there once its end is: from then on the server has done all of it.
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil {
		return nil, err
	}
	t.carriedOut()
	if f == lose {
		return nil, errLine
	}
	res.Body, res.ContentLength = io.NopCloser(strings.NewReader(string(body))), int64(len(body))
	return res, nil
}

// randomTrouble is none for most calls, else something that retries overcome, something
// that outlasts them all (a crash before or after the commit), or a mixture.
func randomTrouble(rng *rand.Rand, chance float64) *trouble {
	t := &trouble{}
	if rng.Float64() >= chance {
		return t
	}
	kind := fault(1 + rng.IntN(3))
	switch rng.IntN(3) {
	case 0:
		t.plan = []fault{kind}
	case 1:
		t.plan = []fault{kind, kind, kind, kind, kind, kind, kind, kind}
	default:
		for range 1 + rng.IntN(6) {
			t.plan = append(t.plan, fault(rng.IntN(4)))
		}
	}
	return t
}
