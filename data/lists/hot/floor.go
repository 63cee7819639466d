package hot

import (
	"context"
	"errors"
	"sync"

	"plaza/data/wire/upstash"
)

// Most posts of a large site stand in no set: a vote moves them, and they are still below the last post of a full one. To add such a post
// and to trim it again takes three commands a set. So an instance remembers the score of the last post of each full set, its floor. A post
// below it is only changed, if it is there after all (ZADD … XX). That is one command.
//
// A floor may be a little out of date. It rises while posts are added. Where it has sunk, because posts were removed, a post that belongs
// to the lower half of the set may be missing there. No page is compared with that half.

// floorTrims is how many posts are trimmed from a set before its floor is asked for again: so far it may have risen meanwhile.
const floorTrims = 16

// floorsMost bounds how many sets an instance remembers the floors of.
const floorsMost = 10000

// floors are the scores of the last posts of full sets, by their keys.
type floors struct {
	mu sync.Mutex // never held across I/O
	of map[string]floor
}

type floor struct {
	score   float64
	trimmed int // since it was asked for
}

// above tells whether a score is below the floor of a set.
func (f *floors) above(key string, score float64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	known, there := f.of[key]
	return there && score < known.score
}

// due counts posts that were trimmed from a set. It tells whether to ask for the floor.
func (f *floors) due(key string, trimmed int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	known, there := f.of[key]
	if !there || known.trimmed+trimmed >= floorTrims {
		return true
	}
	known.trimmed += trimmed
	f.of[key] = known
	return false
}

func (f *floors) put(key string, score float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil || len(f.of) >= floorsMost {
		f.of = map[string]floor{}
	}
	f.of[key] = floor{score: score}
}

// forget forgets the floor of a set that a post was removed from: it is not full now.
func (f *floors) forget(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.of, key)
}

// learnFloors asks for the floors of full sets.
func (h *Sets) learnFloors(ctx context.Context, keys []string) error {
	cmds := make([]upstash.Cmd, len(keys))
	for i, key := range keys {
		cmds[i] = upstash.Cmd{"ZRANGE", key, 0, 0, "WITHSCORES"}
	}
	replies, err := h.Redis.Pipeline(ctx, cmds...) // none if there are no commands
	if err != nil {
		return err
	}
	for i, key := range keys {
		last, errList := replies[i].List()
		if errList != nil || len(last) != 2 {
			err = errors.Join(err, errList)
			continue // an empty set has no floor
		}
		score, errScore := last[1].Float()
		if errScore != nil {
			err = errors.Join(err, errScore)
			continue
		}
		h.floors.put(key, score)
	}
	return err
}
