package search

import (
	"cmp"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/posts"
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
	Post         posts.Post
}

// URL is the comment's address on the site.
func (c *Comment) URL() string { return c.Post.LinkURL() + "/" + c.ID.Text() }

// Page is a page of what was found. Read it after Run.
type Page[T any] struct {
	query Query
	list  []hit[T]
}

type hit[T any] struct {
	id    data.ID
	value float64
	item  T
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

// What is read of the items of one page. Primary keys.
const (
	postRows = `
SELECT ` + posts.Columns + posts.Own + postFrom + posts.OwnVote
	postRowsAnon = `
SELECT ` + posts.Columns + posts.NothingOwn + postFrom
	postFrom = `, coalesce(substr(t.text, 1, ` + textShown + `), ''), r.value FROM ranked r CROSS JOIN posts p ON p.id = r.id LEFT JOIN post_texts t ON t.post_id = p.id`

	commentRows = `
SELECT c.id, c.author_id, c.author_name, c.author_avatar, c.created_at, c.edited_at, substr(c.body, 1, ` + textShown + `), p.community_name, p.slug, p.title, p.nsfw, r.value
FROM ranked r CROSS JOIN comments c ON c.id = r.id CROSS JOIN posts p ON p.id = c.post_id`
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
		r.Find(place, sql+rows, args, func(row *data.Row) {
			found := Post{Post: &posts.Post{}}
			found.Scan(row)
			found.Text = row.Text()
			p.list = append(p.list, hit[Post]{found.ID, row.Float(), found})
		})
	}
	return p
}

// FindComments searches comments. Kind, Tag and Domain, which comments have none of, are left aside: with nothing else to look for, it finds none.
func (s *Store) FindComments(r *data.Read, q Query) *Page[Comment] {
	q.Kind, q.Tag, q.Domain = "", "", ""
	p := &Page[Comment]{query: q}
	if !q.Asks() {
		return p
	}
	sql, args := s.statement(&q, &ofComments, "body")
	for _, place := range s.places(&q) {
		r.Find(place, sql+commentRows, args, func(row *data.Row) {
			c := Comment{ID: row.ID(), AuthorID: row.ID(), Author: row.Text(), AuthorAvatar: row.Text(), CreatedAt: row.Time(), EditedAt: row.Time(), Text: row.Text()}
			c.Post.Community, c.Post.Slug, c.Post.Title, c.Post.NSFW = row.Text(), row.Text(), row.Text(), row.Bool()
			p.list = append(p.list, hit[Comment]{c.ID, row.Float(), c})
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
