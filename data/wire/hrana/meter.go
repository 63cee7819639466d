package hrana

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"plaza/data/pace/stopwatch"
)

// Meter counts the costs of the calls made with a context. It is safe for concurrent use.
type Meter struct {
	requests, rowsRead, rowsWritten, retries, took atomic.Int64
	replicas                                       [3]atomic.Int64
	waits                                          stopwatch.Stopwatch
	outer                                          *Meter
}

// Requests is the number of HTTP requests, retries included.
func (m *Meter) Requests() int64 { return m.requests.Load() }

// RowsRead is the number of rows read, as billed.
func (m *Meter) RowsRead() int64 { return m.rowsRead.Load() }

// RowsWritten is the number of rows and index entries written, as billed.
func (m *Meter) RowsWritten() int64 { return m.rowsWritten.Load() }

// Took is the total time of the databases for the statements.
func (m *Meter) Took() time.Duration { return time.Duration(m.took.Load()) }

// Waits measures the time of waiting for responses of databases.
func (m *Meter) Waits() *stopwatch.Stopwatch { return &m.waits }

// wait begins a wait, in the outer meters as well. It ends when the returned function is called.
func (m *Meter) wait() (end func()) {
	if m == nil {
		return func() {}
	}
	own, outer := m.waits.Begin(), m.outer.wait()
	return func() {
		own()
		outer()
	}
}

// took parses a duration that a database reports. Everything invalid is 0.
func took(ms float64) time.Duration {
	if !(ms > 0 && ms < 1e9) {
		return 0
	}
	return time.Duration(math.Round(ms * float64(time.Millisecond)))
}

// Retries is the number of requests beyond the first of their call.
func (m *Meter) Retries() int64 { return m.retries.Load() }

// The results of a request to a replica.
const (
	replicaUsed = iota
	replicaBehind
	replicaFailed
)

// Replicas counts responses of replicas: how many were used, how many were dropped because the replica was behind, and how many failed.
func (m *Meter) Replicas() (used, behind, failed int64) {
	return m.replicas[replicaUsed].Load(), m.replicas[replicaBehind].Load(), m.replicas[replicaFailed].Load()
}

// replica counts the result of a request to a replica.
func (m *Meter) replica(result int) {
	for ; m != nil; m = m.outer {
		m.replicas[result].Add(1)
	}
}

type meterKey struct{}

// WithMeter returns a context whose calls are counted by the meter, and by the meters ctx already has.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{outer: meterFrom(ctx)}
	return context.WithValue(ctx, meterKey{}, m), m
}

// WithoutMeter returns a context whose calls no meter of ctx counts. It is for what the instance does after a request.
func WithoutMeter(ctx context.Context) context.Context {
	return context.WithValue(ctx, meterKey{}, (*Meter)(nil))
}

func meterFrom(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

// addRequest counts a request.
func (m *Meter) addRequest(retry bool) {
	for ; m != nil; m = m.outer {
		m.requests.Add(1)
		if retry {
			m.retries.Add(1)
		}
	}
}

// addCost counts the cost of a response.
func (m *Meter) addCost(out []StepResult) {
	var read, written int64
	var took time.Duration
	for i := range out {
		read += out[i].Result.RowsRead
		written += out[i].Result.RowsWritten
		took += out[i].Result.Took
	}
	for ; m != nil; m = m.outer {
		m.rowsRead.Add(read)
		m.rowsWritten.Add(written)
		m.took.Add(int64(took))
	}
}
