package hrana

import (
	"context"
	"errors"
	"sync"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/wire/breaker"
)

// The time limits of one attempt. In a request a read that hangs may be tried twice; a write has more than the five seconds after which
// sqld takes the lock from its holder.
const (
	readTime  = 2500 * time.Millisecond // unless Options say otherwise
	writeTime = 6 * time.Second
	workTime  = 10 * time.Second // of either, if no request waits, unless Options has another
	leastTime = 20 * time.Millisecond
	wholeTime = time.Second // a read without a response in this time counts against the database
	// A replica without a response in this time counts as hanging, if less than wholeTime is left for it.
	leastReplica = 500 * time.Millisecond
	maxHangs     = 2 // attempts of a read that may hang
)

// The first retry waits up to baseDelay, each later one up to twice as long, never above maxDelay.
const (
	baseDelay = 50 * time.Millisecond
	maxDelay  = time.Second
)

// health is the state of a database as a client knows it. The lock is never held across I/O.
type health struct {
	reads  breaker.Breaker
	writes breaker.Breaker

	mu   sync.Mutex
	down time.Time // since when every call has failed; zero if the last succeeded
}

// allow reports whether an attempt may be made. If reads time out, writes are refused, too. If only writes time out, reads are allowed:
// only the one writer may be stuck.
func (h *health) allow(writes bool) bool {
	return h.reads.Allow() && (!writes || h.writes.Allow())
}

// refuses reports whether allow would refuse an attempt now.
func (h *health) refuses(writes bool) bool {
	return h.reads.Refuses() || writes && h.writes.Refuses()
}

// note records the result of an attempt. whole reports whether the attempt had enough time (limit).
func (h *health) note(writes bool, failed *Error, whole bool) {
	switch {
	case failed == nil || IsBusy(failed) || !failed.retryable() && !failed.timedOut():
		h.reads.Responded()
		if writes {
			h.writes.Responded()
		}
		h.mu.Lock()
		h.down = time.Time{}
		h.mu.Unlock()
		return
	case failed.timedOut() && whole && writes:
		h.writes.TimedOut()
	case failed.timedOut() && whole:
		h.reads.TimedOut()
	}
	h.mu.Lock()
	if h.down.IsZero() {
		h.down = time.Now()
	}
	h.mu.Unlock()
}

// restarting reports whether the database may be restarting: its calls have failed for no longer than a request may last. Only then is a
// call retried.
func (h *health) restarting() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.down.IsZero() || time.Since(h.down) < deadline.Request
}

// call is one call with its attempts.
type call struct {
	*Client
	ctx    context.Context
	steps  []Step
	writes bool
	began  time.Time
	hung   int // attempts that timed out

	body []byte // the request, nil before the first attempt
}

// remaining returns how much time the call has for further attempts.
func (c *call) remaining() time.Duration {
	remaining := deadline.Request - time.Since(c.began)
	if c.writes {
		return deadline.RemainingToWrite(c.ctx, remaining)
	}
	return deadline.Remaining(c.ctx, remaining)
}

// limit returns the time limit of the next attempt. whole reports whether a healthy database would respond in that time.
func (c *call) limit() (limit time.Duration, whole bool) {
	limit = c.readTime
	if c.writes {
		limit = writeTime
	}
	remaining, enough := c.remaining(), limit
	switch {
	case c.isReplica: // the other half is for the primary
		limit, enough = min(wholeTime, remaining/2), 2*leastReplica
	case !deadline.InRequest(c.ctx):
		limit, enough = c.workTime, c.workTime
		remaining = deadline.Remaining(c.ctx, limit)
	case !c.writes:
		enough = wholeTime
	}
	return min(limit, remaining), remaining >= enough
}

// try sends the batch once. A write waits for the semaphore first.
func (c *call) try(again bool) (reply, *Error) {
	if c.health.refuses(c.writes) {
		return reply{}, transportError(errCircuitOpen)
	}
	if c.writes {
		release, err := c.gate.Acquire(c.ctx, c.remaining()-leastTime, workTime)
		if err != nil {
			return reply{}, transportError(err)
		}
		defer release()
	}
	limit, whole := c.limit()
	if limit < leastTime {
		return reply{}, transportError(deadline.Late{})
	}
	if !c.health.allow(c.writes) {
		return reply{}, transportError(errCircuitOpen)
	}
	ctx, cancel := deadline.Within(c.ctx, limit)
	defer cancel()
	out, failed := c.send(ctx, again)
	if c.ctx.Err() == nil {
		c.health.note(c.writes, failed, whole)
	}
	return out, failed
}

// send sends the batch, and counts its cost.
func (c *call) send(ctx context.Context, again bool) (reply, *Error) {
	meter := meterFrom(ctx)
	defer meter.wait()()
	if c.body == nil {
		c.body = encode(c.steps, frame{ahead: c.isReplica})
	}
	sent := time.Now()
	out, failed := c.exchange(ctx, c.url, c.body, len(c.steps))
	meter.addRequest(again)
	if !c.isReplica { // a replica's result may be dropped (tryReplica)
		meter.addCost(out.steps)
	}
	if failed == nil {
		c.note(out, sent)
	}
	return out, failed
}

// errCircuitOpen is the error of a call that the breaker refused.
var errCircuitOpen = errors.New("its circuit is open: earlier calls timed out")

// CircuitOpen reports whether the client refuses calls to its database now.
func (c *Client) CircuitOpen() bool { return c.health.refuses(true) }

// IsCircuitOpen reports whether a call was refused because earlier calls to the database timed out.
func IsCircuitOpen(err error) bool { return errors.Is(err, errCircuitOpen) }

// again waits before the next attempt, and returns whether there is one. failed is nil if the database was only busy.
func (c *call) again(attempt int, failed *Error) bool {
	if attempt == c.attempts || c.ctx.Err() != nil {
		return false
	}
	if failed != nil && (failed.Err == errCircuitOpen || !c.mayHelp(failed) || !c.health.restarting()) {
		return false
	}
	d := c.delay(attempt)
	return c.remaining() >= d+leastTime && c.sleep(c.ctx, d) == nil
}

// mayHelp reports whether a retry may help. A write that hung is not retried: no time is left for it.
func (c *call) mayHelp(failed *Error) bool {
	if !failed.timedOut() {
		return failed.retryable()
	}
	c.hung++
	return !c.writes && c.hung < maxHangs && deadline.InRequest(c.ctx)
}

// delay is exponential backoff with full jitter:
// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
func (c *Client) delay(attempt int) time.Duration {
	limit := maxDelay
	if attempt < 6 {
		limit = min(limit, baseDelay<<(attempt-1))
	}
	return time.Duration(c.rand() * float64(limit))
}
