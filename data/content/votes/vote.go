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
	Limits ranking.Thresholds // the thresholds of a brigade; with the zero value there are none

	mu     sync.Mutex // never held across I/O
	groups map[data.Where]*batch.Batcher[casting]
}
