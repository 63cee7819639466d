package listings

import (
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/hot"
	"plaza/data/hrana"
	"plaza/data/posts"
	"plaza/ranking"
)

// ListingQuery asks for one page of a listing.
type Query struct {
	Community string // "" is site-wide
	Author    string // posts of one author, new first; excludes Community
	About     string // posts about one thing (URLKey, KeyOf), new first; excludes both
	Order     data.Order
	Window    ranking.Window // of the orders that have windows; "" is all time
	After     data.Cursor
	Limit     int
	Viewer    data.ID // 0 is a visitor
	// FromDatabase leaves Redis out, for a page that asks it for something else.
	FromDatabase bool

	visible bool // leave out in the database what the viewer has hidden; see Rest
}

func (q *Query) scope() listingScope {
	switch {
	case q.About != "":
		return listingScope{fromSame, q.About}
	case q.Author != "":
		return listingScope{fromAuthor, q.Author}
	case q.Community != "":
		return listingScope{fromCommunity, strings.ToLower(q.Community)}
	}
	return listingScope{fromSite, ""}
}

// ListingStore reads listings of posts: hot ones from Redis, all others from the shards.
type Store struct {
	DB     *data.DB
	Hot    *hot.Sets
	Source data.Source
	warm   data.Warm[Query, warmListing]
}

// Forget makes the next listing read the database, whatever is kept of it.
func (s *Store) Forget() { s.warm.Clear() }

// Listing is a page of posts; read its Items after the Read ran.
type Page struct {
	query Query
	at    time.Time // when it was asked for
	posts []listed
	ids   []hot.Member // from Redis, in their order; nil when the database lists
	more  bool         // Redis has more after ids
	// Stale tells that the hot set is lost and wants a rebuild.
	Stale bool
	// RedisErr is why the set could not be asked, if that was the reason.
	RedisErr error
}

// listed is a post and what the listing sorts by, as the database computed it: the
// viewer's own pending vote is in the post's counters and not in this.
type listed struct {
	*posts.Post
	value float64
}

// risingPool is how many of the newest posts are looked at for those that rise. It is
// what keeps rising from being a scan: its value moves with the clock and has no index.
const risingPool = 75

// FindListing reads one page of a listing along with a page. Hot listings ask Redis
// first, at once, for the ids; the rest waits for the Read.
//
// What pages guarantee: a post whose value does not change while somebody pages is
// shown exactly once, whatever happens to the others. One whose value moves is shown
// where it then stands; it is missed or shown again only if it crosses the place
// between two pages. By new nothing ever moves. Rising has one page.
func (s *Store) Find(ctx context.Context, r *data.Read, q Query) (*Page, error) {
	l := &Page{query: q, at: s.Source.Now()}
	if !q.visible && s.findWarm(r, l) {
		return l, nil
	}
	shards := s.DB.OldShards()
	if q.Community != "" {
		shard, err := s.DB.ShardOf(ctx, q.Community)
		if err != nil {
			return nil, err
		}
		shards = []*hrana.Client{shard}
	}
	columns := selectPost
	if q.Viewer == 0 {
		columns = selectPostAnon
	}
	if q.Order == data.OrderHot && q.Author == "" && q.About == "" && !q.FromDatabase {
		page, err := s.Hot.Page(ctx, q.Community, q.After, q.Limit+1)
		if page.OK {
			s.addByIDs(r, l, columns, page.Members)
			return l, nil
		}
		l.Stale, l.RedisErr = page.Lost, err
	}
	limit, value, id := q.Limit+1, any(data.BeforeAll), data.ID(1<<62)
	switch {
	case q.Order == data.OrderRising:
		limit = risingPool
	case !q.After.IsZero():
		value, id = q.After.Value, q.After.ID
	}
	scope := q.scope()
	args := []any{q.Viewer, limit, value, id}
	bounded := q.Order.HasWindows() && q.Window.Duration() > 0
	if scope.from != fromSite || bounded {
		args = append(args, scope.arg)
	}
	if bounded {
		args = append(args, q.Window.Duration().Milliseconds(), s.Source.OldDatabase())
	}
	from := scope.from
	if q.visible {
		from += notHidden
	}
	query := listingSQL(columns, from, q.Order, q.Window)
	for _, shard := range shards {
		r.OldAdd(shard, data.OldStmt(query, append([]any(nil), args...)...), l.scan)
	}
	return l, nil
}

func (s *Store) addByIDs(r *data.Read, l *Page, columns postSelect, members []hot.Member) {
	if len(members) > l.query.Limit {
		members, l.more = members[:l.query.Limit], true
	}
	l.ids = members
	byShard := map[*hrana.Client][]data.ID{}
	for _, m := range members {
		if c := s.DB.OldShard(m.ID); c != nil {
			byShard[c] = append(byShard[c], m.ID)
		}
	}
	for shard, ids := range byShard {
		r.OldAdd(shard, data.OldStmt(columns.byIDs(), l.query.Viewer, data.JsonIDs(ids)), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) {
				p := &posts.Post{}
				posts.ScanPost(row, p)
				l.posts = append(l.posts, listed{Post: p})
			})
		})
	}
	if l.ids == nil {
		l.ids = []hot.Member{}
	}
}

func (l *Page) scan(res hrana.Result) error {
	return data.Each(res, func(row *data.Row) {
		p := &posts.Post{}
		posts.ScanPost(row, p)
		l.posts = append(l.posts, listed{p, row.Float()})
	})
}

// page is the page of what the database listed, in its order; more tells that there is
// another.
func (l *Page) page() (page []listed, more bool) {
	byValue := func(list []listed) {
		sort.Slice(list, func(i, j int) bool {
			return list[i].value > list[j].value || list[i].value == list[j].value && list[i].ID > list[j].ID
		})
	}
	byValue(l.posts)
	if l.query.Order == data.OrderRising {
		return l.rising(byValue), false
	}
	return l.posts[:min(len(l.posts), l.query.Limit)], len(l.posts) > l.query.Limit
}

// rising picks from the newest posts those that gain attention fastest.
func (l *Page) rising(byValue func([]listed)) (page []listed) {
	for _, p := range l.posts[:min(len(l.posts), risingPool)] { // of each shard came a pool
		if p.Hidden && l.query.leavesOut() {
			continue
		}
		if value := ranking.Rising(p.Ups, p.Downs, p.Comments, l.at.Sub(p.CreatedAt)); value > 0 {
			page = append(page, listed{p.Post, value})
		}
	}
	byValue(page)
	return page[:min(len(page), l.query.Limit)]
}

// Items is the page in its order, without what the viewer has hidden.
func (l *Page) Items() []*posts.Post {
	items := l.all()
	if l.query.leavesOut() {
		items = slices.DeleteFunc(items, func(p *posts.Post) bool { return p.Hidden })
	}
	return items
}

func (l *Page) all() []*posts.Post {
	if l.ids != nil {
		items, at := make([]*posts.Post, 0, len(l.ids)), 0
		for _, m := range l.ids { // what is kept has this order already
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
	page, _ := l.page()
	items := make([]*posts.Post, len(page))
	for i, p := range page {
		items[i] = p.Post
	}
	return items
}

// Next is the cursor of the following page; zero on the last.
func (l *Page) Next() data.Cursor {
	if l.ids != nil {
		if !l.more {
			return data.Cursor{}
		}
		last := l.ids[len(l.ids)-1]
		return data.Cursor{Order: byte(l.query.Order), Value: last.Hot, ID: last.ID}
	}
	page, more := l.page()
	if !more {
		return data.Cursor{}
	}
	last := page[len(page)-1]
	return data.Cursor{Order: byte(l.query.Order), Value: last.value, ID: last.ID}
}
