package hot

import (
	"context"
	"sync"
	"time"

	"plaza/data/wire/upstash"
)

// Most posts of a large site stand in no set: a vote moves them, and they are still below the last post of a full one. To add such a post
// and to trim it again takes three commands a set. So an instance remembers the score of the last post of each full set, its floor, for as
// long as a set lives. A post below it is only changed, if it is there after all (ZADD … XX). That is one command.
//
// A floor may be out of date. It rises while posts are added. It sinks if another instance removes many posts. Then a new post may be
// missing in the set until the floor is forgotten, as it may if its vote comes while the set is rebuilt. Such a set confirms no page that
// should have the post (Confirm). No wrong page is shown.

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
	until   time.Time
	trimmed int // since it was asked for
}

// isBelow tells whether a score is below the floor of a set.
func (f *floors) isBelow(key string, score float64, now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	known, there := f.of[key]
	return there && now.Before(known.until) && score < known.score
}

// countTrimmed counts posts that were trimmed from a set. It tells whether to ask for the floor.
func (f *floors) countTrimmed(key string, trimmed int, now time.Time) (ask bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	known, there := f.of[key]
	if !there || now.After(known.until) || known.trimmed+trimmed >= floorTrims {
		return true
	}
	known.trimmed += trimmed
	f.of[key] = known
	return false
}

func (f *floors) put(key string, score float64, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil || len(f.of) >= floorsMost {
		f.of = map[string]floor{}
	}
	f.of[key] = floor{score: score, until: now.Add(life * time.Second)}
}

// forget forgets the floor of a set that a post was removed from: it is not full now.
func (f *floors) forget(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.of, key)
}

// learnFloors asks for the floors of sets, of those that are still full.
func (h *Sets) learnFloors(ctx context.Context, keys []string, now time.Time) error {
	cmds := make([]upstash.Cmd, 0, 2*len(keys))
	for _, key := range keys {
		cmds = append(cmds, upstash.Cmd{"ZCARD", key}, upstash.Cmd{"ZRANGE", key, 0, 0, "WITHSCORES"})
	}
	replies, err := h.Redis.Pipeline(ctx, cmds...) // none if there are no commands
	if err == nil {
		err = upstash.FirstError(replies)
	}
	if err != nil {
		return err
	}
	for i, key := range keys {
		members, err := replies[2*i].Int()
		if err != nil {
			return err
		}
		last, err := replies[2*i+1].List()
		if err != nil {
			return err
		}
		if members <= int64(h.Cap) || len(last) != 2 { // with the member whole, a full set has one more
			continue
		}
		score, err := last[1].Float()
		if err != nil {
			return err
		}
		h.floors.put(key, score, now)
	}
	return nil
}
