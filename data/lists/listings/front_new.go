package listings

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/content/posts"
)

// FrontByTime is a page of the newest posts in a member's communities (data.OrderFrontNew), or of those with the newest comments
// (OrderFrontActive), without what the member hides. It uses the same communities as Front. Read it after Run.
type FrontByTime struct {
	order data.Order
	limit int
	read  *data.Read
	posts []listed
	given bool    // communities of the member are read from shards
	end   *listed // how far all databases have read; nil if they have read to the end
}

const (
	timeSubscribed = `WITH RECURSIVE mine (community_id) AS MATERIALIZED (SELECT own.community_id` + frontSample + `)`
	timeGiven      = `WITH RECURSIVE mine (community_id) AS MATERIALIZED (SELECT value FROM json_each(:given))`
	timeShown      = `SELECT ` + posts.Columns + posts.ViewerColumns + `, w.at, w.ends FROM shown w CROSS JOIN posts p ON p.id = w.id` +
		posts.JoinViewerVote
)

// timeSQL returns the statement of a front page by time, of the communities in mine (timeSubscribed or timeGiven). The queue of the
// recursion has the next post of each community, each found by a seek in posts_new or posts_active. Each step removes the latest one and
// adds the next of its community.
func timeSQL(order data.Order, mine string, unseen bool) string {
	column := "created_at"
	if order == data.OrderFrontActive {
		column = "active"
	}
	fill := strings.NewReplacer("{at}", column).Replace
	return walkSQL(unseen, mine+fill(timeHeads), fill(timeMerged), timeShown)
}

const (
	timeHeads = `, heads (community_id, at, id) AS MATERIALIZED (
  SELECT mine.community_id, p.{at}, p.id FROM mine CROSS JOIN posts p ON p.id = (
    SELECT next.id FROM posts next
    WHERE next.community_id = mine.community_id AND next.status = 'published' AND (next.{at}, next.id) < (:value,
  :id COLLATE BINARY)` + frontVisible + `
    ORDER BY next.{at} DESC, next.id DESC LIMIT 1)), `
	timeMerged = `(community_id, at, id) AS (
  SELECT head.community_id, head.at, head.id FROM heads head
  UNION ALL
  SELECT best.community_id, p.{at}, p.id FROM merged best CROSS JOIN posts p ON p.id = (
    SELECT next.id FROM posts next
    WHERE next.community_id = best.community_id AND next.status = 'published' AND (next.{at}, next.id) < (best.at,
  +best.id COLLATE BINARY)` + frontVisible + `
    ORDER BY next.{at} DESC, next.id DESC LIMIT 1)
  ORDER BY 2 DESC, 3 DESC LIMIT :walk)`
)

// FindFrontByTime reads a page of a member's communities in the order OrderFrontNew or OrderFrontActive along with a page of the site;
// unseen leaves out seen posts. An instance caches the first page for the member. If communities are in other databases than
// subscriptions, it reads the directory first, unless the result is cached.
func (s *Store) FindFrontByTime(ctx context.Context, r *data.Read, member data.ID, order data.Order, unseen bool, after data.Cursor,
	limit int) (*FrontByTime, error) {
	f := &FrontByTime{order: order, limit: limit, read: r}
	value, id := data.KeysetFrom(after)
	find := func(where data.Where, mine string, args data.Args, about string) {
		args["viewer"], args["value"], args["id"] = member, value, id
		args, sql := walk(args, unseen, limit+1), timeSQL(order, mine, unseen)
		if after.IsZero() {
			r.FindCachedAt(where, aboutPage(limit, unseen)+about, sql, args, f.scan)
		} else {
			r.FindAt(where, sql, args, f.scan)
		}
	}
	sample := frontSampleOf(member, s.Source.Now())
	if !s.DB.HasShards() {
		find(data.In(""), timeSubscribed, sample, "")
		return f, nil
	}
	given, err := s.findSample(ctx, r, sample)
	if err != nil {
		return nil, err
	}
	byShard := s.DB.Group(given)
	f.given = len(byShard) > 0
	for shard, list := range byShard {
		about := ""
		for _, c := range list {
			about += " " + c.Text()
		}
		find(shard, timeGiven, data.Args{"given": list}, about)
	}
	return f, nil
}

func (f *FrontByTime) scan(row *data.Row) {
	p := listed{Post: &posts.Post{}}
	p.Scan(row)
	p.value = float64(row.Int())
	if row.Bool() {
		f.end = earlier(f.end, p, compareListed)
	} else {
		f.posts = append(f.posts, p)
	}
}

// sorted returns all that was read, in the order of the page. Each shard has returned as many posts as a page has.
func (f *FrontByTime) sorted() []listed {
	f.posts = until(f.posts, f.end, compareListed)
	return f.posts
}

// Items returns the page in its order.
func (f *FrontByTime) Items() []*posts.Post {
	sorted := f.sorted()
	list := make([]*posts.Post, min(len(sorted), f.limit))
	for i, p := range sorted[:len(list)] {
		list[i] = p.Post
	}
	return list
}

// OnShards is as Front.OnShards.
func (f *FrontByTime) OnShards() bool { return f.given }

// Next returns the cursor of the following page; zero on the last.
func (f *FrontByTime) Next() data.Cursor {
	last, more := lastOf(f.read, f.sorted(), f.end, f.limit)
	if !more {
		return data.Cursor{}
	}
	return data.Cursor{Order: byte(f.order), Value: last.value, ID: last.ID}
}
