package hrana_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/pace/deadline"
	"plaza/data/wire/breaker"
	"plaza/data/wire/hrana"
)

// one is the response to one statement.
const one = `{"results":[{"type":"ok","response":{"type":"batch","result":{"step_results":[{"cols":[],"rows":[]}],"step_errors":[null]}}}` +
	`,{"type":"ok","response":{"type":"close"}}]}`

// committed is the response to a transaction of one statement.
const committed = `{"results":[{"type":"ok","response":{"type":"batch","result":{"step_results":[{"cols":[],"rows":[]},{"cols":[],` +
	`"rows":[]},{"cols":[],"rows":[]},null],"step_errors":[null,null,null,null]}}},{"type":"ok","response":{"type":"close"}}]}`

// troubled is a database with faults that a test switches on and off.
type troubled struct {
	*testing.T
	client *hrana.Client
	does   func(*http.Request) (*http.Response, error) // nil responds
	mu     sync.Mutex
	asked  int
}

func hangs(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func refuses(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") }

// inBubble runs a test with its own clock.
func inBubble(t *testing.T, name string, test func(*troubled)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d := &troubled{T: t}
			d.client = hrana.New(hrana.Options{URL: "http://h", Rand: d.random(1, 2), HTTP: transport(func(r *http.Request) (*http.Response, error) {
				d.mu.Lock()
				d.asked++
				does := d.does
				d.mu.Unlock()
				if does != nil {
					return does(r)
				}
				if r.ContentLength > 200 {
					return says(committed)
				}
				return says(one)
			})})
			test(d)
		})
	})
}

// from now on the database has that fault.
func (d *troubled) from(does func(*http.Request) (*http.Response, error)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.does = does
}

// random is jitter that is the same in every run of the test.
func (d *troubled) random(seed1, seed2 uint64) func() float64 {
	r := rand.New(rand.NewPCG(seed1, seed2))
	return func() float64 {
		d.mu.Lock()
		defer d.mu.Unlock()
		return r.Float64()
	}
}

func (d *troubled) read(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	_, err := d.client.Query(ctx, sql("SELECT 1"))
	return time.Since(began), err
}

func (d *troubled) write(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	_, err := d.client.Tx(ctx, sql("DELETE FROM a table with a rather long name, by which a transaction is told from a query"))
	return time.Since(began), err
}

func (d *troubled) request() context.Context { return deadline.ForRequest(d.Context()) }

func TestTime(t *testing.T) {
	inBubble(t, "a write that hangs leaves the request time to answer", func(d *troubled) {
		d.from(hangs)
		ctx := d.request()
		took, err := d.write(ctx)
		require.True(d, hrana.IsUnavailable(err))
		assert.Equal(d, 1, d.asked)
		assert.LessOrEqual(d, took, 6500*time.Millisecond)
		_, err = d.read(ctx)
		require.Error(d, err)
		assert.GreaterOrEqual(d, deadline.Remaining(ctx, time.Hour), time.Duration(0))
	})
	inBubble(t, "a read that hangs is tried once more", func(d *troubled) {
		d.from(func(r *http.Request) (*http.Response, error) {
			if d.asked == 1 {
				return hangs(r)
			}
			return says(one)
		})
		took, err := d.read(d.request())
		require.NoError(d, err)
		assert.Less(d, took, 3*time.Second)
	})
	inBubble(t, "a read that hangs for good ends before its request does", func(d *troubled) {
		d.from(hangs)
		took, err := d.read(d.request())
		require.True(d, hrana.IsUnavailable(err))
		assert.Less(d, took, 6*time.Second)
		assert.Equal(d, 2, d.asked)
	})
	inBubble(t, "no call is made when no time is left", func(d *troubled) {
		ctx := d.request()
		time.Sleep(deadline.Request)
		for _, call := range []func(context.Context) (time.Duration, error){d.read, d.write} {
			took, err := call(ctx)
			require.ErrorIs(d, err, deadline.Late{})
			require.True(d, hrana.IsUnavailable(err))
			assert.Zero(d, took)
		}
		assert.Zero(d, d.asked)
	})
	inBubble(t, "a database that is unavailable for five seconds costs those who ask five seconds", func(d *troubled) {
		d.from(refuses)
		time.AfterFunc(5*time.Second, func() { d.from(nil) })
		took, err := d.write(d.request())
		require.NoError(d, err)
		assert.Less(d, took, 6100*time.Millisecond)
		assert.Less(d, d.asked, 20)
	})
	inBubble(t, "a database that is unavailable for long is asked once by each", func(d *troubled) {
		d.from(refuses)
		for {
			if took, err := d.read(d.request()); took < time.Second {
				require.Error(d, err)
				break
			}
		}
		d.asked = 0
		for range 10 {
			took, err := d.write(d.request())
			require.True(d, hrana.IsUnavailable(err))
			assert.Zero(d, took)
		}
		assert.Equal(d, 10, d.asked)
		d.from(nil)
		_, err := d.read(d.request())
		require.NoError(d, err)
		d.from(refuses)
		time.AfterFunc(time.Second, func() { d.from(nil) })
		_, err = d.read(d.request())
		require.NoError(d, err, "the next time it is waited for again")
	})
	inBubble(t, "a database that hangs is left alone for a while", func(d *troubled) {
		d.from(hangs)
		for range 2 {
			_, err := d.read(d.request())
			require.Error(d, err)
		}
		d.asked = 0
		for range 10 {
			for _, call := range []func(context.Context) (time.Duration, error){d.read, d.write} {
				took, err := call(d.request())
				require.True(d, hrana.IsUnavailable(err))
				assert.Zero(d, took)
			}
		}
		assert.Zero(d, d.asked)
		d.from(nil)
		time.Sleep(breaker.Pause)
		for range 3 {
			_, err := d.read(d.request())
			require.NoError(d, err)
			_, err = d.write(d.request())
			require.NoError(d, err)
		}
	})
	inBubble(t, "a writer that is stuck keeps nobody from reading", func(d *troubled) {
		d.from(func(r *http.Request) (*http.Response, error) {
			if r.ContentLength > 200 {
				return hangs(r)
			}
			return says(one)
		})
		for range 2 {
			_, err := d.write(d.request())
			require.Error(d, err)
			_, err = d.read(d.request())
			require.NoError(d, err)
		}
		took, err := d.write(d.request())
		require.Error(d, err)
		assert.Zero(d, took)
		_, err = d.read(d.request())
		require.NoError(d, err)
	})
	inBubble(t, "where nobody waits a try has more time, and hangs once", func(d *troubled) {
		d.from(hangs)
		for _, call := range []func(context.Context) (time.Duration, error){d.read, d.write} {
			took, err := call(deadline.ForWork(d.Context(), deadline.Batch))
			require.Error(d, err)
			assert.Equal(d, 10*time.Second, took)
		}
		assert.Equal(d, 2, d.asked)
	})
	inBubble(t, "a read has as much time as options say, within that of its request", func(d *troubled) {
		for options, want := range map[time.Duration]time.Duration{5 * time.Second: 5 * time.Second, time.Hour: deadline.Request} {
			d.client = hrana.New(hrana.Options{URL: "http://h", HTTP: transport(func(r *http.Request) (*http.Response, error) {
				began := time.Now()
				defer func() { assert.Equal(d, want, time.Since(began)) }()
				return hangs(r)
			}), ReadTime: options, Attempts: 1})
			_, err := d.read(d.request())
			require.Error(d, err)
		}
	})
	inBubble(t, "a command has as much time as it asks for", func(d *troubled) {
		d.client = hrana.New(hrana.Options{URL: "http://h", HTTP: transport(hangs), WorkTime: time.Hour})
		took, err := d.write(d.Context())
		require.Error(d, err)
		assert.Equal(d, time.Hour, took)
	})
}

func TestAProxyThatRestarts(t *testing.T) {
	page := "<!doctype html><h1>502 Bad Gateway</h1>"
	for name, response := range map[string]func() *http.Response{
		"a page instead of an answer": func() *http.Response { return respond(200, page) },
		"a page by its type": func() *http.Response {
			r := respond(200, "Please wait")
			r.Header.Set("Content-Type", "text/html; charset=utf-8")
			return r
		},
		"a page of status 500": func() *http.Response { return respond(500, page) },
		"a page of status 403": func() *http.Response { return respond(403, page) },
		"nothing at all there": func() *http.Response { return respond(404, "404 page not found\n") },
	} {
		inBubble(t, name+" is waited out", func(d *troubled) {
			d.from(func(*http.Request) (*http.Response, error) { return response(), nil })
			time.AfterFunc(2*time.Second, func() { d.from(nil) })
			_, err := d.read(d.request())
			require.NoError(d, err)
			_, err = d.write(d.request())
			require.NoError(d, err)
		})
	}
}

func TestWritersAreFew(t *testing.T) {
	inBubble(t, "of many writers one is under way at a time, and all have their turn", func(d *troubled) {
		var under, most atomic.Int64
		d.from(func(r *http.Request) (*http.Response, error) {
			most.Store(max(most.Load(), under.Add(1)))
			defer under.Add(-1)
			time.Sleep(10 * time.Millisecond)
			if under.Load() > 1 {
				return hangs(r)
			}
			return says(committed)
		})
		var all sync.WaitGroup
		for range 160 {
			all.Go(func() {
				_, err := d.write(d.request())
				assert.NoError(d, err)
			})
		}
		all.Wait()
		assert.EqualValues(d, 1, most.Load())
	})
	inBubble(t, "a writer that is stuck lets nobody wait for longer than a request may last", func(d *troubled) {
		d.from(hangs)
		var all sync.WaitGroup
		for range 32 {
			all.Go(func() {
				ctx := d.request()
				_, err := d.write(ctx)
				assert.True(d, hrana.IsUnavailable(err))
				assert.GreaterOrEqual(d, deadline.Remaining(ctx, time.Hour), time.Second)
			})
		}
		all.Wait()
	})
}
