package hrana

import (
	"context"
	"errors"
	"sync"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/wire/breaker"
)

// The time of one try. In a request a read that hangs may be tried twice; a write has more than the five seconds
// after which sqld takes the lock from whoever holds it.
const (
	readTime  = 2500 * time.Millisecond // unless Options say otherwise
	writeTime = 6 * time.Second
	workTime  = 10 * time.Second // of either, where nobody waits, unless Options say otherwise
	leastTime = 20 * time.Millisecond
	wholeTime = time.Second // a read that gets no answer in this time counts against the database
	// A replica that gives no answer in this time counts as one that hangs, where less than wholeTime is left for it.
	leastReplica = 500 * time.Millisecond
	hangs        = 2 // tries of a read that may hang
)

// The first retry waits up to baseDelay, each later one up to twice as long, never above maxDelay.
const (
	baseDelay = 50 * time.Millisecond
	maxDelay  = time.Second
)

// health is what a client knows of its database. The lock is never held across I/O.
type health struct {
	reads  breaker.Breaker
	writes breaker.Breaker

	mu   sync.Mutex
	down time.Time // since when every call has failed; zero while the last was answered
}

// allow tells whether a try may be made. A database that lets reads time out is not asked to write either. One that
// lets writes time out is still read: only its one writer may be stuck.
func (h *health) allow(writes bool) bool {
	return h.reads.Allow() && (!writes || h.writes.Allow())
}

// refuses tells whether allow would refuse a try now.
func (h *health) refuses(writes bool) bool {
	return h.reads.Refuses() || writes && h.writes.Refuses()
}

// note records how a try ended. whole tells whether the try had enough time (limit).
func (h *health) note(writes bool, failed *Error, whole bool) {
	switch {
	case failed == nil || IsBusy(failed) || !failed.retryable() && !failed.timedOut():
		h.reads.Answered()
		if writes {
			h.writes.Answered()
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

// restarting tells whether the database may be restarting: its calls have failed for no longer than a request may
// last. Only then is a call tried again.
func (h *health) restarting() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.down.IsZero() || time.Since(h.down) < deadline.Request
}

// call is one call on its way through its tries.
type call struct {
	*Client
	ctx    context.Context
	steps  []Step
	writes bool
	began  time.Time
	hung   int // tries whose time ran out

	body []byte // the request, nil before the first try
}

// left returns how much time the call has for further tries.
func (c *call) left() time.Duration {
	left := deadline.Request - time.Since(c.began)
	if c.writes {
		return deadline.LeftToWrite(c.ctx, left)
	}
	return deadline.Left(c.ctx, left)
}

// limit returns how long the next try may take. whole tells whether a healthy database would answer in that time.
func (c *call) limit() (limit time.Duration, whole bool) {
	own := c.readTime
	if c.writes {
		own = writeTime
	}
	left, enough := c.left(), own
	switch {
	case c.isReplica: // half is left for the primary
		own, enough = min(wholeTime, left/2), 2*leastReplica
	case !deadline.Answers(c.ctx):
		own, enough = c.workTime, c.workTime
		left = deadline.Left(c.ctx, own)
	case !c.writes:
		enough = wholeTime
	}
	return min(own, left), left >= enough
}

// try sends the batch once. A write waits for its turn at the gate first.
func (c *call) try(again bool) (reply, *Error) {
	if c.health.refuses(c.writes) {
		return reply{}, transportError(errResting)
	}
	if c.writes {
		leave, err := c.gate.Acquire(c.ctx, c.left()-leastTime, workTime)
		if err != nil {
			return reply{}, transportError(err)
		}
		defer leave()
	}
	limit, whole := c.limit()
	if limit < leastTime {
		return reply{}, transportError(deadline.Late{})
	}
	if !c.health.allow(c.writes) {
		return reply{}, transportError(errResting)
	}
	ctx, cancel := deadline.Within(c.ctx, limit)
	defer cancel()
	out, failed := c.send(ctx, again)
	if c.ctx.Err() == nil {
		c.health.note(c.writes, failed, whole)
	}
	return out, failed
}

// send sends the batch, and counts what it costs.
func (c *call) send(ctx context.Context, again bool) (reply, *Error) {
	meter := meterFrom(ctx)
	defer meter.wait()()
	if c.body == nil {
		c.body = encode(c.steps, frame{ahead: c.isReplica})
	}
	sent := time.Now()
	out, failed := c.exchange(ctx, c.url, c.body, len(c.steps))
	meter.ask(again)
	if !c.isReplica { // an answer of a replica may be thrown away (askReplica)
		meter.spend(out.steps)
	}
	if failed == nil {
		c.note(out, sent)
	}
	return out, failed
}

// errResting is why a call was not made: the breaker refused it.
var errResting = errors.New("it has let others wait in vain")

// Resting tells whether the client lets no call wait for its database now.
func (c *Client) Resting() bool { return c.health.refuses(true) }

// IsResting tells whether a call was not made because the database has let others wait in vain.
func IsResting(err error) bool { return errors.Is(err, errResting) }

// again waits before the next try, and returns whether there is one. failed is nil if the database was only busy.
func (c *call) again(attempt int, failed *Error) bool {
	if attempt == c.attempts || c.ctx.Err() != nil {
		return false
	}
	if failed != nil && (failed.Err == errResting || !c.mayHelp(failed) || !c.health.restarting()) {
		return false
	}
	d := c.delay(attempt)
	return c.left() >= d+leastTime && c.sleep(c.ctx, d) == nil
}

// mayHelp tells whether trying again may help. A write that hung is not tried again: no time is left for it.
func (c *call) mayHelp(failed *Error) bool {
	if !failed.timedOut() {
		return failed.retryable()
	}
	c.hung++
	return !c.writes && c.hung < hangs && deadline.Answers(c.ctx)
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
