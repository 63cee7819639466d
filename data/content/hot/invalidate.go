package hot

import (
	"context"
	"maps"
	"slices"
	"sync"

	"plaza/data/wire/upstash"
)

// maxMissed limits how many sets an instance records for Invalidate. The others are wrong until they expire.
const maxMissed = 10000

// missed are the keys of sets that lack an update, because Redis was down after the delta run. Once Redis is up, Invalidate marks them as
// incomplete.
type missed struct {
	mu   sync.Mutex // never held across I/O
	keys map[string]bool
}

// add adds keys, up to maxMissed.
func (m *missed) add(keys []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.keys == nil {
		m.keys = map[string]bool{}
	}
	for _, key := range keys {
		if len(m.keys) < maxMissed {
			m.keys[key] = true
		}
	}
}

// first returns up to limit of the keys.
func (m *missed) first(limit int) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	keys := slices.Sorted(maps.Keys(m.keys))
	return keys[:min(len(keys), limit)]
}

func (m *missed) remove(keys []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, key := range keys {
		delete(m.keys, key)
	}
}

// invalidateStep is how many sets one request invalidates.
const invalidateStep = 250

// Invalidate marks the sets that missed an update in this instance as incomplete, so that their next reader requests a rebuild. It costs
// nothing without such sets. An error means that Redis is still down; the next call tries again. A set that is being rebuilt may have been
// read from the database before the update, so it stays recorded until the rebuild is over. A key that is not a sorted set is deleted: no
// update could ever change it.
func (h *Sets) Invalidate(ctx context.Context) error {
	keys := h.missed.first(invalidateStep)
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
	var done []string
	for i, key := range keys {
		if locks, err := replies[2*i].Int(); err == nil && locks == 0 {
			done = append(done, key)
		}
	}
	h.missed.remove(done)
	return nil
}
