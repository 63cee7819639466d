package listings

import (
	"context"

	"plaza/data"
	"plaza/data/content/hot"
)

// hasSet reports whether the page is the beginning of a hot set.
func (q *Query) hasSet() bool {
	return q.Order == data.OrderHot && q.After.IsZero() && q.Author == "" && q.About == "" && q.Flair == 0 && q.Tags == "" && !q.Unseen
}

// Confirm returns a function that checks whether the Redis set of a hot listing begins with its page. If so, Find reads the posts of this
// page by their ids for data.ListingLife. lost reports that the set has to be rebuilt. Call Confirm after Run, and the function after the
// response: no page waits for Redis.
//
// The function is nil if there is nothing to check: the database has not sorted the page, it has no posts, a shard is missing from it, or
// this instance has checked the same page within data.ListingLife.
func (s *Store) Confirm(l *Page) func(context.Context) (lost bool, err error) {
	scope, limit := l.query.Community, l.query.Limit+1
	if !l.sorted || !l.query.hasSet() || len(l.page()) == 0 || !l.read.Complete() || !s.Hot.Due(scope, limit, l.at) {
		return nil
	}
	if l.merge.End() != nil && len(l.posts) < limit { // the rest of the page is not known
		return nil
	}
	members := make([]hot.Member, min(len(l.posts), limit))
	for i, p := range l.posts[:len(members)] {
		members[i] = hot.Member{ID: p.ID, Hot: p.value}
	}
	return func(ctx context.Context) (lost bool, err error) {
		return s.Hot.Confirm(ctx, scope, limit, members, l.at, l.read.Lag())
	}
}
