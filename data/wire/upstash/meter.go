package upstash

import (
	"context"
	"sync/atomic"

	"plaza/data/pace/stopwatch"
)

// Meter counts the requests of the calls made with its context. A call that timed out may still be counted when the meter is read.
type Meter struct {
	requests, commands atomic.Int64
	waits              stopwatch.Stopwatch
	outer              *Meter
}

// Requests is the number of HTTP requests.
func (m *Meter) Requests() int { return int(m.requests.Load()) }

// Commands is the number of Redis commands in them, which is what the service bills.
func (m *Meter) Commands() int { return int(m.commands.Load()) }

// Waits measures the time of waiting for Redis.
func (m *Meter) Waits() *stopwatch.Stopwatch { return &m.waits }

type meterKey struct{}

// WithMeter returns a context whose calls are counted by the meter, and by the meters that ctx already has.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{outer: meterFrom(ctx)}
	return context.WithValue(ctx, meterKey{}, m), m
}

func meterFrom(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

// add counts a request, and measures the wait for its response until the returned function is called.
func (m *Meter) add(commands int) (end func()) {
	if m == nil {
		return func() {}
	}
	m.requests.Add(1)
	m.commands.Add(int64(commands))
	own, outer := m.waits.Begin(), m.outer.add(commands)
	return func() {
		own()
		outer()
	}
}
