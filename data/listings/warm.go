package listings

import (
	"slices"

	"plaza/data"
	"plaza/data/hot"
	"plaza/data/posts"
)

// warmPage is what of a listing's page is the same for every member. Nothing of it is changed once it is kept: pages share
// it.
type warmPage struct {
	posts  []listed // counters without the votes of whoever read them first
	ids    []hot.Member
	more   bool
	shards []warmShard
}

// warmShard is which of the posts a shard has.
type warmShard struct {
	shard data.Where
	ids   string // a JSON array
}

// ownState is what the member :viewer has done with the posts :ids: votes, with the posts' counters of the same moment, so
// that a vote is counted once whether or not it was folded since the listing was read, and what they save and hide. Three
// look-ups by primary key a listed post, and some rows for each where one of them finds something.
const ownState = `SELECT p.id, p.ups, p.downs` + posts.Own + ` FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value` + posts.OwnVote + `
WHERE v.target_id IS NOT NULL
  OR EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :viewer AND k.target_id = j.value)
  OR EXISTS (SELECT 1 FROM hides x WHERE x.user_id = :viewer AND x.post_id = j.value)`

// findWarm fills the page from memory and asks for the viewer's own votes only. It returns false where nothing is kept,
// and then keeps what the Read finds. A visitor's pages are kept by the edge cache instead.
func (s *Store) findWarm(r *data.Read, l *Page) bool {
	if l.query.Viewer == 0 {
		return false
	}
	kept, ok := s.warm.Get(l.warmKey(), l.at, r.Changed)
	if !ok {
		r.After(func() { s.keepWarm(l) })
		return false
	}
	l.ids, l.more = kept.ids, kept.more
	l.posts = slices.Clone(kept.posts)
	for _, of := range kept.shards {
		r.FindOwn(of.shard, of.ids, ownState, data.Args{"viewer": l.query.Viewer, "ids": of.ids}, func(row *data.Row) {
			id := row.ID()
			i := slices.IndexFunc(l.posts, func(p listed) bool { return p.ID == id })
			if i < 0 {
				return
			}
			p := *l.posts[i].Post
			p.Ups, p.Downs = row.Int(), row.Int()
			p.AddOwn(row)
			l.posts[i].Post = &p
		})
	}
	return true
}

// warmKey is the query without its viewer.
func (l *Page) warmKey() Query {
	key := l.query
	key.Viewer = 0
	return key
}

// keepWarm keeps the page that was read for the other members.
func (s *Store) keepWarm(l *Page) {
	kept := warmPage{posts: make([]listed, len(l.posts)), ids: l.ids, more: l.more}
	for i, p := range l.posts {
		neutral := *p.Post
		neutral.Ups, neutral.Downs = p.Ups-p.OwnUps, p.Downs-p.OwnDowns
		neutral.MyVote, neutral.OwnUps, neutral.OwnDowns = 0, 0, 0
		neutral.Saved, neutral.Hidden = false, false
		kept.posts[i] = listed{&neutral, p.value}
	}
	place := func(p listed) int { return slices.IndexFunc(l.ids, func(m hot.Member) bool { return m.ID == p.ID }) }
	slices.SortStableFunc(kept.posts, func(a, b listed) int { return place(a) - place(b) })
	byShard := map[data.Where][]data.ID{}
	for _, p := range l.posts {
		home := data.HomeOfID(p.ID)
		byShard[home] = append(byShard[home], p.ID)
	}
	for home, ids := range byShard {
		kept.shards = append(kept.shards, warmShard{home, data.JSONIDs(ids)})
	}
	s.warm.Put(l.warmKey(), kept, l.at.Add(data.ListingLife))
}
