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
	// cacheLife is how long an instance makes pages of a thread from what it has read. Votes, saves, edits, removals and new comments show at
	// once nevertheless. The order of comments may be so old.
	cacheLife = 5 * time.Second
	// cacheBytes bounds what an instance caches of threads.
	cacheBytes = 6 << 20
)

// viewerState reads the comments of :states that the member :viewer sees in another state: with a vote, saved, or changed since. :states is
// a JSON object: for each id commentState and the counters. It costs three look-ups by primary key for each comment.
var viewerState = `SELECT CAST(j.key AS INTEGER), ` + commentState + `, c.ups, c.downs` + ViewerColumns + `
FROM json_each(:states) j LEFT JOIN comments c ON c.id = CAST(j.key AS INTEGER)` + JoinViewerVote + `
WHERE c.id IS NULL OR v.target_id IS NOT NULL OR j.value <> ` + commentState + ` || ' ' || c.ups || ' ' || c.downs
  OR EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :viewer AND k.target_id = c.id)`

// commentState is a text that changes when the comment must be read again.
const commentState = `c.status || ' ' || c.held || ' ' || coalesce(c.edited_at, 0) || ' ' || octet_length(c.auto_reply)`

// newestComment is when the newest public comments of the thread were written, by its author and by others: a row each (comments_last).
var newestComment = `SELECT max(c.created_at) FROM comments c WHERE c.post_id = ` + postOfPage +
	` AND c.op = 0 AND c.status = 'published' AND c.held = 0
UNION ALL SELECT max(c.created_at) FROM comments c WHERE c.post_id = ` + postOfPage + ` AND c.op = 1 AND c.status = 'published' AND c.held = 0`

// state returns commentState.
func (c *Comment) state() string {
	edited := int64(0)
	if !c.EditedAt.IsZero() {
		edited = c.EditedAt.UnixMilli()
	}
	return c.Status + " " + strconv.Itoa(int(c.Held)) + " " + strconv.FormatInt(edited, 10) + " " + strconv.Itoa(len(c.AutoReply))
}

// findCached makes the page from the cache and reads only what differs for the viewer. If the page is not cached it returns false, and
// caches the page when the post is known (Keep). Visitors' pages are in the edge cache instead.
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
	cached, ok := s.cache.Get(p.query.key(), r.Now, r.Changes.Lists)
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

// key is what the cache knows the query by: all but its viewer.
func (q Query) key() Query {
	q.Viewer, q.Uncached, q.Community = 0, false, strings.ToLower(q.Community)
	return q
}

// Outdated reports whether the page was made from the cache and is to be read again, because the thread has changed. count is how many
// comments the post has.
func (p *Page) Outdated(count int64) bool {
	return p.cached != nil && (p.outdated || p.cached.count != count || p.cached.newest != p.newest)
}

// Keep caches a page that was read from the database for other members. count is how many comments the post has.
func (s *Store) Keep(r *data.Read, p *Page, count int64) {
	if p.cached != nil || p.query.Viewer == 0 || !r.Complete() || p.shown == 0 {
		return
	}
	cached := &cachedPage{page: Page{shown: p.shown, next: p.next, children: make(map[data.ID][]*Comment, len(p.children))},
		byID: make(map[data.ID]*Comment, p.shown), count: count, newest: p.newest}
	var states strings.Builder
	neutral := func(c *Comment) *Comment {
		n := *c
		n.Ups, n.Downs = c.Ups-c.ViewerUps, c.Downs-c.ViewerDowns
		n.MyVote, n.ViewerUps, n.ViewerDowns, n.Saved = 0, 0, 0, false
		n.Shared = &data.Shared{}
		separator := ","
		if states.Len() == 0 {
			separator = "{"
		}
		states.WriteString(separator + `"` + n.ID.String() + `":"` + n.state() + " " + strconv.FormatInt(n.Ups, 10) + " " +
			strconv.FormatInt(n.Downs, 10) + `"`)
		cached.byID[n.ID] = &n
		return &n
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
