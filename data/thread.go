package data

import (
	"sort"
	"strings"

	"plaza/data/hrana"
)

// Shape of a thread's page.
const (
	ThreadRoots   = 200 // comments of the first level
	ThreadReplies = 10  // of each comment, on the levels below
	ThreadLevels  = 5   // levels shown, the first included
	ThreadMax     = 500 // comments in all
)

// OrderBest sorts comments by ranking.Wilson.
const OrderBest Order = 'b'

// ThreadQuery asks for one page of a thread: the comments under the post, or under
// one comment of it.
type ThreadQuery struct {
	Community string
	Slug      string
	Parent    ID // 0: the whole thread
	Order     Order
	After     Cursor // of the first level
	Viewer    ID
}

// Thread is a page of a thread, level by level.
type Thread struct {
	query    ThreadQuery
	comments []*Comment
	children map[ID][]*Comment
	// Top is the comment asked for with Parent; nil without it, or when it is not there.
	Top *Comment
}

// A thread's first level and, level by level, the first replies of each comment. The
// inner SELECTs are ranges of comments_best (or comments_new) that stop at their LIMIT,
// one a comment shown; no sibling beyond is read, however many there are. The queue of
// a recursive CTE is first in, first out, so the LIMIT in all cuts the deepest level.
// ?2 name, ?3 slug, ?4 parent, ?5 ?6 cursor, ?7 roots, ?8 replies, ?9 levels, ?10 in all.
const (
	threadPost = `(SELECT p.id FROM communities k JOIN posts p ON p.community_id = k.id AND p.slug = ?3 WHERE k.name_key = ?2)`

	threadBestKeys = `WITH RECURSIVE post (id) AS (SELECT ` + threadPost + `),
shown (id, level) AS (
  SELECT id, 1 FROM (SELECT r.id FROM comments r WHERE r.post_id = (SELECT id FROM post) AND r.parent_id = ?4
    AND (r.best, r.id) < (?5, ?6 COLLATE BINARY) ORDER BY r.best DESC, r.id DESC LIMIT ?7)
  UNION ALL
  SELECT c.id, s.level + 1 FROM shown s CROSS JOIN comments c ON c.id IN (
    SELECT r.id FROM comments r WHERE r.post_id = (SELECT id FROM post) AND r.parent_id = s.id ORDER BY r.best DESC, r.id DESC LIMIT ?8)
  WHERE s.level < ?9
  LIMIT ?10)
`
	threadNewKeys = `WITH RECURSIVE post (id) AS (SELECT ` + threadPost + `),
shown (id, level) AS (
  SELECT id, 1 FROM (SELECT r.id FROM comments r WHERE r.post_id = (SELECT id FROM post) AND r.parent_id = ?4
    AND r.id < ?6 AND ?5 IS NOT NULL ORDER BY r.id DESC LIMIT ?7)
  UNION ALL
  SELECT c.id, s.level + 1 FROM shown s CROSS JOIN comments c ON c.id IN (
    SELECT r.id FROM comments r WHERE r.post_id = (SELECT id FROM post) AND r.parent_id = s.id ORDER BY r.id DESC LIMIT ?8)
  WHERE s.level < ?9
  LIMIT ?10)
`
	threadMine   = `SELECT ` + commentColumns + commentMine + threadFrom
	threadNobody = `SELECT ` + commentColumns + commentNobody + threadFrom
	threadFrom   = ` FROM shown s CROSS JOIN comments c ON c.id = s.id`
	threadTop    = `SELECT ` + commentColumns + commentMine + ` FROM comments c WHERE c.id = ?4 AND c.post_id = ` + threadPost
)

// FindThread reads a page of a thread along with a page.
func (s *CommentStore) FindThread(r *Read, shard *hrana.Client, q ThreadQuery) *Thread {
	t := &Thread{query: q, children: map[ID][]*Comment{}}
	value, id := any(beforeAll), ID(1<<62)
	if !q.After.IsZero() {
		value, id = q.After.Value, q.After.ID
	}
	keys, columns := threadBestKeys, threadMine
	if q.Order == OrderNew {
		keys = threadNewKeys
	}
	if q.Viewer == 0 {
		columns = threadNobody
	}
	name := strings.ToLower(q.Community)
	roots := ThreadRoots
	if q.Parent != 0 {
		r.add(shard, stmt(threadTop, q.Viewer, name, q.Slug, q.Parent), func(res hrana.Result) error {
			return each(res, func(row *row) {
				t.Top = &Comment{}
				scanComment(row, t.Top)
			})
		})
	}
	r.add(shard, stmt(keys+columns, q.Viewer, name, q.Slug, q.Parent, value, id, roots+1, ThreadReplies, ThreadLevels, ThreadMax), func(res hrana.Result) error {
		return each(res, func(row *row) {
			c := &Comment{}
			scanComment(row, c)
			t.comments = append(t.comments, c)
			t.children[c.ParentID] = append(t.children[c.ParentID], c)
		})
	})
	return t
}

func (t *Thread) value(c *Comment) float64 {
	if t.query.Order == OrderNew {
		return 0
	}
	return c.Best
}

// Under is what the page shows of the answers to a comment (0: to the post), in order.
func (t *Thread) Under(parent ID) []*Comment {
	list := t.children[parent]
	sort.Slice(list, func(i, j int) bool {
		a, b := t.value(list[i]), t.value(list[j])
		return a > b || a == b && list[i].ID > list[j].ID
	})
	if parent == t.query.Parent && len(list) > ThreadRoots {
		list = list[:ThreadRoots]
	}
	return list
}

// Next is the cursor after the first level; zero when all of it is shown.
func (t *Thread) Next() Cursor {
	if len(t.children[t.query.Parent]) <= ThreadRoots {
		return Cursor{}
	}
	shown := t.Under(t.query.Parent)
	return t.cursor(shown[len(shown)-1])
}

// NextUnder is the cursor after what is shown under a comment; zero for none shown.
func (t *Thread) NextUnder(parent ID) Cursor {
	shown := t.Under(parent)
	if len(shown) == 0 {
		return Cursor{}
	}
	return t.cursor(shown[len(shown)-1])
}

func (t *Thread) cursor(c *Comment) Cursor {
	return Cursor{Order: byte(t.query.Order), Value: t.value(c), ID: c.ID}
}

// Len is how many comments the page shows.
func (t *Thread) Len() int { return len(t.comments) }
