package data

import (
	"slices"

	"plaza/data/hrana"
)

// warmListing is what of a listing's page is the same for every member. Nothing of it
// is changed once it is kept: pages share it.
type warmListing struct {
	posts  []listed // counters without the votes of whoever read them first
	ids    []HotMember
	more   bool
	shards []warmShard
}

// warmShard is which of the posts a shard has, for json_each.
type warmShard struct {
	client *hrana.Client
	ids    string
}

// ownState is what the member has done with the listed posts: votes, with the posts'
// counters of the same moment, so that a vote is counted once whether or not it was
// folded since the listing was read, and what they save and hide. Three look-ups by
// primary key a listed post, and some rows for each where one of them finds something.
const ownState = `SELECT p.id, p.ups, p.downs` + postMine + ` FROM json_each(?2) j CROSS JOIN posts p ON p.id = j.value` + postVote + `
WHERE v.target_id IS NOT NULL
  OR EXISTS (SELECT 1 FROM saves k WHERE k.user_id = ?1 AND k.target_id = j.value)
  OR EXISTS (SELECT 1 FROM hides x WHERE x.user_id = ?1 AND x.post_id = j.value)`

func (l *Listing) warmKey() ListingQuery {
	key := l.query
	key.Viewer = 0
	return key
}

// findWarm fills the listing from memory and asks for the viewer's own votes only. A
// visitor's pages are kept by the edge cache instead.
func (s *ListingStore) findWarm(r *Read, l *Listing) bool {
	if l.query.Viewer == 0 {
		return false
	}
	kept, ok := s.warm.get(l.warmKey(), l.at, r.changed)
	if !ok {
		r.after(func() { s.keepWarm(l) })
		return false
	}
	l.ids, l.more = kept.ids, kept.more
	l.posts = slices.Clone(kept.posts)
	for _, shard := range kept.shards {
		r.addOwn(shard.client, 0, shard.ids, stmt(ownState, l.query.Viewer, shard.ids), func(res hrana.Result) error {
			return each(res, func(row *Row) {
				id := row.ID()
				i := slices.IndexFunc(l.posts, func(p listed) bool { return p.ID == id })
				if i < 0 {
					return
				}
				p := *l.posts[i].Post
				p.Ups, p.Downs = row.Int(), row.Int()
				p.addOwn(row)
				l.posts[i].Post = &p
			})
		})
	}
	return true
}

// keepWarm keeps the page that was read for the other members.
func (s *ListingStore) keepWarm(l *Listing) {
	kept := warmListing{posts: make([]listed, len(l.posts)), ids: l.ids, more: l.more}
	for i, p := range l.posts {
		neutral := *p.Post
		neutral.Ups, neutral.Downs = p.Ups-p.ownUps, p.Downs-p.ownDowns
		neutral.MyVote, neutral.ownUps, neutral.ownDowns = 0, 0, 0
		neutral.Saved, neutral.Hidden = false, false
		kept.posts[i] = listed{&neutral, p.value}
	}
	place := func(p listed) int { return slices.IndexFunc(l.ids, func(m HotMember) bool { return m.ID == p.ID }) }
	slices.SortStableFunc(kept.posts, func(a, b listed) int { return place(a) - place(b) })
	byShard := map[*hrana.Client][]ID{}
	for _, p := range l.posts {
		if c := s.DB.shard(p.ID); c != nil {
			byShard[c] = append(byShard[c], p.ID)
		}
	}
	for c, ids := range byShard {
		kept.shards = append(kept.shards, warmShard{c, jsonIDs(ids)})
	}
	s.warm.put(l.warmKey(), kept, l.at.Add(ListingLife))
}
