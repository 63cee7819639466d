package listings

import (
	"cmp"
	"context"

	"plaza/data"
	"plaza/data/content/posts"
)

// FrontNew is a page of what was posted last in a member's communities, without what the member hides. It draws on the same communities
// as Front. Read it after Run.
type FrontNew struct {
	limit int
	posts []*posts.Post
	end   **posts.Post // as far as all databases have looked; nil if they have all that follows
}

const (
	newSubscribed = `WITH RECURSIVE mine (community_id) AS MATERIALIZED (SELECT own.community_id` + frontSample + `)`
	newGiven      = `WITH RECURSIVE mine (community_id) AS MATERIALIZED (SELECT value FROM json_each(:given))`

	// The merge. The queue of the recursion holds the next post of each community, each found by a seek in posts_new. The newest one is
	// taken out, and the next one of its community is put in.
	newHeads = `, heads (community_id, at, id) AS MATERIALIZED (
  SELECT mine.community_id, p.created_at, p.id FROM mine CROSS JOIN posts p ON p.id = (
    SELECT next.id FROM posts next
    WHERE next.community_id = mine.community_id AND next.status = 'published' AND (next.created_at, next.id) < (:value,
  :id COLLATE BINARY)` + frontVisible + `
    ORDER BY next.created_at DESC, next.id DESC LIMIT 1)), `
	newMerged = `(community_id, at, id) AS (
  SELECT head.community_id, head.at, head.id FROM heads head
  UNION ALL
  SELECT best.community_id, p.created_at, p.id FROM merged best CROSS JOIN posts p ON p.id = (
    SELECT next.id FROM posts next
    WHERE next.community_id = best.community_id AND next.status = 'published' AND (next.created_at, next.id) < (best.at,
  +best.id COLLATE BINARY)` + frontVisible + `
    ORDER BY next.created_at DESC, next.id DESC LIMIT 1)
  ORDER BY 2 DESC, 3 DESC LIMIT :walk)`
	newShown = `SELECT ` + posts.Columns + posts.Own + `, w.ends FROM shown w CROSS JOIN posts p ON p.id = w.id` + posts.OwnVote
)

// FindFrontNew reads a page of what was posted last in a member's communities along with a page of the site; unseen leaves out what they
// have seen. An instance remembers the first page for the member. Where communities live in other databases than subscriptions, it asks the
// directory first, unless the answer is remembered.
func (s *Store) FindFrontNew(ctx context.Context, r *data.Read, member data.ID, unseen bool, after data.Cursor,
	limit int) (*FrontNew, error) {
	f := &FrontNew{limit: limit}
	value, id := data.KeysetFrom(after)
	find := func(where data.Where, sql string, args data.Args, about string) {
		args["viewer"], args["value"], args["id"] = member, value, id
		args, sql = walk(args, unseen, limit+1), walkSQL(unseen, sql+newHeads, newMerged, newShown)
		if after.IsZero() {
			r.FindOwn(where, aboutPage(limit, unseen)+about, sql, args, f.scan)
		} else {
			r.Find(where, sql, args, f.scan)
		}
	}
	sample := frontSampleOf(member, s.Source.Now())
	if shards := s.DB.Shards(); len(shards) == 1 && s.DB.Same(data.Directory, shards[0]) {
		find(data.Directory, newSubscribed, sample, "")
		return f, nil
	}
	given, err := s.findSample(ctx, r, sample)
	if err != nil {
		return nil, err
	}
	byShard := map[data.Where][]data.ID{}
	for _, c := range given {
		byShard[data.HomeOfID(c)] = append(byShard[data.HomeOfID(c)], c)
	}
	for shard, list := range byShard {
		about := ""
		for _, c := range list {
			about += " " + c.Text()
		}
		find(shard, newGiven, data.Args{"given": list}, about)
	}
	return f, nil
}

func (f *FrontNew) scan(row *data.Row) {
	p := &posts.Post{}
	p.Scan(row)
	if row.Bool() {
		f.end = earlier(f.end, p, compareNew)
	} else {
		f.posts = append(f.posts, p)
	}
}

func compareNew(a, b *posts.Post) int {
	return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
}

// sorted returns all that was read, in the order of the page. Each shard has given as many posts as a page has.
func (f *FrontNew) sorted() []*posts.Post {
	f.posts = until(f.posts, f.end, compareNew)
	return f.posts
}

// Items is the page in its order.
func (f *FrontNew) Items() []*posts.Post {
	list := f.sorted()
	return list[:min(len(list), f.limit)]
}

// Next is the cursor of the following page; zero on the last.
func (f *FrontNew) Next() data.Cursor {
	last, more := lastOf(f.sorted(), f.end, f.limit)
	if !more {
		return data.Cursor{}
	}
	return data.Cursor{Order: byte(data.OrderFrontNew), Value: float64(last.CreatedAt.UnixMilli()), ID: last.ID}
}
