package ledger

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"plaza/worker/request"
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

// votesKept is how long the queue of votes keeps each message. The platform does so for longer (request.VotesDelay).
const votesKept = 60 * time.Millisecond

// Queue is the platform's queues.
type Queue struct {
	mu      sync.Mutex
	manner  manner
	waiting map[string][]request.Message // SentAt is when it came
	most    int                          // that waited at the same time
}

func newQueue() *Queue { return &Queue{waiting: map[string][]request.Message{}} }

func (q *Queue) become(m manner) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.manner = m
}

// Send is request.Queue.
func (q *Queue) Send(_ context.Context, queue string, bodies ...string) error {
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
			q.waiting[queue] = append(q.waiting[queue], request.Message{ID: body, Body: body, Attempts: 1, SentAt: time.Now()})
		}
	}
	q.most = max(q.most, len(q.waiting[queue]))
	return nil
}

// take returns a delivery; nil if there is none.
func (q *Queue) take(queue string) []request.Message {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.manner == stands {
		return nil
	}
	all := q.waiting[queue]
	if q.manner == shuffles {
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	var taken, kept []request.Message
	for _, m := range all {
		if len(taken) == 100 || queue == request.QueueVotes && time.Since(m.SentAt) < votesKept {
			kept = append(kept, m)
		} else {
			taken = append(taken, m)
		}
	}
	q.waiting[queue] = kept
	return taken
}

// empty reports whether no message waits.
func (q *Queue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting[request.QueueVotes])+len(q.waiting[request.QueueEvents]) == 0
}

// again keeps messages of a delivery for another one. The platform gives a message up after ten.
func (q *Queue) again(queue string, messages []request.Message, indexes []int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, i := range indexes {
		m := messages[i]
		if m.Attempts++; m.Attempts <= 10 {
			q.waiting[queue] = append(q.waiting[queue], m)
		}
	}
}

// deliver hands what waits to the consumers once. It returns how many messages that were.
func (w *FaultySite) deliver() (n int) {
	for _, queue := range []string{request.QueueVotes, request.QueueEvents} {
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
