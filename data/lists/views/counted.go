package views

import "sync"

// counted remembers the views that an instance has counted last, because Redis bills every command, also one that changes nothing.
type counted struct {
	mu    sync.Mutex
	views map[string]struct{}
}

// countedMost bounds what is remembered, to about 100 KB.
const countedMost = 1000

func (c *counted) has(view string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.views[view]
	return ok
}

// add remembers a view. When there are too many, it forgets all others.
func (c *counted) add(view string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.views == nil || len(c.views) >= countedMost {
		c.views = map[string]struct{}{}
	}
	c.views[view] = struct{}{}
}
