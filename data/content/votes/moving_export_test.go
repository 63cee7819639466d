package votes

import (
	"context"

	"plaza/data"
)

// CastTogether casts votes of 1 on targets in one batch. It returns the response to each voter.
func (s *Store) CastTogether(ctx context.Context, home data.Where, a data.Actor, targets []data.ID) []error {
	var votes []*pendingVote
	for _, target := range targets {
		votes = append(votes, &pendingVote{Actor: a, target: target, value: 1, castAt: s.Source.Now().UnixMilli()})
	}
	err := s.batcher(home).Run(ctx, votes)
	errs := make([]error, len(votes))
	for i, v := range votes {
		if errs[i] = err; err == nil {
			errs[i] = v.failed
		}
	}
	return errs
}
