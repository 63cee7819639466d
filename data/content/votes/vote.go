package votes

import (
	"sync"

	"plaza/data"
	"plaza/data/lists/hot"
	"plaza/data/pace/batch"
	"plaza/ranking"
)

// Store records votes, folds them into the counters and quarantines those of brigades.
type Store struct {
	data.Base
	Hot    *hot.Sets
	Limits ranking.Thresholds // of what counts as a brigade; with the zero value nothing does

	mu     sync.Mutex // never held across I/O
	groups map[data.Where]*batch.Batcher[casting]
}
