package votes

import (
	"sync"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/pace/batch"
	"plaza/ranking"
)

// Store records votes, applies them to the counters and quarantines the votes of brigades.
type Store struct {
	data.Base
	Hot    *hot.Sets
	Limits ranking.Thresholds // of a brigade; with the zero value, votes are not checked

	mu       sync.Mutex // never held across I/O
	batchers map[data.Where]*batch.Batcher[pendingVote]
}
