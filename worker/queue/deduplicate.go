package queue

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"plaza/data"
)

// VotesDelay is how long the platform keeps a message about votes before it delivers it.
const VotesDelay = 2 * time.Second

// Deduplicate returns a queue that sends an equal message about votes at most once in half of delay. Cloudflare bills each message, and a
// hot post has many votes a second.
//
// A message is left out only if its transaction has committed less than half of delay after the earlier message was sent. The platform
// delivers that one at least delay after it was sent, so after the commit, and its job finds the rows. Both times are from one instance's
// clock. The other half of delay is a margin: that clock stands still between the responses of databases and other servers, so a recorded
// time may be too early, but not too late.
func Deduplicate(q Queue, delay time.Duration) Queue {
	return &deduplicated{Queue: q, every: delay / 2, now: time.Now, sent: map[string]time.Time{}}
}

type deduplicated struct {
	Queue
	every time.Duration
	now   func() time.Time

	mu    sync.Mutex // never held across I/O
	sent  map[string]time.Time
	limit int // length of sent above which old entries are deleted
}

// Send sends the messages that were not sent a moment ago. It remembers them once the queue has accepted them.
func (d *deduplicated) Send(ctx context.Context, queue string, bodies ...string) error {
	if queue != data.QueueVotes {
		return d.Queue.Send(ctx, queue, bodies...)
	}
	now := d.now()
	d.mu.Lock()
	due := slices.DeleteFunc(slices.Clone(bodies), func(body string) bool { return d.covers(d.sent[body], now) })
	d.mu.Unlock()
	if len(due) == 0 {
		return nil
	}
	if err := d.Queue.Send(ctx, queue, due...); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, body := range due {
		d.sent[body] = now
	}
	if len(d.sent) > d.limit {
		maps.DeleteFunc(d.sent, func(_ string, at time.Time) bool { return !d.covers(at, now) })
		d.limit = max(2*len(d.sent), 100)
	}
	return nil
}

// covers reports whether a message that was sent at a time covers what has committed by now. It does not if the clock was set back.
func (d *deduplicated) covers(at, now time.Time) bool {
	passed := now.Sub(at)
	return passed >= 0 && passed < d.every
}
