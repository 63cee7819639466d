package hot

import (
	"context"
	"maps"
	"slices"
	"sync"

	"plaza/data/upstash"
)

// missedMost bounds the sets that an instance remembers to distrust. Those beyond it are made anew when their life ends, like all.
const missedMost = 10000

// missed are the keys of the sets that lack an update, because Redis could not be reached after the fold that made it. When Redis
// answers again they are marked as not whole.
type missed struct {
	mu   sync.Mutex // never held across I/O
	keys map[string]bool
}

// note adds keys, as long as there is room.
func (m *missed) note(keys []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.keys == nil {
		m.keys = map[string]bool{}
	}
	for _, key := range keys {
		if len(m.keys) < missedMost {
			m.keys[key] = true
		}
	}
}

// some are up to most of the keys, in their order.
func (m *missed) some(most int) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	keys := slices.Sorted(maps.Keys(m.keys))
	return keys[:min(len(keys), most)]
}

// settle forgets keys.
func (m *missed) settle(keys []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, key := range keys {
		delete(m.keys, key)
	}
}

// distrustStep is how many sets one request distrusts.
const distrustStep = 250

// Distrust marks the sets that missed an update in this instance as not whole, so that readers have them made anew. It costs nothing
// when there are none. An error means that Redis is still away; the next call goes on. A set that is being made just now may have
// been read from the database before the update, so it stays noted until that is over.
func (h *Sets) Distrust(ctx context.Context) error {
	keys := h.missed.some(distrustStep)
	if len(keys) == 0 {
		return nil
	}
	cmds := make([]upstash.Cmd, 0, 2*len(keys))
	for _, key := range keys {
		cmds = append(cmds, upstash.Cmd{"EXISTS", rebuildKey(key)}, upstash.Cmd{"ZREM", key, whole})
	}
	replies, err := h.Redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = upstash.FirstError(replies)
	}
	if err != nil {
		return err
	}
	var lost []string
	for i, key := range keys {
		if making, err := replies[2*i].Int(); err == nil && making == 0 {
			lost = append(lost, key)
		}
	}
	h.missed.settle(lost)
	return nil
}
