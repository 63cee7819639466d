package data

import (
	"sync"
	"time"
)

// Cache caches for a moment what is the same for all members, so that a busy page reads from the database only the member's own state. It
// holds no lock while a request waits: two concurrent requests that find nothing both read.
type Cache[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]cacheEntry[V]
}

type cacheEntry[V any] struct {
	value V
	until time.Time
	state time.Time // the value includes all changes up to this time
}

// cacheEntriesMax limits the entries of one Cache.
const cacheEntriesMax = 200

// clocksDiffer is the assumed maximum difference between the clocks of two instances.
const clocksDiffer = time.Second

// Get returns the value of key if it is still cached and includes all changes up to changed: when the requesting member last changed
// something, perhaps in another instance; zero if that is longer ago.
func (c *Cache[K, V]) Get(key K, now, changed time.Time) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok || now.After(e.until) || e.state.Before(changed.Add(clocksDiffer)) {
		return value, false
	}
	return e.value, true
}

// Put caches a value for ListingLife from now on. lag is how old its state may be (Read.Lag).
func (c *Cache[K, V]) Put(key K, value V, now time.Time, lag time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil || len(c.entries) >= cacheEntriesMax {
		c.entries = map[K]cacheEntry[V]{}
	}
	c.entries[key] = cacheEntry[V]{value, now.Add(ListingLife), now.Add(-lag)}
}

// Clear empties the cache, after a change that its author must see at once.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = nil
}

// ListingLife is how long an instance shows members the same listing without reading it again. Their own votes and posts show at once
// nevertheless. Changes by others show up to this much later, which is less than the queue takes to count them.
const ListingLife = 2 * time.Second
