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

// Deduplicate returns a queue that does not send a message about votes again within half of delay. Cloudflare bills each message, and a
// hot post has many votes a second. The queue keeps a message for delay at least. So an equal message that was sent before also covers a
// transaction that has committed since:
//
//   - The transaction has committed before its own message gets here, which is less than half of delay after the earlier one was sent.
//   - The queue delivers the earlier message at least delay after that.
//
// So the job of the message begins after the commit and finds its rows. Only the time between two moments of one instance counts; the
// other half of delay is for clocks that are not exact. The clock of the platform does not run between the responses of databases and other
// servers. So the recorded time of a message is too early rather than too late, and the time of a commit is read after the database has
// responded.
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
func (t *deduplicated) Send(ctx context.Context, queue string, bodies ...string) error {
	if queue != data.QueueVotes {
		return t.Queue.Send(ctx, queue, bodies...)
	}
	now := t.now()
	t.mu.Lock()
	due := slices.DeleteFunc(slices.Clone(bodies), func(body string) bool { return t.covers(t.sent[body], now) })
	t.mu.Unlock()
	if len(due) == 0 {
		return nil
	}
	if err := t.Queue.Send(ctx, queue, due...); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, body := range due {
		t.sent[body] = now
	}
	if len(t.sent) > t.limit {
		maps.DeleteFunc(t.sent, func(_ string, at time.Time) bool { return !t.covers(at, now) })
		t.limit = max(2*len(t.sent), 100)
	}
	return nil
}

// covers reports whether a message that was sent at a time covers what has committed by now. It does not if the clock was set back.
func (t *deduplicated) covers(at, now time.Time) bool {
	passed := now.Sub(at)
	return passed >= 0 && passed < t.every
}
