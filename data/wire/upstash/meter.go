package upstash

import (
	"context"
	"sync"

	"plaza/data/pace/stopwatch"
)

// Meter counts what the calls made with its context sent. Read it when they have returned.
type Meter struct {
	Requests int // HTTP requests
	Commands int // Redis commands in them, which is what the service bills
	mu       sync.Mutex
	waits    stopwatch.Stopwatch
	outer    *Meter
}

// Waits measures how long Redis was waited for.
func (m *Meter) Waits() *stopwatch.Stopwatch { return &m.waits }

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

// add counts a request, and begins to measure how long its answer is waited for, until the function is called that it returns.
func (m *Meter) add(commands int) (end func()) {
	if m == nil {
		return func() {}
	}
	m.mu.Lock()
	m.Requests++
	m.Commands += commands
	m.mu.Unlock()
	own, outer := m.waits.Begin(), m.outer.add(commands)
	return func() {
		own()
		outer()
	}
}
