package worker_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
)

// loss is what becomes of the call at which a shard goes away, and of all later ones.
type loss int

const (
	refused loss = iota // it never arrives
	lost                // it is carried out, and its answer gets lost
	hangs               // it gets no answer, and is carried out when the shard is back
	stalls              // it gets no answer as long as its sender waits
)

// outage is the way to a shard that fails at one of its calls.
type outage struct {
	http interface {
		Do(*http.Request) (*http.Response, error)
	}
	mu          sync.Mutex
	at          int // the number of that call, from 1 on; 0: it stays
	how         loss
	n           int
	unavailable bool
	delayed     []*http.Request
}

// tooLate is the error of a call whose time is over.
type tooLate struct{}

func (tooLate) Error() string { return "no answer" }
func (tooLate) Timeout() bool { return true }

func (o *outage) Do(r *http.Request) (*http.Response, error) {
	body := []byte{}
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	again := r.Clone(context.WithoutCancel(r.Context()))
	again.Body = io.NopCloser(bytes.NewReader(body))
	r.Body = io.NopCloser(bytes.NewReader(body))
	o.mu.Lock()
	o.n++
	first := o.at != 0 && o.n == o.at
	o.unavailable = o.unavailable || first
	unavailable, how := o.unavailable, o.how
	if unavailable && how == hangs {
		o.delayed = append(o.delayed, again)
	}
	o.mu.Unlock()
	switch {
	case !unavailable:
		return o.http.Do(r)
	case how == stalls:
		<-r.Context().Done()
		return nil, r.Context().Err()
	case how == hangs:
		return nil, tooLate{}
	case how == lost && first:
		if res, err := o.http.Do(r); err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
	}
	return nil, storetest.ErrCut
}

// failsAtCall has the shard fail at its n-th call from now on; 0 is never.
func (o *outage) failsAtCall(n int, how loss) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.at, o.how, o.n, o.unavailable = n, how, 0, false
}

func (o *outage) isUnavailable() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.unavailable
}

// calls is how often the shard was called since leaves.
func (o *outage) calls() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.n
}

// returns has the shard answer again, and carry out what it was asked meanwhile, the last first.
func (o *outage) returns() {
	o.mu.Lock()
	delayed := o.delayed
	o.at, o.unavailable, o.delayed = 0, false, nil
	o.mu.Unlock()
	for i := len(delayed) - 1; i >= 0; i-- {
		if res, err := o.http.Do(delayed[i]); err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
	}
}

// outageSite is a site with a directory and three shards, of which the first can be unavailable, and so can the directory.
type outageSite struct {
	*workertest.Site
	directory *outage
	shard     *outage
	chosen    uint32 // the shard of what is founded
	urls      []string
	ways      []hrana.Doer
	sleep     deadline.SleepFunc // between attempts
}

func noSleep(context.Context, time.Duration) error { return nil }

func openOutage(t *testing.T) *outageSite {
	t.Helper()
	a := &outageSite{sleep: noSleep}
	var clean []*hrana.Client
	redis, token := stacktest.OpenRedisURL(t)
	for n := range 4 {
		url, _ := stacktest.OpenSchemaDB(t)
		client := stacktest.Apart()
		clean = append(clean, hrana.New(hrana.Options{URL: url, HTTP: client}))
		a.urls, a.ways = append(a.urls, url), append(a.ways, client)
		switch n {
		case 0:
			a.directory = &outage{http: client}
			a.ways[n] = a.directory
		case 1:
			a.shard = &outage{http: client}
			a.ways[n] = a.shard
		}
	}
	a.Site = workertest.OpenSite(t, storetest.DatabasesOf(t, clean[0], clean[1:]...),
		upstash.New(upstash.Options{URL: redis, Token: token, HTTP: stacktest.Apart(), Limit: deadline.Request}), 10000)
	chance := a.Config.Source.Rand
	a.Config.Source.Rand = func() uint32 {
		if a.chosen < 3 {
			return a.chosen
		}
		return chance()
	}
	a.instance()
	return a
}

// bubble does something with another instance in a bubble of testing/synctest: its clock goes on when nobody waits for a server but for one
// that hangs. So times are exact, and nobody waits for them.
func (a *outageSite) bubble(t *testing.T, do func(t *testing.T)) {
	t.Helper()
	outside := a.T
	a.sleep = deadline.DefaultSleep
	defer func() { a.T, a.sleep = outside, noSleep }()
	synctest.Test(t, func(t *testing.T) {
		a.T = t
		a.instance()
		do(t)
	})
}

// run is t.Run in a bubble: no shard is missed because a machine with much to do is slow.
func (a *outageSite) run(t *testing.T, name string, do func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { a.bubble(t, do) })
}

// instance starts another instance, which knows nothing of how the databases were.
func (a *outageSite) instance() {
	a.Helper()
	var clients []*hrana.Client
	for i, url := range a.urls {
		clients = append(clients, hrana.New(hrana.Options{URL: url, HTTP: a.ways[i], Sleep: a.sleep, Attempts: 2}))
	}
	a.Config.DB = data.NewDB(clients[0], clients[1:]...)
	a.Restart(a.Config)
}

// minute lets a minute pass, with the job and the queues. While a shard is unavailable, some of that fails.
func (a *outageSite) minute() {
	a.Helper()
	a.Now = a.Now.Add(time.Minute + time.Second)
	_ = a.App.Scheduled(context.Background(), a.Now)
	a.consume()
}

// consume hands the queues' messages to their consumers.
func (a *outageSite) consume() {
	for _, queue := range []string{"plaza-votes", "plaza-events"} {
		_, _ = a.App.Consume(context.Background(), queue, a.Queue.Take(queue))
	}
}

// recoverShard lets the shard come back, and time pass until no work is left but what is due weeks from now, as the words of what authors
// delete.
func (a *outageSite) recoverShard() {
	a.Helper()
	due := fmt.Sprintf("FROM outbox WHERE due_at < %d", a.Now.Add(24*time.Hour).UnixMilli())
	a.shard.returns()
	a.instance()
	a.consume()
	for range 10 {
		if len(a.Sql.RowsOfAll("SELECT 1 "+due)) == 0 {
			return
		}
		a.minute()
	}
	require.Fail(a, "work is left", "%v", a.Sql.RowsOfAll("SELECT job, subject_id, attempts "+due))
}
