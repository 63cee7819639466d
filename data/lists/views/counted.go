package views

import "sync"

// counted caches the latest views that an instance has counted: Redis bills every command, even one that changes nothing.
type counted struct {
	mu    sync.Mutex
	views map[string]struct{}
}

// countedMax limits the cache to about 100 KB.
const countedMax = 1000

func (c *counted) has(view string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.views[view]
	return ok
}

// add records a view. If the cache is full, it clears the cache first.
func (c *counted) add(view string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.views == nil || len(c.views) >= countedMax {
		c.views = map[string]struct{}{}
	}
	c.views[view] = struct{}{}
}
