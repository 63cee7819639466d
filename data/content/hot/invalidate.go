package hot

import (
	"context"
	"maps"
	"slices"
	"sync"

	"plaza/data/wire/upstash"
)

// missedMost limits how many sets an instance records for Invalidate. The others are wrong until they expire.
const missedMost = 10000

// missed are the keys of sets that lack an update, because Redis was down after the delta run. Once Redis is up, Invalidate marks them as
// incomplete.
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

// some returns up to most of the keys.
func (m *missed) some(most int) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	keys := slices.Sorted(maps.Keys(m.keys))
	return keys[:min(len(keys), most)]
}

// remove removes keys.
func (m *missed) remove(keys []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, key := range keys {
		delete(m.keys, key)
	}
}

// invalidateStep is how many sets one request invalidates.
const invalidateStep = 250

// Invalidate marks the sets that missed an update in this instance as incomplete, so that readers have them rebuilt. Without such sets it
// costs nothing. An error means that Redis is still down; the next call tries again. A set that is being rebuilt may have been read from
// the database before the update, so it stays recorded until the rebuild is over. A key that is not a sorted set is deleted: no update
// could ever change it.
func (h *Sets) Invalidate(ctx context.Context) error {
	keys := h.missed.some(invalidateStep)
	if len(keys) == 0 { // as always on a site without Redis
		return nil
	}
	cmds := make([]upstash.Cmd, 0, 2*len(keys))
	for _, key := range keys {
		cmds = append(cmds, upstash.Cmd{"EXISTS", rebuildKey(key)}, upstash.Cmd{"ZREM", key, Whole})
	}
	replies, err := h.Redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = upstash.FirstError(slices.DeleteFunc(slices.Clone(replies), upstash.Reply.WrongType))
	}
	if err != nil {
		return err
	}
	del := upstash.Cmd{"DEL"}
	for i, key := range keys {
		if replies[2*i+1].WrongType() {
			del = append(del, key)
		}
	}
	if len(del) > 1 {
		if _, err := h.Redis.Do(ctx, del); err != nil {
			return err
		}
	}
	var lost []string
	for i, key := range keys {
		if making, err := replies[2*i].Int(); err == nil && making == 0 {
			lost = append(lost, key)
		}
	}
	h.missed.remove(lost)
	return nil
}
