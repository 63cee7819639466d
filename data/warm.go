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
	state time.Time // the value has what was changed until then
}

// warmEntries bounds what one Warm remembers.
const warmEntries = 200

// clocksDiffer is by how much the clocks of two instances may differ.
const clocksDiffer = time.Second

// Get returns the value of key if it is still remembered and has what was changed until changed. That is when the member who asks
// last changed something, perhaps in another instance; zero when it is longer ago.
func (w *Warm[K, V]) Get(key K, now, changed time.Time) (value V, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e, ok := w.entries[key]
	if !ok || now.After(e.until) || e.state.Before(changed.Add(clocksDiffer)) {
		return value, false
	}
	return e.value, true
}

// Put remembers a value for ListingLife from now on. lag is how old the state may be that it shows (Read.Lag).
func (w *Warm[K, V]) Put(key K, value V, now time.Time, lag time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.entries == nil || len(w.entries) >= warmEntries {
		w.entries = map[K]warmEntry[V]{}
	}
	w.entries[key] = warmEntry[V]{value, now.Add(ListingLife), now.Add(-lag)}
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
