package search

import (
	"cmp"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/content/posts"
)

// Post is a post that was found.
type Post struct {
	*posts.Post
	Text string // the beginning of its text, as typed
}

// Comment is a comment that was found.
type Comment struct {
	ID           data.ID
	AuthorID     data.ID
	Author       string
	AuthorAvatar string
	CreatedAt    time.Time
	EditedAt     time.Time
	Text         string // its beginning, as typed
	Ups, Downs   int64  // the viewer's own vote included, even before it is folded
	MyVote       int
	Post         posts.Post
}

// URL is the comment's address on the site.
func (c *Comment) URL() string { return c.Post.LinkURL() + "/" + c.ID.Text() }

// Page is a page of what was found. Read it after Run.
type Page[T any] struct {
	Judged
	Ranked int  // how many candidates were ranked; 0 behind the first page and where the newest are first
	More   bool // there are more matches than were ranked
	query  Query
	list   []hit[T]
}

type hit[T any] struct {
	id    data.ID
	value float64
	item  T
}

// add adds what row has found on a shard; value, the number of candidates and whether there is more are the row's next columns.
func (p *Page[T]) add(row *data.Row, id data.ID, item T) {
	value, ranked, more := row.Float(), int(row.Int()), row.Bool()
	p.list, p.More = append(p.list, hit[T]{id, value, item}), p.More || more
	if row.Count() == 1 && p.query.After.IsZero() {
		p.Ranked += ranked
	}
}

// Items is the page in its order.
func (p *Page[T]) Items() (items []T) {
	for _, h := range p.sorted() {
		items = append(items, h.item)
	}
	return items
}

// Next is the cursor of the following page; zero on the last.
func (p *Page[T]) Next() data.Cursor {
	page := p.sorted()
	if len(p.list) <= p.query.Limit {
		return data.Cursor{}
	}
	last := page[len(page)-1]
	return data.Cursor{Order: byte(p.query.Order), Value: last.value, ID: last.id}
}

func (p *Page[T]) sorted() []hit[T] {
	slices.SortFunc(p.list, func(a, b hit[T]) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.id, a.id)) })
	return p.list[:min(len(p.list), p.query.Limit)]
}

// textShown is how many characters of a text are read, to show words of it.
const textShown = "2000"

// What is read of the items of one page.
const (
	postRows = `
SELECT ` + posts.Columns + posts.Own + postFrom + posts.OwnVote
	postRowsAnon = `
SELECT ` + posts.Columns + posts.NothingOwn + postFrom
	postFrom = `, coalesce(substr(t.text, 1, ` + textShown + `), ''), r.value, r.places, r.more FROM ranked r CROSS JOIN posts p ON p.id = r.id
  LEFT JOIN post_texts t ON t.post_id = p.id`

	commentRows = commentColumns + `, v.value, v.status, (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = c.id
  AND d.user_id = :viewer), (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = c.id AND d.user_id = :viewer)` + commentFrom +
		` LEFT JOIN votes v ON v.target_id = c.id AND v.user_id = :viewer`
	commentRowsAnon = commentColumns + `, NULL, NULL, NULL, NULL` + commentFrom
	commentColumns  = `
SELECT c.id, c.author_id, c.author_name, c.author_avatar, c.created_at, c.edited_at, substr(c.body, 1, ` + textShown +
		`), p.community_name, p.slug, p.title, p.nsfw, p.status, p.locked, p.created_at, c.ups, c.downs`
	commentFrom = `, r.value, r.places, r.more FROM ranked r CROSS JOIN comments c ON c.id = r.id CROSS JOIN posts p ON p.id = c.post_id`
)

// FindPosts searches posts.
func (s *Store) FindPosts(r *data.Read, q Query) *Page[Post] {
	p := &Page[Post]{query: q}
	rows := postRowsAnon
	sql, args := s.statement(&q, &ofPosts, "{title body}")
	if q.Viewer != 0 {
		rows, args["viewer"] = postRows, q.Viewer
	}
	for _, place := range s.places(&q) {
		if args["terms"] != nil {
			q.judge(r, place, &ofPosts, args, &p.Judged)
		}
		r.Find(place, sql+rows, args, func(row *data.Row) {
			found := Post{Post: &posts.Post{}}
			found.Scan(row)
			found.Text = row.Text()
			p.add(row, found.ID, found)
		})
	}
	return p
}

// FindComments searches comments. Kind, Tag and Domain, which comments have none of, are left aside: with nothing else to look for, it
// finds none.
func (s *Store) FindComments(r *data.Read, q Query) *Page[Comment] {
	q.Kind, q.Tag, q.Domain = "", "", ""
	p := &Page[Comment]{query: q}
	if !q.Asks() {
		return p
	}
	rows := commentRowsAnon
	sql, args := s.statement(&q, &ofComments, "body")
	if q.Viewer != 0 {
		rows, args["viewer"] = commentRows, q.Viewer
	}
	for _, place := range s.places(&q) {
		if args["terms"] != nil {
			q.judge(r, place, &ofComments, args, &p.Judged)
		}
		r.Find(place, sql+rows, args, func(row *data.Row) {
			c := Comment{ID: row.ID(), AuthorID: row.ID(), Author: row.Text(), AuthorAvatar: row.Text(), CreatedAt: row.Time(), EditedAt: row.Time(),
				Text: row.Text()}
			c.Post.Community, c.Post.Slug, c.Post.Title, c.Post.NSFW = row.Text(), row.Text(), row.Text(), row.Bool()
			c.Post.Status, c.Post.Locked, c.Post.CreatedAt = row.Text(), row.Bool(), row.Time()
			c.Ups, c.Downs = row.Int(), row.Int()
			vote, ups, downs := data.OwnVote(row)
			c.MyVote, c.Ups, c.Downs = vote, c.Ups+ups, c.Downs+downs
			p.add(row, c.ID, c)
		})
	}
	return p
}

// statement returns the statement that ranks, without its last SELECT, and its arguments.
func (s *Store) statement(q *Query, of *index, columns string) (string, data.Args) {
	e := q.asked(columns)
	sql := q.rankedSQL(of, &e)
	value, id := data.KeysetFrom(q.After)
	e.args["limit"], e.args["id"] = q.Limit+1, id
	if q.Order != OrderNew {
		e.args["value"] = value
	}
	if q.Window.Duration() > 0 {
		e.args["window"], e.args["now"] = q.Window.Duration(), s.Source.DatabaseNow()
	}
	return sql, e.args
}
