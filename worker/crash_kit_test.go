package worker_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/worker"
)

// fate ends an instance at one of its calls to a database, Redis, a queue or another site: from then on nothing of it goes on. What waits
// for such a call waits forever, as if the instance were not there any more.
type fate struct {
	at    int  // the number of the call, from 1 on; 0: it lives
	after bool // the call is made, and only its answer is lost

	mu    sync.Mutex
	calls int
	sent  map[string][]string // messages, by queue
	over  chan struct{}
	died  bool
}

// step makes a call, unless the instance is not there any more.
func (f *fate) step(call func()) {
	f.mu.Lock()
	f.calls++
	last := f.calls == f.at
	if f.died || last && !f.after {
		f.die()
	}
	f.mu.Unlock()
	call()
	f.mu.Lock()
	if f.died || last {
		f.die()
	}
	f.mu.Unlock()
}

// die ends the instance, and with it the goroutine that calls. The mutex is locked.
func (f *fate) die() {
	if !f.died {
		f.died = true
		close(f.over)
	}
	f.mu.Unlock()
	select {}
}

// live does something with the instance, and returns when that is done or the instance is dead. It reports whether it lives.
func (f *fate) live(do func()) bool {
	done := make(chan struct{})
	go func() {
		do()
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-f.over:
		return false
	}
}

// way is a client whose calls are of the instance.
type way struct {
	fate *fate
	http interface {
		Do(*http.Request) (*http.Response, error)
	}
}

func (w way) Do(r *http.Request) (res *http.Response, err error) {
	w.fate.step(func() { res, err = w.http.Do(r) })
	return res, err
}

// fatedQueue is a queue whose calls are of the instance.
type fatedQueue struct {
	fate *fate
	*workertest.MemoryQueue
}

func (q fatedQueue) Send(ctx context.Context, queue string, bodies ...string) (err error) {
	q.fate.step(func() {
		err = q.MemoryQueue.Send(ctx, queue, bodies...)
		q.fate.mu.Lock()
		q.fate.sent[queue] = append(q.fate.sent[queue], bodies...)
		q.fate.mu.Unlock()
	})
	return err
}

// mortalSite is a site whose instances can die.
type mortalSite struct {
	*workertest.Site
	config    worker.Config // of an instance that lives
	databases []func(*fate) *hrana.Client
	redis     func(*fate) *upstash.Client
	fate      *fate
}

func openMortal(t *testing.T) *mortalSite {
	t.Helper()
	return openMortalOn(t, stacktest.Shards(t))
}

// openMortalOn is openMortal with n shards.
func openMortalOn(t *testing.T, n int) *mortalSite {
	t.Helper()
	m := &mortalSite{}
	var all []*hrana.Client
	for range n + min(n-1, 1) { // of several shards, none is the directory
		url, client := stacktest.OpenSchemaDB(t)
		all = append(all, hrana.New(hrana.Options{URL: url, HTTP: client}))
		m.databases = append(m.databases, func(f *fate) *hrana.Client {
			return hrana.New(hrana.Options{URL: url, HTTP: way{f, client}, ReadTime: stacktest.ReadTime})
		})
	}
	url, token := stacktest.OpenRedisURL(t)
	m.redis = func(f *fate) *upstash.Client {
		return upstash.New(upstash.Options{URL: url, Token: token, HTTP: way{f, http.DefaultClient}, Limit: 10 * time.Second})
	}
	m.Site = workertest.OpenSite(t, storetest.DatabasesOf(t, all[0], all[min(n-1, 1):]...),
		upstash.New(upstash.Options{URL: url, Token: token, Limit: 10 * time.Second}), 100)
	m.config = m.Site.Config
	return m
}

// instance starts another instance of the site, with this fate.
func (m *mortalSite) instance(f *fate) {
	m.Helper()
	m.fate = f
	f.over, f.sent = make(chan struct{}), map[string][]string{}
	var all []*hrana.Client
	for _, database := range m.databases {
		all = append(all, database(f))
	}
	c := m.config
	c.DB = data.NewDB(all[0], all[min(len(all)-1, 1):]...)
	c.Redis, c.Queue, c.Web = m.redis(f), fatedQueue{f, m.Queue}, way{f, m.Web}
	m.Restart(c)
}

// consume hands the queues' messages to their consumers, until there are none.
func (m *mortalSite) consume() {
	for {
		n := 0
		for _, queue := range []string{data.QueueVotes, data.QueueEvents} {
			messages := m.Queue.Take(queue)
			if n += len(messages); len(messages) > 0 {
				_, _ = m.App.Consume(context.Background(), queue, messages) // what fails, the retry job does
			}
		}
		if n == 0 {
			return
		}
	}
}

// crashing is something that instances do, and die of.
type crashing struct {
	prepare func(n int) // what has to be there, for the n-th of them
	do      func(n int)
	after   bool // see fate
	lose    bool // the messages that were sent are lost; otherwise all are delivered again, later
	alone   bool // they don't die in the consumers of these messages
}

// crashes has one instance after the other do something, each dying at a later call than the one before, until one lives to the end. It
// returns the number of that one.
func (m *mortalSite) crashes(c crashing) int {
	m.Helper()
	later := map[string][]string{}
	for n, at := 1, 1; n < 1000; n, at = n+1, at+1 {
		m.instance(&fate{})
		c.prepare(n)
		m.instance(&fate{at: at, after: c.after})
		alive := m.fate.live(func() {
			c.do(n)
			m.consume()
		})
		m.Queue.Take(data.QueueVotes)
		m.Queue.Take(data.QueueEvents)
		if alive {
			m.instance(&fate{})
			for queue, bodies := range later {
				_ = m.Queue.Send(context.Background(), queue, bodies...)
			}
			return n
		}
		m.fate.mu.Lock()
		for queue, bodies := range m.fate.sent {
			if !c.lose {
				later[queue] = slices.Concat(later[queue], bodies)
			}
		}
		if c.alone && len(m.fate.sent) == 2 {
			at = -1 // the next one lives
		}
		m.fate.mu.Unlock()
	}
	m.Fatal("it never gets to the end")
	return 0
}
