package data

import (
	"sync"
	"time"
)

// warm keeps what all members see alike for a moment in the instance's memory, so that
// a busy page asks the database only for what is the member's own. It holds no lock
// while anybody waits: two requests that miss at once both read.
type Warm[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]warmEntry[V]
}

type warmEntry[V any] struct {
	value V
	until time.Time
}

// warmEntries bounds what one warm keeps.
const warmEntries = 200

// clocksDiffer is by how much those of two instances may.
const clocksDiffer = time.Second

// get is what was read of late, but not before changed, when the member who asks has
// changed something, perhaps in another instance.
func (w *Warm[K, V]) Get(key K, now, changed time.Time) (value V, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e, ok := w.entries[key]
	if !ok || now.After(e.until) || e.until.Add(-ListingLife).Before(changed.Add(clocksDiffer)) {
		return value, false
	}
	return e.value, true
}

func (w *Warm[K, V]) Put(key K, value V, until time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.entries == nil || len(w.entries) >= warmEntries {
		w.entries = map[K]warmEntry[V]{}
	}
	w.entries[key] = warmEntry[V]{value, until}
}

// clear forgets everything, for a change that its author must see at once.
func (w *Warm[K, V]) Clear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.entries = nil
}

// ListingLife is how long an instance shows members the same listing without asking
// again. Their own votes and whatever they post here show at once all the same; what
// others do shows this much later, less than the queue takes to count it.
const ListingLife = 2 * time.Second
