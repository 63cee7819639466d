package reports

import (
	"context"
	"slices"

	"plaza/data"
)

// placesOf returns the databases that may have queue items about some posts, comments and members. Those about members are in the
// directory; the slots of their ids don't matter. Unavailable.
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

// runFor runs a Read of all placesOf the targets. found are the targets that it finds. A shard may fail if it can have only targets that
// were found elsewhere, such as members: the slots of their ids have no meaning. Unavailable.
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
