package reports

import (
	"context"
	"fmt"
	"slices"

	"plaza/data"
)

// placesOf are the databases that may have cases of some posts, comments and members. The directory has those of members, whose ids are of
// any shard.
func (s *Store) placesOf(targets []data.ID) []data.Where {
	places := []data.Where{data.Directory}
	for _, id := range targets {
		home := data.HomeOfID(id)
		if !slices.ContainsFunc(places, func(w data.Where) bool { return s.DB.Same(w, home) }) {
			places = append(places, home)
		}
	}
	return places
}

// runFor runs a Read of all placesOf the targets. found are those that it finds. Another shard than theirs may be away: the number of a
// shard in a member's id means nothing. Unavailable.
func runFor(ctx context.Context, r *data.Read, targets []data.ID, found *[]data.ID) error {
	r.AllowMissing()
	if err := r.Run(ctx); err != nil {
		return err
	}
	for _, id := range targets {
		if home := data.HomeOfID(id); slices.Contains(r.Missing(), home) && !slices.Contains(*found, id) {
			return data.UnavailableBecause(fmt.Errorf("%s does not answer", home))
		}
	}
	return nil
}
