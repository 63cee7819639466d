package reports

import (
	"context"
	"slices"

	"plaza/data"
)

// placesOf are the databases that may have cases of some posts, comments and members. The directory has those of members, whose ids are of
// any shard. Unavailable.
func (s *Store) placesOf(ctx context.Context, targets []data.ID) ([]data.Where, error) {
	if err := s.DB.KnowSlots(ctx, targets...); err != nil {
		return nil, err
	}
	places := []data.Where{data.In("")}
	for _, id := range targets {
		home := data.At(id)
		if !slices.Contains(places, home) && !slices.ContainsFunc(places, func(w data.Where) bool { return s.DB.Same(w, home) }) {
			places = append(places, home)
		}
	}
	return places, nil
}

// runFor runs a Read of all placesOf the targets. found are those that it finds. A shard may fail if it has none of the others: the number
// of a shard in a member's id means nothing, so the directory alone can find what is asked. Unavailable.
func (s *Store) runFor(ctx context.Context, r *data.Read, targets []data.ID, found *[]data.ID) error {
	failed := map[data.Where]error{}
	r.AllowFailing(func(shard data.Where, err error) { failed[shard] = err })
	if err := r.Run(ctx); err != nil {
		return err
	}
	for _, id := range targets {
		if !slices.Contains(*found, id) && failed[s.DB.ShardOf(id)] != nil {
			return failed[s.DB.ShardOf(id)]
		}
	}
	return nil
}
