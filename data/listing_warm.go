package data

import (
	"time"

	"plaza/data/hrana"
)

// ListingLife is how long an instance shows members the same listing without asking
// again. Their own votes and whatever they post here show at once all the same; what
// others do shows this much later, less than the queue takes to count it.
const ListingLife = 2 * time.Second

// warmListing is what of a listing's page is the same for every member.
type warmListing struct {
	posts []listed // counters without the votes of whoever read them first
	ids   []HotMember
	more  bool
}

// ownVotes are the member's votes on the listed posts, with the posts' counters of the
// same moment, so that a vote is counted once whether or not it was folded since the
// listing was read: one look-up by primary key a listed post, four rows a vote.
const ownVotes = `SELECT p.id, p.ups, p.downs` + postMine + ` FROM votes v CROSS JOIN posts p ON p.id = v.target_id
WHERE v.user_id = ?1 AND v.target_id IN (SELECT value FROM json_each(?2))`

func (l *Listing) warmKey() ListingQuery {
	key := l.query
	key.Viewer = 0
	return key
}

// findWarm fills the listing from memory and asks for the viewer's own votes only. A
// visitor's pages are kept by the edge cache instead.
func (s *PostStore) findWarm(r *Read, l *Listing) bool {
	if l.query.Viewer == 0 {
		return false
	}
	kept, ok := s.warm.get(l.warmKey(), l.at)
	if !ok {
		r.after(func() { s.keepWarm(l) })
		return false
	}
	l.ids, l.more = kept.ids, kept.more
	l.posts = make([]listed, len(kept.posts))
	copies := make([]Post, len(kept.posts))
	byID := make(map[ID]*Post, len(kept.posts))
	byShard := map[*hrana.Client][]ID{}
	for i, p := range kept.posts {
		copies[i] = *p.Post
		l.posts[i] = listed{&copies[i], p.value}
		byID[p.ID] = &copies[i]
		if c := s.DB.shard(p.ID); c != nil {
			byShard[c] = append(byShard[c], p.ID)
		}
	}
	for shard, ids := range byShard {
		r.add(shard, stmt(ownVotes, l.query.Viewer, jsonIDs(ids)), func(res hrana.Result) error {
			return each(res, func(row *row) {
				if p := byID[row.id()]; p != nil {
					p.Ups, p.Downs = row.int(), row.int()
					p.addOwn(row)
				}
			})
		})
	}
	return true
}

// keepWarm keeps the page that was read for the other members.
func (s *PostStore) keepWarm(l *Listing) {
	kept := warmListing{posts: make([]listed, len(l.posts)), ids: l.ids, more: l.more}
	for i, p := range l.posts {
		neutral := *p.Post
		neutral.Ups, neutral.Downs = p.Ups-p.ownUps, p.Downs-p.ownDowns
		neutral.MyVote, neutral.ownUps, neutral.ownDowns = 0, 0, 0
		kept.posts[i] = listed{&neutral, p.value}
	}
	s.warm.put(l.warmKey(), kept, l.at.Add(ListingLife))
}
