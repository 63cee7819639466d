package views

import "sync"

// counted caches the last views that an instance has counted, because Redis bills every command, also one that changes nothing.
type counted struct {
	mu    sync.Mutex
	views map[string]struct{}
}

// countedMost limits the cache to about 100 KB.
const countedMost = 1000

func (c *counted) has(view string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.views[view]
	return ok
}

// add records a view. When there are too many, it clears the cache first.
func (c *counted) add(view string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.views == nil || len(c.views) >= countedMost {
		c.views = map[string]struct{}{}
	}
	c.views[view] = struct{}{}
}
