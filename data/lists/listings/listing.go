package listings

import (
	"maps"
	"strings"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/content/posts"
	"plaza/ranking"
)

// Query selects one page of a listing.
type Query struct {
	Community string  // "" is site-wide
	Flair     data.ID // of the community's posts, those with this flair, in the order hot, new or top; 0 is all
	Tags      string  // posts with these tags (tags.ParseAddress), of all communities; "" is all
	Former    string  // a former name that some of the author's posts may still have
	Author    string  // posts of one author, in the order new, top or views and of all time; excludes Community
	About     string  // posts about one thing (weburl.Key, posts.KeyOf), new first; excludes Community and Author
	Order     data.Order
	Window    ranking.Window // of the orders that have windows; "" is all time
	After     data.Cursor
	Limit     int
	Viewer    data.ID // 0 is a visitor
	// Unseen leaves out posts that the viewer, who must be a member, has seen. A page may then be shorter than Limit although another one
	// follows (walkFactor).
	Unseen bool
	// Pins puts the community's pinned posts at the top of the first page.
	Pins bool

	visible bool // the database leaves out what the viewer has hidden; see Rest
	safe    bool // and NSFW posts
}

// Store reads listings of posts.
type Store struct {
	data.Base
	Hot   *hot.Sets
	cache data.Cache[Query, cachedPage]
}

// cacheBytes bounds what an instance caches of listings.
const cacheBytes = 12 << 20

// NewStore returns the store.
func NewStore(base data.Base, sets *hot.Sets) *Store {
	return &Store{Base: base, Hot: sets, cache: data.Cache[Query, cachedPage]{Size: cachedPage.size, Bytes: cacheBytes}}
}

// Forget clears the caches, so that the next listing is read from the database.
func (s *Store) Forget() {
	s.cache.Clear()
	s.Hot.Forget()
}

// risingPool is how many of the newest posts rising chooses from. Its sort value changes with the clock and can have no index, so without
// a limit it would read all posts. In a list by tags each post costs two rows.
func (q *Query) risingPool() int {
	if q.Tags != "" {
		return 48
	}
	return 75
}

// Find reads one page of a listing along with a page of the site. An unknown community has no posts.
//
// A post whose sort value does not change while a user pages is shown exactly once, whatever changes at other posts. A post whose value
// changes is shown at its new place. It is missed or shown twice only if it crosses the border between two pages. In the order new, posts
// never move. Rising has one page.
func (s *Store) Find(r *data.Read, q Query) *Page {
	l := &Page{query: q, read: r, at: s.Source.Now(), merge: data.NewMerge(compareListed)}
	if !q.visible && !q.Unseen && s.findCached(r, l) {
		return l
	}
	if q.Pins && q.Community != "" && q.After.IsZero() && !q.visible {
		l.findPins(r)
	}
	if q.hasSet() {
		if members, ok := s.Hot.Known(q.Community, q.Limit+1, l.at, r.Changes.Public); ok {
			l.findByIDs(r, members)
			return l
		}
	}
	s.findSorted(r, l)
	return l
}

// findSorted reads the page from the databases, which sort it.
func (s *Store) findSorted(r *data.Read, l *Page) {
	l.sorted = true
	if l.query.sortsTags() {
		s.findTags(r, l)
		return
	}
	q, selected := l.query, l.query.scope()
	limit, after := q.Limit+1, q.After
	if q.Order == data.OrderRising {
		limit, after = q.risingPool(), data.Cursor{}
	}
	value, id := data.KeysetFrom(after)
	args := data.Args{"limit": limit, "value": value, "id": id}
	if selected.parameter != "" {
		args[selected.parameter] = selected.key
	}
	if q.bounded() {
		args["window"], args["now"] = q.Window.Duration(), s.Source.DatabaseNow()
	}
	columns, condition := forVisitor, selected.condition
	if q.Viewer != 0 {
		columns, args["viewer"] = forMember, q.Viewer
		if q.visible {
			condition += notHidden
		}
		if q.safe {
			condition += safeForWork
		}
	}
	window := q.Window
	if q.Author != "" {
		window = noWindow
	}
	sql := listingSQL(columns, selected.rows, condition, q.Order, window)
	if q.Unseen {
		limit = q.Limit + 1
		sql, args = unseenSQL(columns, selected.rows, condition, q.Order, window), walk(args, true, limit)
	}
	if q.Former != "" { // first, so that a post whose name changes between the two reads is found twice instead of missed
		former := maps.Clone(args)
		former["author"] = q.Former
		r.FindAll(sql, former, l.part(false))
	}
	if q.Community != "" {
		r.FindAt(data.In(q.Community), sql, args, l.part(q.Unseen))
	} else {
		r.FindAll(sql, args, l.part(q.Unseen))
	}
}

// Index posts_pinned, in its order.
const ofPins = ` WHERE ` + ofCommunity + ` AND p.pinned_at IS NOT NULL ORDER BY p.pinned_at LIMIT 2`

// findPins reads the posts that the community's moderators have pinned, in the order of pinning.
func (l *Page) findPins(r *data.Read) {
	viewer, args := forVisitor, data.Args{"community": strings.ToLower(l.query.Community)}
	if l.query.Viewer != 0 {
		viewer, args["viewer"] = forMember, l.query.Viewer
	}
	r.FindAt(data.In(l.query.Community), viewer.columns+` FROM posts p`+viewer.vote+ofPins, args, func(row *data.Row) {
		p := &posts.Post{}
		p.Scan(row)
		p.Pinned = true
		l.pins = append(l.pins, listed{Post: p})
	})
}

// bounded reports whether the listing leaves out posts that are older than its window.
func (q *Query) bounded() bool { return q.Order.HasWindows() && q.Window.Duration() > 0 }

// scope returns whose posts the query lists.
func (q *Query) scope() scope {
	switch {
	case q.About != "":
		return scope{fromPosts, ofThing, "about", q.About}
	case q.Author != "":
		return scope{fromPosts, ofAuthor, "author", q.Author}
	case q.Tags != "":
		return scope{fromTags, ofTags, "tags", q.Tags}
	case q.Flair != 0:
		return scope{fromPosts, ofFlair, "flair", q.Flair}
	case q.Community != "":
		return scope{fromPosts, ofCommunity, "community", strings.ToLower(q.Community)}
	}
	return scope{rows: fromPosts, condition: ofSite}
}

// findByIDs reads the posts of a page whose ids are known.
func (l *Page) findByIDs(r *data.Read, members []hot.Member) {
	if len(members) > l.query.Limit {
		members, l.more = members[:l.query.Limit], true
	}
	l.ids = append([]hot.Member{}, members...)
	ids := make([]data.ID, len(members))
	for i, m := range members {
		ids[i] = m.ID
	}
	sql, args := forVisitor.byIDs(), data.Args{}
	if l.query.Viewer != 0 {
		sql, args["viewer"] = forMember.byIDs(), l.query.Viewer
	}
	r.FindByIDs(ids, sql, args, func(row *data.Row) {
		p := &posts.Post{}
		p.Scan(row)
		l.posts = append(l.posts, listed{Post: p})
	})
}
