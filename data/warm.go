package data

import (
	"sync"
	"time"
)

// Warm remembers for a moment what all members see alike, so that a busy page asks the database only for what is the
// member's own. It holds no lock while a request waits: two requests that find nothing at the same time both read.
type Warm[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]warmEntry[V]
}

type warmEntry[V any] struct {
	value V
	until time.Time
}

// warmEntries bounds what one Warm remembers.
const warmEntries = 200

// clocksDiffer is by how much the clocks of two instances may differ.
const clocksDiffer = time.Second

// Get returns the value of key if it is still remembered and was read after changed. That is when the member who asks
// last changed something, perhaps in another instance; zero when it is longer ago.
func (w *Warm[K, V]) Get(key K, now, changed time.Time) (value V, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e, ok := w.entries[key]
	if !ok || now.After(e.until) || e.until.Add(-ListingLife).Before(changed.Add(clocksDiffer)) {
		return value, false
	}
	return e.value, true
}

// Put remembers a value, which was read ListingLife before until.
func (w *Warm[K, V]) Put(key K, value V, until time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.entries == nil || len(w.entries) >= warmEntries {
		w.entries = map[K]warmEntry[V]{}
	}
	w.entries[key] = warmEntry[V]{value, until}
}

// Clear forgets everything, after a change that its author must see at once.
func (w *Warm[K, V]) Clear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.entries = nil
}

// ListingLife is how long an instance shows members the same listing without reading it again. Their own votes and
// posts show at once all the same. What others do shows up to this much later, which is less than the queue takes to
// count it.
const ListingLife = 2 * time.Second
