//go:build js && wasm

package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"plaza/worker/edge/setup"
	"plaza/worker/queue"
)

// doom ends the program at one of the site's calls to a database, Redis, a queue or another site, for e2e/faults: before the call is made,
// or when its answer has come. The instance that follows has none.
type doom struct {
	at    int // the number of the call; 0: never
	after bool
	calls int
}

// set has the program end at a later call: /__test/die?at=3&after=1.
func (d *doom) set(w http.ResponseWriter, r *http.Request) {
	*d = doom{after: r.URL.Query().Has("after")}
	_, _ = fmt.Sscan(r.URL.Query().Get("at"), &d.at)
	fmt.Fprint(w, d.at)
}

// begin and end are around each call.
func (d *doom) begin() (end func()) {
	d.calls++
	dies := d.calls == d.at
	if dies && !d.after {
		os.Exit(3)
	}
	return func() {
		if dies {
			os.Exit(3)
		}
	}
}

// doomedClient is a client of the site.
type doomedClient struct {
	setup.Client
	doom *doom
}

func (c doomedClient) Do(r *http.Request) (*http.Response, error) {
	defer c.doom.begin()()
	return c.Client.Do(r)
}

func (c doomedClient) RoundTrip(r *http.Request) (*http.Response, error) {
	defer c.doom.begin()()
	return c.Client.RoundTrip(r)
}

// doomedQueue are the site's queues.
type doomedQueue struct {
	queue.Queue
	doom *doom
}

func (q doomedQueue) Send(ctx context.Context, name string, bodies ...string) error {
	defer q.doom.begin()()
	return q.Queue.Send(ctx, name, bodies...)
}

// doomedSite is the site itself, beside /__test/die.
type doomedSite struct {
	setup.App
	doom *doom
}

func (s doomedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/__test/die" {
		s.doom.set(w, r)
		return
	}
	s.App.ServeHTTP(w, r)
}

// newDoomedSite makes the site, whose instances can be told when to die.
func newDoomedSite(env setup.Environment) (setup.App, error) {
	d := &doom{}
	env.Client, env.Queue = doomedClient{env.Client, d}, doomedQueue{env.Queue, d}
	a, err := setup.New(env)
	if err != nil {
		return nil, err
	}
	return doomedSite{a, d}, nil
}
