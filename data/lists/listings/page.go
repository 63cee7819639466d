package listings

import (
	"cmp"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/content/posts"
	"plaza/ranking"
)

// Page is a page of posts. Read it after Run.
type Page struct {
	query Query
	read  *data.Read
	at    time.Time // when the read began
	posts []listed
	merge *data.Merge[listed]
	pins  []listed     // at the top of the page
	ids   []hot.Member // the known ids, in their order; nil if the database sorts
	more  bool         // there is more after ids
	isCut bool         // cut was called

	sorted bool // the database has sorted it, so it was not cached
	safe   bool // leaves out NSFW posts
}

// ExcludeNSFW makes the page leave out NSFW posts. It has no effect for visitors, on profiles and on lists about one address.
func (l *Page) ExcludeNSFW() { l.safe = true }

// excludes reports whether the page does not show a post. It also leaves out cached posts of a missing shard: only the shard knows
// whether the viewer has voted on them or hidden them.
func (l *Page) excludes(p *posts.Post) bool {
	return l.query.excludes() && (p.Hidden || l.safe && p.NSFW) || l.read.Misses(p.ID)
}

// listed is a post and the stored value that the listing sorts by. A vote of the viewer that is not applied yet is in the post's counters,
// but not in this value.
type listed struct {
	*posts.Post
	value float64
}

// part returns the function that reads the rows of a statement: each a post and the sort value. With ends, another column says whether
// the row only marks how far the database has read.
func (l *Page) part(ends bool) func(*data.Row) {
	return func(row *data.Row) {
		p := listed{Post: &posts.Post{}}
		p.Scan(row)
		p.value = row.Float()
		switch {
		case ends && row.Bool():
			l.merge.EndAt(p)
		case row.InOwnShard(p.ID):
			l.posts = append(l.posts, p)
		}
	}
}

// Items returns the page in its order, pinned posts first, without posts that the viewer hides.
func (l *Page) Items() []*posts.Post {
	items := make([]*posts.Post, 0, len(l.pins)+l.query.Limit)
	for _, p := range l.pins {
		items = append(items, p.Post)
	}
	for _, p := range l.all() {
		if !slices.ContainsFunc(l.pins, func(pin listed) bool { return pin.ID == p.ID }) {
			items = append(items, p)
		}
	}
	return slices.DeleteFunc(items, l.excludes)
}

// Next returns the cursor of the following page; zero on the last.
func (l *Page) Next() data.Cursor {
	if l.ids != nil {
		if !l.more {
			return data.Cursor{}
		}
		last := l.ids[len(l.ids)-1]
		return data.Cursor{Order: byte(l.query.Order), Value: last.Hot, ID: last.ID}
	}
	l.page()
	last, more := lastOf(l.read, l.posts, l.merge.End(), l.query.Limit)
	if !more || l.query.Order == data.OrderRising {
		return data.Cursor{}
	}
	return data.Cursor{Order: byte(l.query.Order), Value: last.value, ID: last.ID}
}

// all returns the page in its order, including posts that the viewer has hidden.
func (l *Page) all() []*posts.Post {
	if l.ids != nil {
		items, at := make([]*posts.Post, 0, len(l.ids)), 0
		for _, m := range l.ids { // cached posts have this order already
			if at >= len(l.posts) || l.posts[at].ID != m.ID {
				at = slices.IndexFunc(l.posts, func(p listed) bool { return p.ID == m.ID })
				if at < 0 { // deleted since: its place stays empty
					at = 0
					continue
				}
			}
			items = append(items, l.posts[at].Post)
			at++
		}
		return items
	}
	page := l.page()
	if l.query.Order == data.OrderTop {
		page = byPoints(page)
	}
	items := make([]*posts.Post, len(page))
	for i, p := range page {
		items[i] = p.Post
	}
	return items
}

// cut sorts the posts and removes those after the end of the list, and duplicates: with Query.Former, a post may be found by both names.
// Later calls do nothing.
func (l *Page) cut() {
	if l.isCut {
		return
	}
	l.isCut = true
	l.posts = until(l.posts, l.merge.End(), compareListed)
	l.posts = data.FirstOfEach(l.posts, func(p listed) data.ID { return p.ID })
}

// page returns the page in the order of the database.
func (l *Page) page() []listed {
	if l.query.Order == data.OrderRising {
		return l.rising()
	}
	l.cut()
	return l.posts[:min(len(l.posts), l.query.Limit)]
}

// A stored score below exactBelow is exact (package votes; docs/inside/votes.md).
const exactBelow = 32

// byPoints sorts a page of top posts by their counters. An index has scores of 32 and more with an error of up to 1/32 (3%), so posts
// with close scores would be in the wrong order on the page. The page has the same posts, and the cursor has the value of the index.
func byPoints(page []listed) []listed {
	points := func(p listed) float64 {
		if p.value < exactBelow {
			return p.value
		}
		return float64(p.Ups - p.ViewerUps - p.Downs + p.ViewerDowns)
	}
	page = slices.Clone(page)
	slices.SortStableFunc(page, func(a, b listed) int { return cmp.Compare(points(b), points(a)) })
	return page
}

// rising chooses from the newest posts those that gain attention fastest.
func (l *Page) rising() (page []listed) {
	l.cut()
	for _, p := range l.posts[:min(len(l.posts), l.query.risingPool())] { // each shard has returned a pool
		if l.excludes(p.Post) {
			continue
		}
		if value := ranking.Rising(p.Ups, p.Downs, p.Comments, l.at.Sub(p.CreatedAt)); value > 0 {
			page = append(page, listed{p.Post, value})
		}
	}
	slices.SortFunc(page, compareListed)
	return page[:min(len(page), l.query.Limit)]
}

func compareListed(a, b listed) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.ID, a.ID))
}
