package hot

import (
	"context"
	"sync"
	"time"

	"plaza/data/wire/upstash"
)

// Most posts of a large site are in no set: a vote changes their score, and they are still below the last post of a full set. To add such
// a post and to trim it again takes three commands for each set. So an instance caches the score of the last post of each full set, its
// floor, for as long as a set lives. A post below it is only updated if it is in the set (ZADD … XX). That is one command.
//
// A floor may be out of date. It rises while posts are added. It falls if another instance removes many posts. Then a new post may be
// missing in the set until the floor is forgotten. The same happens if its vote is applied while the set is rebuilt. Such a set does not
// confirm a page that should have the post (Confirm), so no wrong page is shown.

// floorTrims is after how many trimmed posts the floor of a set is read again, because each trim may raise it.
const floorTrims = 16

// maxFloors limits the number of cached floors.
const maxFloors = 10000

// floors are the scores of the last posts of full sets, by the keys of the sets.
type floors struct {
	mu    sync.Mutex // never held across I/O
	byKey map[string]floor
}

type floor struct {
	score   float64
	until   time.Time
	trimmed int // since it was read
}

// isBelow reports whether a score is below the floor of a set.
func (f *floors) isBelow(key string, score float64, now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	known, ok := f.byKey[key]
	return ok && now.Before(known.until) && score < known.score
}

// countTrimmed counts posts that were trimmed from a set. It reports whether to read the floor again.
func (f *floors) countTrimmed(key string, trimmed int, now time.Time) (readAgain bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	known, ok := f.byKey[key]
	if !ok || now.After(known.until) || known.trimmed+trimmed >= floorTrims {
		return true
	}
	known.trimmed += trimmed
	f.byKey[key] = known
	return false
}

func (f *floors) put(key string, score float64, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byKey == nil || len(f.byKey) >= maxFloors {
		f.byKey = map[string]floor{}
	}
	f.byKey[key] = floor{score: score, until: now.Add(life * time.Second)}
}

// forget deletes the floor of a set that a post was removed from: the set is not full now.
func (f *floors) forget(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.byKey, key)
}

// readFloors reads and caches the floors of those sets that are full.
func (h *Sets) readFloors(ctx context.Context, keys []string, now time.Time) error {
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
		if members <= int64(h.Cap) || len(last) != 2 { // a full set has Cap posts and the member Whole
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
