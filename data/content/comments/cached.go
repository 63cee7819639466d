package comments

import (
	"strconv"
	"strings"
	"time"

	"plaza/data"
)

// cachedPage is the part of a thread's page that is the same for every member. Pages share it, so it is never changed.
type cachedPage struct {
	page   Page // the comments are as a member without votes and saves sees them
	byID   map[data.ID]*Comment
	states string // :states of viewerState
	count  int64  // comments of the post when the page was read
	newest int64  // Page.newest
}

const (
	// cacheLife is how long an instance caches a page of a thread. Votes, saves, edits, removals and new comments show at once. The order,
	// flairs and new approvals may be this late.
	cacheLife = 5 * time.Second
	// cacheBytes bounds what an instance caches of threads.
	cacheBytes = 6 << 20
)

// viewerState reads those comments of :states that the cached page shows differently from what the member :viewer must see. The viewer
// has voted on them or saved them, or their state or counters have changed. :states is a JSON object from ids to commentState, ups and
// downs. Each comment costs three look-ups by primary key: of comments, votes and saves.
var viewerState = `SELECT CAST(j.key AS INTEGER), ` + commentState + `, c.ups, c.downs` + ViewerColumns + `
FROM json_each(:states) j LEFT JOIN comments c ON c.id = CAST(j.key AS INTEGER)` + JoinViewerVote + `
WHERE c.id IS NULL OR v.target_id IS NOT NULL OR j.value <> ` + commentState + ` || ' ' || c.ups || ' ' || c.downs
  OR EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :viewer AND k.target_id = c.id)`

// commentState is a text that changes when the comment must be read again.
const commentState = `c.status || ' ' || c.held || ' ' || coalesce(c.edited_at, 0) || ' ' || octet_length(c.auto_reply)`

// newestComment reads the time of the newest public comment by the post's author (op = 1), and of the newest by others. Each is one row
// of the index comments_last.
var newestComment = `SELECT max(c.created_at) FROM comments c WHERE c.post_id = ` + postOfPage +
	` AND c.op = 0 AND c.status = 'published' AND c.held = 0
UNION ALL SELECT max(c.created_at) FROM comments c WHERE c.post_id = ` + postOfPage +
	` AND c.op = 1 AND c.status = 'published' AND c.held = 0`

// state returns commentState.
func (c *Comment) state() string {
	edited := int64(0)
	if !c.EditedAt.IsZero() {
		edited = c.EditedAt.UnixMilli()
	}
	return c.Status + " " + strconv.Itoa(int(c.Held)) + " " + strconv.FormatInt(edited, 10) + " " + strconv.Itoa(len(c.AutoReply))
}

// findCached makes the page from the cache, and reads only what differs for the viewer. It returns false if the page is not cached; the
// caller then reads it from the database and calls Keep. For each member it also reads newestComment. Visitors' pages are in the edge
// cache instead.
func (s *Store) findCached(r *data.Read, p *Page) bool {
	if p.query.Viewer == 0 {
		return false
	}
	p.at = s.Source.Now()
	r.FindAt(data.In(p.query.Community), newestComment, data.Args{"community": strings.ToLower(p.query.Community), "slug": p.query.Slug},
		func(row *data.Row) { p.newest = max(p.newest, row.Int()) })
	if p.query.Uncached || r.Member == 0 {
		return false
	}
	cached, ok := s.cache.Get(p.query.key(), r.Now, r.Changes.Public)
	if !ok {
		return false
	}
	p.cached, p.shown, p.next, p.children, p.Top, p.Above = cached, cached.page.shown, cached.page.next, cached.page.children,
		cached.page.Top, cached.page.Above
	r.FindAt(data.In(p.query.Community), viewerState, data.Args{"viewer": p.query.Viewer, "states": cached.states}, func(row *data.Row) {
		id, state := row.ID(), row.Text()
		known := cached.byID[id]
		if known == nil || known.state() != state {
			p.outdated = true
			return
		}
		own := *known
		own.Ups, own.Downs = row.Int(), row.Int()
		own.scanViewer(row)
		if p.own == nil {
			p.own = map[data.ID]*Comment{}
		}
		p.own[id] = &own
		if p.Top == known {
			p.Top = &own
		}
	})
	return true
}

// key returns the query without its viewer and Uncached, with the community in lower case.
func (q Query) key() Query {
	q.Viewer, q.Uncached, q.Community = 0, false, strings.ToLower(q.Community)
	return q
}

// Outdated reports whether a page from the cache must be read again, because the thread has changed since. count is the post's number of
// comments.
func (p *Page) Outdated(count int64) bool {
	return p.cached != nil && (p.outdated || p.cached.count != count || p.cached.newest != p.newest)
}

// Keep caches a page for other members. It does nothing if the page is from the cache, for a visitor, incomplete or without comments.
// count is the post's number of comments.
func (s *Store) Keep(r *data.Read, p *Page, count int64) {
	if p.cached != nil || p.query.Viewer == 0 || !r.Complete() || p.shown == 0 {
		return
	}
	cached := &cachedPage{page: Page{shown: p.shown, next: p.next, children: make(map[data.ID][]*Comment, len(p.children))},
		byID: make(map[data.ID]*Comment, p.shown), count: count, newest: p.newest}
	var states strings.Builder
	neutral := func(c *Comment) *Comment {
		n := c.WithoutViewer()
		n.Shared = &data.Shared{}
		separator := ","
		if states.Len() == 0 {
			separator = "{"
		}
		states.WriteString(separator + `"` + n.ID.String() + `":"` + n.state() + " " + strconv.FormatInt(n.Ups, 10) + " " +
			strconv.FormatInt(n.Downs, 10) + `"`)
		cached.byID[n.ID] = n
		return n
	}
	for parent, list := range p.children {
		copies := make([]*Comment, len(list))
		for i, c := range list {
			copies[i] = neutral(c)
		}
		cached.page.children[parent] = copies
	}
	if p.Top != nil {
		cached.page.Top = neutral(p.Top)
	}
	for _, c := range p.Above {
		cached.page.Above = append(cached.page.Above, neutral(c))
	}
	cached.states = states.String() + "}"
	s.cache.Put(p.query.key(), cached, p.at, r.Lag())
}

// size is about how many bytes the page needs, with the HTML that pages make of it in two languages or time zones.
func (p *cachedPage) size() int {
	n := 0
	for _, c := range p.byID {
		n += 8<<10 + 3*(len(c.BodyHTML)+len(c.BodyPlain)+len(c.AutoReply))
	}
	return n
}
