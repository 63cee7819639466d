package comments

import (
	"strings"
	"time"

	"plaza/data"
)

// Query selects one page of a thread: the comments under the post, or under one comment of it.
type Query struct {
	Community string
	Slug      string
	Parent    data.ID // 0: the whole thread
	Order     data.Order
	After     data.Cursor // of the first level
	Viewer    data.ID
	Uncached  bool // reads all of it from the database
}

// Page is a page of a thread; read it after Run.
type Page struct {
	query    Query
	cached   *cachedPage // of which the page is made; nil if it was read from the database
	outdated bool
	newest   int64                // when the newest public comment was written, in ms; 0 for none
	at       time.Time            // when the read began
	own      map[data.ID]*Comment // comments whose counters, or the viewer's vote or save, differ from the cached page
	shown    int
	next     data.Cursor
	children map[data.ID][]*Comment
	// Top is the comment of Query.Parent; nil without it, or if it does not exist.
	Top *Comment
	// Waiting are the viewer's own comments that wait for a moderator, the newest first. Only the first page has them.
	Waiting []*Comment
	// Above are the ancestors of Top, at most AboveMax comments, the nearest first.
	Above []*Comment
}

// AboveMax is how many ancestors a page shows above its comment.
const AboveMax = 2

// The comment :comment, then up to :above ancestors, the nearest first.
var topAndAbove = `WITH RECURSIVE up (id, above) AS (SELECT :comment, 0 UNION ALL
  SELECT m.parent_id, up.above + 1 FROM up CROSS JOIN comments m ON m.id = up.id WHERE up.above < :above
  AND m.parent_id <> 0)
SELECT ` + Columns + ViewerColumns + ` FROM up CROSS JOIN comments c ON c.id = up.id` + JoinViewerVote + ` WHERE c.post_id = ` + postOfPage

// waitingMax is how many of a member's own comments that wait for a moderator a page shows.
const waitingMax = 10

// Index comments_held.
var authorsWaiting = `SELECT ` + Columns + ViewerColumns + ` FROM comments c` + JoinViewerVote +
	` WHERE c.author_id = :viewer AND c.held = 1 AND c.status = 'removed' AND c.post_id = ` + postOfPage + `
ORDER BY c.id DESC LIMIT :limit`

// FindPage adds to r the queries of a page of a thread. An unknown thread has no comments.
func (s *Store) FindPage(r *data.Read, q Query) *Page {
	p := &Page{query: q, children: map[data.ID][]*Comment{}}
	home, name := data.In(q.Community), strings.ToLower(q.Community)
	if q.Viewer != 0 && q.Parent == 0 && q.After.IsZero() {
		r.FindAt(home, authorsWaiting, data.Args{"community": name, "slug": q.Slug, "viewer": q.Viewer, "limit": waitingMax},
			func(row *data.Row) {
				c := &Comment{}
				c.Scan(row)
				p.Waiting = append(p.Waiting, c)
			})
	}
	if s.findCached(r, p) {
		return p
	}
	if q.Parent != 0 {
		r.FindAt(home, topAndAbove, data.Args{"community": name, "slug": q.Slug, "comment": q.Parent, "above": AboveMax, "viewer": q.Viewer},
			func(row *data.Row) {
				c := &Comment{}
				if c.Scan(row); c.ID == q.Parent {
					p.Top = c
				} else {
					p.Above = append(p.Above, c)
				}
			})
	}
	value, id := float64(data.BeforeAll), data.ID(1<<62)
	if q.Order == data.OrderOld {
		id = 0
	}
	if !q.After.IsZero() {
		value, id = q.After.Value, q.After.ID
	}
	args := data.Args{"community": name, "slug": q.Slug, "parent": q.Parent, "id": id}
	if sortColumn(q.Order) != "" {
		args["value"] = value
	}
	sql := pageStatements()[q.Order].visitor
	if q.Viewer != 0 {
		sql, args["viewer"] = pageStatements()[q.Order].member, q.Viewer
	}
	r.FindAt(home, sql, args, p.scan())
	return p
}

// scan reads the rows of pageRows. They come level by level, siblings together and in their order.
func (p *Page) scan() func(*data.Row) {
	var comments []Comment
	var list []*Comment
	roots := 0
	return func(row *data.Row) {
		if list == nil {
			comments, list = make([]Comment, row.Count()), make([]*Comment, 0, row.Count())
		}
		c := &comments[len(list)]
		c.Scan(row)
		c.orderedBy = row.Float()
		if shown := int(row.Int()); len(list) == 0 {
			roots = shown
		}
		if list = append(list, c); len(list) == row.Count() {
			p.arrange(list, roots)
		}
	}
}

// arrange puts every comment under its parent. roots is how many comments of the first level are shown. If there is one more, there is
// another page.
func (p *Page) arrange(list []*Comment, roots int) {
	for start := 0; start < len(list); {
		end, parent := start+1, list[start].ParentID
		for end < len(list) && list[end].ParentID == parent {
			end++
		}
		p.children[parent] = list[start:end:end]
		start = end
	}
	p.shown = len(list)
	if first := p.children[p.query.Parent]; len(first) > roots {
		p.children[p.query.Parent] = first[:roots]
		p.next = p.cursor(first[roots-1])
		p.shown--
	}
}

// Under returns the replies to a comment (0: to the post) that the page shows, in order.
func (p *Page) Under(parent data.ID) []*Comment { return p.children[parent] }

// Of returns a comment of Under or Above as the viewer sees it. Top is so already.
func (p *Page) Of(c *Comment) *Comment {
	if own := p.own[c.ID]; own != nil {
		return own
	}
	return c
}

// Next is the cursor after the first level; zero if all of it is shown.
func (p *Page) Next() data.Cursor { return p.next }

// NextUnder is the cursor after the last shown reply to a comment; zero if there is none.
func (p *Page) NextUnder(parent data.ID) data.Cursor {
	shown := p.children[parent]
	if len(shown) == 0 {
		return data.Cursor{}
	}
	return p.cursor(shown[len(shown)-1])
}

func (p *Page) cursor(c *Comment) data.Cursor {
	after := data.Cursor{Order: byte(p.query.Order), ID: c.ID}
	if sortColumn(p.query.Order) != "" {
		after.Value = c.orderedBy
	}
	return after
}

// Len returns how many comments the page shows below Parent.
func (p *Page) Len() int { return p.shown }
