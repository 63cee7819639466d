// Package votes holds the votes of members on posts and comments: Cast records one, Fold adds what votes have changed to the
// counters of its target, and between the two a brigade's votes are found and quarantined until a moderator decides.
package votes

import (
	"context"
	"sync"

	"plaza/data"
	"plaza/data/group"
	"plaza/data/hot"
	"plaza/ranking"
)

// Store records votes, folds them into the counters and quarantines those of brigades.
type Store struct {
	DB     *data.DB
	Hot    *hot.Sets
	Source data.Source
	Limits ranking.Thresholds // of what is a brigade; the zero value finds none
	// Together is how many votes one transaction takes at most; 0 is 100, 1 is none together with others.
	Together int
	// Nudge is told which targets have new votes, once a transaction and before anybody who voted in it is answered; nil for
	// nobody.
	Nudge func(context.Context, []data.ID)

	mu     sync.Mutex // never held across I/O
	groups map[data.Where]*group.Group[casting]
}

// What votes.status says of a vote. Only votes of status 0 are in the counters.
const (
	counted = iota
	quarantined
	dropped // for good, by a moderator
)
