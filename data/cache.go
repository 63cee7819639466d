package data

import (
	"cmp"
	"sync"
	"time"
)

// Cache caches for a moment what is the same for all members, so that a busy page reads from the database only the member's own state. It
// holds no lock while a request waits: two concurrent requests that find nothing both read.
type Cache[K comparable, V any] struct {
	Life  time.Duration     // how long a value is cached; 0 is ListingLife
	Size  func(value V) int // about how many bytes a value needs; nil if all are small
	Bytes int               // with Size: how many bytes all values may need

	mu      sync.Mutex
	entries map[K]cacheEntry[V]
	used    int // bytes
}

// Shared has the HTML that pages have rendered from one cached post or comment. It is dropped with that value.
type Shared struct {
	Lock sync.Mutex
	HTML any // a list of package view, whose types this package does not know
}

type cacheEntry[V any] struct {
	value V
	until time.Time
	state time.Time // the value includes all changes up to this time
	size  int
}

// cacheEntriesMax limits the entries of one Cache.
const cacheEntriesMax = 200

// clocksDiffer is the assumed maximum difference between the clocks of two instances.
const clocksDiffer = time.Second

// Get returns the value of key if it is still cached and was read after changed. changed is when the member last changed something that
// others see (Changes.Public), perhaps in another instance; zero if that is long ago.
func (c *Cache[K, V]) Get(key K, now, changed time.Time) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok || now.After(e.until) || e.state.Before(changed.Add(clocksDiffer)) {
		return value, false
	}
	return e.value, true
}

// Put caches a value that was read at now: pass the time at which the read began. lag is how old a replica's state may have been then
// (Read.Lag). If the cache is full, Put deletes the expired values, and all values if that is not enough.
func (c *Cache[K, V]) Put(key K, value V, now time.Time, lag time.Duration) {
	size := 0
	if c.Size != nil {
		size = c.Size(value)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.full(size) {
		for old, e := range c.entries {
			if now.After(e.until) {
				c.used -= e.size
				delete(c.entries, old)
			}
		}
	}
	if c.entries == nil || c.full(size) {
		c.entries, c.used = map[K]cacheEntry[V]{}, 0
	}
	c.used += size - c.entries[key].size
	c.entries[key] = cacheEntry[V]{value, now.Add(cmp.Or(c.Life, ListingLife)), now.Add(-lag), size}
}

// full reports whether one more value of a size is too much.
func (c *Cache[K, V]) full(size int) bool {
	return len(c.entries) >= cacheEntriesMax || c.Size != nil && c.used+size > c.Bytes
}

// Clear empties the cache, after a change that its author must see at once.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries, c.used = nil, 0
}

// ListingLife is how long an instance shows members the same listing without reading it again. Their own votes and posts show at once
// nevertheless. Changes by others show up to this much later, which is less than the queue takes to count them.
const ListingLife = 2 * time.Second
