package data

// Index saves_listed in its order, then primary keys.
const savedPosts = `SELECT ` + postColumns + postMine + `, k.created_at FROM saves k CROSS JOIN posts p ON p.id = k.target_id` + postVote + `
WHERE k.user_id = ?1 AND k.target_id & 1 = 0 AND (k.created_at, k.target_id) < (?3, ?4) ORDER BY k.created_at DESC, k.target_id DESC LIMIT ?2`

// FindSaved reads a page of the posts that a member saves along with a page, the last
// saved first.
func (s *ListingStore) FindSaved(r *Read, member ID, after Cursor, limit int) *Listing {
	return s.findKept(r, savedPosts, ListingQuery{Order: OrderSaved, Viewer: member, After: after, Limit: limit})
}

func (s *ListingStore) findKept(r *Read, query string, q ListingQuery) *Listing {
	l := &Listing{query: q, at: s.Source.Now()}
	value, id := keysetFrom(q.After)
	for _, shard := range s.DB.shards {
		r.add(shard, stmt(query, q.Viewer, q.Limit+1, value, id), l.scan)
	}
	return l
}
