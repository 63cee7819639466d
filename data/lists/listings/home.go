package listings

import (
	"context"
	"maps"
	"slices"

	"plaza/data"
	"plaza/data/content/posts"
)

// homeOnRead limits the followees above the fan-out threshold whose posts a page of a timeline merges: the 100 whom the member followed
// last.
const homeOnRead = 100

// Home is a page of a member's timeline: posts of followed authors and the member's own, the last published first, without what the
// member hides and without blocked authors. Read it after Run.
//
// Most posts are entries of the timeline. The member's own posts, and posts of authors with too many followers for a fan-out on write,
// are merged on read. So are the posts of the tags that the member follows.
type Home struct {
	limit   int
	read    *data.Read
	entries map[data.ID]*homeEntry
	merge   *data.Merge[*homeEntry]
}

// homeEntry is a place in a timeline.
type homeEntry struct {
	at   float64
	id   data.ID
	post *posts.Post // nil until it is read, and if it is deleted or hidden
}

const (
	// Every database has all blocks.
	homeVisible = ` AND NOT EXISTS (SELECT 1 FROM hides x WHERE x.user_id = :viewer AND x.post_id = f.id)
    AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = :viewer AND b.blocked_id = f.author_id)`

	// The entries of a timeline after the cursor, :value and :id. Primary key of timeline in its order.
	homeEntries = ` FROM timeline t WHERE t.user_id = :viewer AND (t.posted_at, t.post_id) < (:value, :id)
  ORDER BY t.posted_at DESC, t.post_id DESC LIMIT :limit`

	// With one database: the entries whose posts exist.
	homeFiled = `(at, id) AS (SELECT t.posted_at, f.id FROM timeline t CROSS JOIN posts f ON f.id = t.post_id
WHERE t.user_id = :viewer AND (t.posted_at, t.post_id) < (:value, :id) AND f.status = 'published'` + homeVisible + `
ORDER BY t.posted_at DESC, t.post_id DESC LIMIT :walk)`
	homeShown = `SELECT ` + posts.Columns + posts.ViewerColumns + `, w.at, w.ends FROM shown w CROSS JOIN posts p ON p.id = w.id` +
		posts.JoinViewerVote

	// With several: the entries, from the directory, and then their posts.
	homeEntryIDs = `SELECT t.posted_at, t.post_id` + homeEntries
	homePosts    = `SELECT ` + posts.Columns + posts.ViewerColumns + `, p.created_at, 0 FROM json_each(:ids) j
  CROSS JOIN posts f ON f.id = j.value
  CROSS JOIN posts p ON p.id = f.id` + posts.JoinViewerVote + `
WHERE f.status = 'published'` + homeVisible + ` AND NOT (:unseen AND EXISTS (SELECT 1 FROM visits s WHERE s.user_id = :viewer
  AND s.post_id = f.id) AND f.author_id IS NOT :viewer)`

	// The authors whose posts are merged. Index follows_on_read, from its end.
	homeOnReadFollowees = `SELECT f.followee_id FROM follows f WHERE f.follower_id = :viewer AND f.on_read = 1 ORDER BY f.created_at DESC
  LIMIT :on_read`
	homeMine  = `WITH RECURSIVE mine (author) AS MATERIALIZED (SELECT * FROM (` + homeOnReadFollowees + `) UNION ALL SELECT :viewer)`
	homeGiven = `WITH RECURSIVE mine (author) AS MATERIALIZED (SELECT value FROM json_each(:authors))`

	// The merge. The queue of the recursion has the next post of each author, each found by a seek in posts_by. Each step removes the newest
	// one and adds the next of its author.
	homeHeads = `, heads (author, at, id) AS MATERIALIZED (
  SELECT m.author, p.created_at, p.id FROM mine m CROSS JOIN posts p ON p.id = (
    SELECT f.id FROM posts f WHERE f.author_id = m.author AND f.status = 'published'
  AND (f.created_at, f.id) < (:value, :id COLLATE BINARY)` + homeVisible + `
    ORDER BY f.created_at DESC, f.id DESC LIMIT 1)), `
	homeMerged = `(author, at, id) AS (
  SELECT h.author, h.at, h.id FROM heads h
  UNION ALL
  SELECT g.author, p.created_at, p.id FROM merged g CROSS JOIN posts p ON p.id = (
    SELECT f.id FROM posts f WHERE f.author_id = g.author AND f.status = 'published'
  AND (f.created_at, f.id) < (g.at, +g.id COLLATE BINARY)` + homeVisible + `
    ORDER BY f.created_at DESC, f.id DESC LIMIT 1)
  ORDER BY 2 DESC, 3 DESC LIMIT :walk)`
)

// FindHome reads a page of a member's timeline along with a page of the site; unseen leaves out seen posts. If posts are in other
// databases than timelines, it reads the directory first.
func (s *Store) FindHome(ctx context.Context, r *data.Read, member data.ID, unseen bool, after data.Cursor, limit int) (*Home, error) {
	h := &Home{limit: limit, read: r, entries: map[data.ID]*homeEntry{}, merge: data.NewMerge((*homeEntry).compare)}
	value, id := data.KeysetFrom(after)
	args := func(more data.Args) data.Args {
		more["viewer"] = member
		return more
	}
	// find reads the posts of merged, with the arguments more.
	find := func(where data.Where, scan func(*data.Row), before, merged string, more data.Args) {
		all := walk(args(data.Args{"value": value, "id": id}), unseen, limit+1)
		maps.Copy(all, more)
		r.FindAt(where, walkSQL(unseen, before, merged, homeShown), all, scan)
	}
	if !s.DB.HasShards() {
		find(data.In(""), h.part, walkedWith, homeFiled, nil)
		find(data.In(""), h.part, homeMine+homeHeads, homeMerged, data.Args{"on_read": homeOnRead})
		find(data.In(""), h.tagged(), homeTags+homeTagHeads, homeTagged, nil)
		return h, nil
	}
	authors, ids := []data.ID{member}, []data.ID{}
	before := r.More()
	before.Find(homeEntryIDs, args(data.Args{"value": value, "id": id, "limit": limit + 1}), func(row *data.Row) {
		entry := &homeEntry{at: float64(row.Int()), id: row.ID()}
		h.entries[entry.id], ids = entry, append(ids, entry.id)
	})
	before.Find(homeOnReadFollowees, args(data.Args{"on_read": homeOnRead}),
		func(row *data.Row) { authors = append(authors, row.ID()) })
	var tags []string
	before.Find(homeTagNames, args(data.Args{}), func(row *data.Row) { tags = append(tags, row.Text()) })
	if err := before.Run(ctx); err != nil {
		return nil, err
	}
	r.FindByIDs(ids, homePosts, args(data.Args{"unseen": unseen}), h.part)
	return h, s.DB.OnAll(func(shard data.Where) error {
		find(shard, h.part, homeGiven+homeHeads, homeMerged, data.Args{"authors": authors})
		if len(tags) > 0 {
			find(shard, h.tagged(), homeTagsGiven+homeTagHeads, homeTagged, data.Args{"tags": tags})
		}
		return nil
	})
}

// part reads a row: a post, when it was published, and whether the statement has stopped here.
func (h *Home) part(row *data.Row) { h.scan(row) }

// scan is part, and returns the place of the post.
func (h *Home) scan(row *data.Row) *homeEntry {
	p := &posts.Post{}
	p.Scan(row)
	entry := &homeEntry{at: float64(row.Int()), id: p.ID, post: p}
	switch {
	case row.Bool():
		h.merge.EndAt(entry)
	case row.InOwnShard(p.ID):
		h.entries[p.ID] = entry
	}
	return entry
}

func (h *Home) sorted() []*homeEntry {
	list := slices.SortedFunc(maps.Values(h.entries), (*homeEntry).compare)
	return slices.DeleteFunc(list, h.merge.IsAfterEnd)
}

// Items returns the page in its order. It may be shorter than its limit although there are more pages: with several databases, because
// deleted and hidden posts are not replaced, and if seen posts are left out (walkFactor).
func (h *Home) Items() (items []*posts.Post) {
	list := h.sorted()
	for _, entry := range list[:min(len(list), h.limit)] {
		if entry.post != nil {
			items = append(items, entry.post)
		}
	}
	return items
}

// Next returns the cursor of the following page; zero on the last.
func (h *Home) Next() data.Cursor {
	list := h.sorted()
	var last *homeEntry
	if end := h.merge.End(); end != nil {
		last = *end
	}
	switch {
	case len(list) > h.limit:
		last = list[h.limit-1]
	case last == nil && len(list) > 0 && !h.read.Complete(): // it may not be the last page
		last = list[len(list)-1]
	}
	if last == nil {
		return data.Cursor{}
	}
	return data.Cursor{Order: byte(data.OrderHome), Value: last.at, ID: last.id}
}
