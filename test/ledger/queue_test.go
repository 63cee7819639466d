package ledger

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"plaza/data"
	"plaza/worker/queue"
)

// manner is what a Queue does with messages.
type manner int

const (
	delivers manner = iota
	drops           // takes messages and forgets them
	doubles         // delivers each twice
	shuffles        // delivers in any order
	stands          // keeps messages, and delivers none
)

// votesKept is how long the queue of votes keeps each message. The platform does so for longer (queue.VotesDelay).
const votesKept = 60 * time.Millisecond

// Queue is the platform's queues.
type Queue struct {
	mu      sync.Mutex
	manner  manner
	waiting map[string][]queue.Message // SentAt is when it came
	most    int                        // that waited at the same time
}

func newQueue() *Queue { return &Queue{waiting: map[string][]queue.Message{}} }

func (q *Queue) become(m manner) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.manner = m
}

// Send is queue.Queue.
func (q *Queue) Send(_ context.Context, name string, bodies ...string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	times := 1
	switch q.manner {
	case drops:
		return nil
	case doubles:
		times = 2
	}
	for range times {
		for _, body := range bodies {
			q.waiting[name] = append(q.waiting[name], queue.Message{ID: body, Body: body, Attempts: 1, SentAt: time.Now()})
		}
	}
	q.most = max(q.most, len(q.waiting[name]))
	return nil
}

// take returns a delivery; nil if there is none.
func (q *Queue) take(name string) []queue.Message {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.manner == stands {
		return nil
	}
	all := q.waiting[name]
	if q.manner == shuffles {
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	var taken, kept []queue.Message
	for _, m := range all {
		if len(taken) == 100 || name == data.QueueVotes && time.Since(m.SentAt) < votesKept {
			kept = append(kept, m)
		} else {
			taken = append(taken, m)
		}
	}
	q.waiting[name] = kept
	return taken
}

// empty reports whether no message waits.
func (q *Queue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting[data.QueueVotes])+len(q.waiting[data.QueueEvents]) == 0
}

// again keeps messages of a delivery for another one. The platform gives a message up after ten.
func (q *Queue) again(name string, messages []queue.Message, indexes []int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, i := range indexes {
		m := messages[i]
		if m.Attempts++; m.Attempts <= 10 {
			q.waiting[name] = append(q.waiting[name], m)
		}
	}
}

// deliver hands what waits to the consumers once. It returns how many messages that were.
func (w *FaultySite) deliver() (n int) {
	for _, queue := range []string{data.QueueVotes, data.QueueEvents} {
		messages := w.Queue.take(queue)
		if len(messages) == 0 {
			continue
		}
		n += len(messages)
		retry, err := w.App.Consume(context.Background(), queue, messages)
		if err != nil {
			retry = nil
			for i := range messages {
				retry = append(retry, i)
			}
		}
		w.Queue.again(queue, messages, retry)
	}
	return n
}

// consume delivers until the context ends.
func (w *FaultySite) consume(ctx context.Context) {
	for ctx.Err() == nil {
		if w.deliver() == 0 {
			time.Sleep(20 * time.Millisecond)
		}
	}
}
