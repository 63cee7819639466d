package hrana

import (
	"context"
	"sync/atomic"
)

// Meter counts what the calls made with a context cost. It is safe for concurrent use.
type Meter struct {
	requests, rowsRead, rowsWritten, retries atomic.Int64
	outer                                    *Meter
}

// Requests is the number of HTTP requests, retries included.
func (m *Meter) Requests() int64 { return m.requests.Load() }

// RowsRead is the number of rows read, as billed.
func (m *Meter) RowsRead() int64 { return m.rowsRead.Load() }

// RowsWritten is the number of rows and index entries written, as billed.
func (m *Meter) RowsWritten() int64 { return m.rowsWritten.Load() }

// Retries is the number of requests beyond the first of their call.
func (m *Meter) Retries() int64 { return m.retries.Load() }

type meterKey struct{}

// WithMeter returns a context whose calls are counted by the meter, and by the meters ctx already has.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{outer: meterFrom(ctx)}
	return context.WithValue(ctx, meterKey{}, m), m
}

func meterFrom(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

func (m *Meter) add(again bool, out []StepResult) {
	if m == nil {
		return
	}
	var read, written int64
	for i := range out {
		read += out[i].Result.RowsRead
		written += out[i].Result.RowsWritten
	}
	for ; m != nil; m = m.outer {
		m.requests.Add(1)
		if again {
			m.retries.Add(1)
		}
		m.rowsRead.Add(read)
		m.rowsWritten.Add(written)
	}
}
