package threads

import (
	"strings"

	"plaza/data"
	"plaza/data/hrana"
)

// ThreadQuery asks for one page of a thread: the comments under the post, or under
// one comment of it.
type ThreadQuery struct {
	Community string
	Slug      string
	Parent    data.ID // 0: the whole thread
	Order     data.Order
	After     data.Cursor // of the first level
	Viewer    data.ID
}

// Thread is a page of a thread.
type Thread struct {
	query    ThreadQuery
	shown    int
	next     data.Cursor
	children map[data.ID][]*Comment
	// Top is the comment asked for with Parent; nil without it, or when it is not there.
	Top *Comment
	// Above is what Top answers, at most ThreadContext comments, the nearest first.
	Above []*Comment
}

// FindThread reads a page of a thread along with a page.
func (s *Store) FindThread(r *data.Read, shard *hrana.Client, q ThreadQuery) *Thread {
	t := &Thread{query: q, children: map[data.ID][]*Comment{}}
	name := strings.ToLower(q.Community)
	if q.Parent != 0 {
		r.OldAdd(shard, data.OldStmt(threadTop, q.Viewer, name, q.Slug, q.Parent, ThreadContext), t.scanTop)
	}
	sql := threadStatements[q.Order].mine
	if q.Viewer == 0 {
		sql = threadStatements[q.Order].nobody
	}
	r.OldAdd(shard, data.OldStmt(sql, append([]any{q.Viewer, name, q.Slug, q.Parent}, q.cursor()...)...), t.scanPage)
	return t
}

// cursor is where the first level begins, for threadKeys.
func (q *ThreadQuery) cursor() []any {
	value, id := float64(data.BeforeAll), data.ID(1<<62)
	if q.Order == OrderOld {
		id = 0
	}
	if !q.After.IsZero() {
		value, id = q.After.Value, q.After.ID
	}
	if sibling(q.Order) == "" {
		return []any{id}
	}
	return []any{id, value}
}

func (t *Thread) scanTop(res hrana.Result) error {
	return data.Each(res, func(row *data.Row) {
		c := &Comment{}
		if ScanComment(row, c); c.ID == t.query.Parent {
			t.Top = c
		} else {
			t.Above = append(t.Above, c)
		}
	})
}

// scanPage takes the rows as they come: level by level, siblings together and in their
// order.
func (t *Thread) scanPage(res hrana.Result) error {
	comments, list := make([]Comment, len(res.Rows)), make([]*Comment, len(res.Rows))
	n, roots := 0, 0
	err := data.Each(res, func(row *data.Row) {
		ScanComment(row, &comments[n])
		comments[n].orderedBy = row.Float()
		if shown := int(row.Int()); n == 0 {
			roots = shown
		}
		list[n] = &comments[n]
		n++
	})
	for start := 0; start < n; {
		end, parent := start+1, list[start].ParentID
		for end < n && list[end].ParentID == parent {
			end++
		}
		t.children[parent] = list[start:end:end]
		start = end
	}
	first := t.children[t.query.Parent]
	t.shown = len(res.Rows)
	if len(first) > roots {
		t.children[t.query.Parent] = first[:roots]
		t.next = t.cursor(first[roots-1])
		t.shown--
	}
	return err
}

// Under is what the page shows of the answers to a comment (0: to the post), in order.
func (t *Thread) Under(parent data.ID) []*Comment { return t.children[parent] }

// Next is the cursor after the first level; zero when all of it is shown.
func (t *Thread) Next() data.Cursor { return t.next }

// NextUnder is the cursor after what is shown under a comment; zero for none shown.
func (t *Thread) NextUnder(parent data.ID) data.Cursor {
	shown := t.children[parent]
	if len(shown) == 0 {
		return data.Cursor{}
	}
	return t.cursor(shown[len(shown)-1])
}

func (t *Thread) cursor(c *Comment) data.Cursor {
	after := data.Cursor{Order: byte(t.query.Order), ID: c.ID}
	if sibling(t.query.Order) != "" {
		after.Value = c.orderedBy
	}
	return after
}

// Len is how many comments the page shows below Parent.
func (t *Thread) Len() int { return t.shown }
