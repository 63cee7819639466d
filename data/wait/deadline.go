package wait

import (
	"context"
	"time"
)

// Request is the longest that a request may work before it has its answer. Whatever is
// lost with a request can be given up for lost a little later.
const Request = 8 * time.Second

// Batch is the longest that a queue's batch or a scheduled job may work. The shim ends
// them after five minutes.
const Batch = 4 * time.Minute

// Task is the longest that may work what a request left for after its answer. The
// platform ends it after 30 seconds.
const Task = 15 * time.Second

// answering is what of a request's time nothing but its answer may use.
const answering = 1500 * time.Millisecond

type deadlineKey struct{}

type deadline struct {
	at      time.Time
	request bool
}

// ForRequest is the context of a request that begins now. What has a deadline already
// keeps it. It is a value and not context.WithDeadline, whose timer would fire in some
// other request's event.
func ForRequest(ctx context.Context) context.Context {
	if _, ok := ctx.Value(deadlineKey{}).(deadline); ok {
		return ctx
	}
	return context.WithValue(ctx, deadlineKey{}, deadline{time.Now().Add(Request), true})
}

// ForWork is the context of work for which nobody waits and that may take d from now.
func ForWork(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, deadlineKey{}, deadline{at: time.Now().Add(d)})
}

// Left is how much of d the context's deadline leaves, not above zero when it has
// passed. Without a deadline it is d.
func Left(ctx context.Context, d time.Duration) time.Duration {
	if end, ok := ctx.Value(deadlineKey{}).(deadline); ok {
		return min(d, time.Until(end.at))
	}
	return d
}

// LeftToWrite is Left for what writes: of a request's time it leaves some to answer with
// the form and what was typed, should the writing fail.
func LeftToWrite(ctx context.Context, d time.Duration) time.Duration {
	end, ok := ctx.Value(deadlineKey{}).(deadline)
	if ok && end.request {
		return min(d, time.Until(end.at)-answering)
	}
	return Left(ctx, d)
}

// Answers tells whether somebody waits for what is done with the context.
func Answers(ctx context.Context) bool {
	end, _ := ctx.Value(deadlineKey{}).(deadline)
	return end.request
}
