package upstash

import (
	"context"
	"sync"
)

// Meter counts what the calls made with its context sent. Read it when they have returned.
type Meter struct {
	Requests int // HTTP requests
	Commands int // Redis commands in them, which is what the service bills
	mu       sync.Mutex
}

type meterKey struct{}

// WithMeter returns a context whose calls are counted, and the counter.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{}
	return context.WithValue(ctx, meterKey{}, m), m
}

func meterFrom(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

func (m *Meter) add(commands int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	m.Requests++
	m.Commands += commands
	m.mu.Unlock()
}
