package listings

import (
	"context"

	"plaza/data"
	"plaza/data/lists/hot"
)

// hasSet tells whether the page is the beginning of a set in Redis.
func (q *Query) hasSet() bool {
	return q.Order == data.OrderHot && q.After.IsZero() && q.Author == "" && q.About == "" && q.Flair == 0 && q.Tags == "" && !q.Unseen
}

// Confirm returns a function that asks Redis whether the set of a hot listing begins as its page does. If so, Find takes the posts of this
// page by their ids for data.ListingLife. lost tells that the set has to be rebuilt. Call Confirm after Run, and the function when the page
// is shown: no page waits for Redis.
//
// The function is nil if there is nothing to ask for: the database has not sorted the page, it has no posts, a shard is missing from it, or
// this instance has asked for the same page within data.ListingLife.
func (s *Store) Confirm(l *Page) func(context.Context) (lost bool, err error) {
	scope, limit := l.query.Community, l.query.Limit+1
	if !l.sorted || !l.query.hasSet() || len(l.page()) == 0 || !l.read.Complete() || !s.Hot.Due(scope, limit, l.at) {
		return nil
	}
	if l.merge.End() != nil && len(l.posts) < limit { // nobody knows what follows on it
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
