package deadline

import (
	"context"
	"time"
)

// Request is how long a request may work before it has its response. A little later, its pending calls count as lost.
const Request = 8 * time.Second

// Batch is how long a queue's batch or a scheduled job may work. The shim ends them after five minutes.
const Batch = 4 * time.Minute

// Task is how long work may take that a request starts after its response. The platform ends it after 30 seconds.
const Task = 15 * time.Second

// Optional is how long a request waits for an optional part of its response: one shard's part of a merged list. The time counts from the
// start of the request. A call that begins late may take leastOptional nevertheless.
const (
	Optional      = 1500 * time.Millisecond
	leastOptional = time.Second
)

// responseTime is the part of a request's time that is reserved for its response.
const responseTime = 1500 * time.Millisecond

type deadlineKey struct{}

type deadline struct {
	at      time.Time
	request bool
}

// ForRequest returns the context of a request that begins now. A context that has a deadline already is returned as it is. The deadline
// is a value, because the timer of context.WithDeadline would fire in another request's event.
func ForRequest(ctx context.Context) context.Context {
	if _, ok := ctx.Value(deadlineKey{}).(deadline); ok {
		return ctx
	}
	return context.WithValue(ctx, deadlineKey{}, deadline{time.Now().Add(Request), true})
}

// ForWork returns the context of work that may take d from now, and that no request waits for.
func ForWork(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, deadlineKey{}, deadline{at: time.Now().Add(d)})
}

// Remaining returns how much of d is left before the context's deadline; 0 or less when the deadline has passed. Without a deadline it is
// d.
func Remaining(ctx context.Context, d time.Duration) time.Duration {
	if end, ok := ctx.Value(deadlineKey{}).(deadline); ok {
		return min(d, time.Until(end.at))
	}
	return d
}

// RemainingToWrite is Remaining for a write. It reserves enough of a request's time to show the form again with the typed values, if the
// write fails.
func RemainingToWrite(ctx context.Context, d time.Duration) time.Duration {
	end, ok := ctx.Value(deadlineKey{}).(deadline)
	if ok && end.request {
		return min(d, time.Until(end.at)-responseTime)
	}
	return Remaining(ctx, d)
}

// InRequest reports whether a request waits for the work of the context.
func InRequest(ctx context.Context) bool {
	end, _ := ctx.Value(deadlineKey{}).(deadline)
	return end.request
}

// ForOptional returns the context for reading an optional part of a response: it ends after Optional. Work that no request waits for
// keeps its context.
func ForOptional(ctx context.Context) context.Context {
	end, ok := ctx.Value(deadlineKey{}).(deadline)
	if !ok || !end.request {
		return ctx
	}
	at := end.at.Add(Optional - Request)
	if least := time.Now().Add(leastOptional); at.Before(least) {
		at = least
	}
	if at.Before(end.at) {
		end.at = at
	}
	return context.WithValue(ctx, deadlineKey{}, end)
}

// ForPart returns a context that ends after d, or earlier, so that ctx has time left for the response. It is for work that can also be
// done later. A context without a deadline is returned as it is: no request waits.
func ForPart(ctx context.Context, d time.Duration) context.Context {
	end, ok := ctx.Value(deadlineKey{}).(deadline)
	if !ok {
		return ctx
	}
	at, latest := time.Now().Add(d), end.at
	if end.request {
		latest = latest.Add(-responseTime)
	}
	if latest.Before(at) {
		at = latest
	}
	return context.WithValue(ctx, deadlineKey{}, deadline{at: at})
}
