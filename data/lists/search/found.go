package search

import (
	"time"

	"plaza/data"
	"plaza/data/content/posts"
)

// Post is a post in the results.
type Post struct {
	*posts.Post
	Text string // the beginning of its text, as typed
}

// Comment is a comment in the results.
type Comment struct {
	ID           data.ID
	AuthorID     data.ID
	Author       string
	AuthorAvatar string
	CreatedAt    time.Time
	EditedAt     time.Time
	Text         string // its beginning, as typed
	Ups, Downs   int64  // including the viewer's own vote, even before it is applied
	MyVote       int
	Post         posts.Post
}

// URL returns the comment's address on the site.
func (c *Comment) URL() string { return c.Post.LinkURL() + "/" + c.ID.Text() }

// Page is a page of results. Read it after Run.
type Page[T any] struct {
	*data.Page[T]
	Weighed
	Ranked int  // how many candidates were ranked; 0 after the first page and in the order new
	More   bool // there are more matches than were ranked
	first  bool // it is the first page
}

func newPage[T any](q *Query) *Page[T] {
	return &Page[T]{Page: data.NewPage[T](q.Order, q.Limit).Sorted(), first: q.After.IsZero()}
}

// rankScanner returns the function that reads the last columns of the rows of one shard: the sort value, the number of the shard's
// candidates, the same in each row, and whether there are more.
func (p *Page[T]) rankScanner() func(*data.Row) (value float64) {
	counted := !p.first
	return func(row *data.Row) float64 {
		value, ranked, more := row.Float(), int(row.Int()), row.Bool()
		if !counted {
			p.Ranked, counted = p.Ranked+ranked, true
		}
		p.More = p.More || more
		return value
	}
}

// textShown is how many characters of a text are read for the snippet.
const textShown = "2000"

// The columns of the items of one page. The statements have no ORDER BY, so the database need not sort: the page sorts.
const (
	postRows = `
SELECT ` + posts.Columns + posts.ViewerColumns + postFrom + posts.JoinViewerVote
	postRowsAnon = `
SELECT ` + posts.Columns + posts.NoViewerColumns + postFrom
	postFrom = `, coalesce(substr(t.text, 1, ` + textShown + `), ''), r.value, r.places, r.more
  FROM ranked r CROSS JOIN posts p ON p.id = r.id
  LEFT JOIN post_texts t ON t.post_id = p.id`

	commentRows = commentColumns + `, v.value, v.status, (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = c.id
  AND d.user_id = :viewer), (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = c.id AND d.user_id = :viewer)` + commentFrom +
		` LEFT JOIN votes v ON v.target_id = c.id AND v.user_id = :viewer`
	commentRowsAnon = commentColumns + `, NULL, NULL, NULL, NULL` + commentFrom
	commentColumns  = `
SELECT c.id, c.author_id, c.author_name, c.author_avatar, c.created_at, c.edited_at, substr(c.body, 1, ` + textShown +
		`), p.community_name, p.slug, p.title, p.nsfw, p.status, p.locked, p.created_at, c.ups, c.downs`
	commentFrom = `, r.value, r.places, r.more
  FROM ranked r CROSS JOIN comments c ON c.id = r.id CROSS JOIN posts p ON p.id = c.post_id`
)

// FindPosts searches posts.
func (s *Store) FindPosts(r *data.Read, q Query) *Page[Post] {
	p := newPage[Post](&q)
	rows := postRowsAnon
	sql, args := s.statement(&q, &ofPosts, "{title body}")
	if q.Viewer != 0 {
		rows, args["viewer"] = postRows, q.Viewer
	}
	for _, place := range s.places(&q) {
		if args["terms"] != nil {
			q.weigh(r, place, &ofPosts, args, &p.Weighed)
		}
		value := p.rankScanner()
		p.FindOn(r, place, sql+rows, args, func(row *data.Row) (Post, float64, data.ID) {
			found := Post{Post: &posts.Post{}}
			found.Scan(row)
			found.Text = row.Text()
			return found, value(row), found.ID
		})
	}
	return p
}

// FindComments searches comments. It ignores Kind, Tag, Domain and Link, which comments don't have; a query with nothing else finds none.
func (s *Store) FindComments(r *data.Read, q Query) *Page[Comment] {
	q.Kind, q.Tag, q.Domain, q.Link = "", "", "", ""
	p := newPage[Comment](&q)
	if !q.HasTerms() {
		return p
	}
	rows := commentRowsAnon
	sql, args := s.statement(&q, &ofComments, "body")
	if q.Viewer != 0 {
		rows, args["viewer"] = commentRows, q.Viewer
	}
	for _, place := range s.places(&q) {
		if args["terms"] != nil {
			q.weigh(r, place, &ofComments, args, &p.Weighed)
		}
		value := p.rankScanner()
		p.FindOn(r, place, sql+rows, args, func(row *data.Row) (Comment, float64, data.ID) {
			c := Comment{ID: row.ID(), AuthorID: row.ID(), Author: row.Text(), AuthorAvatar: row.Text(), CreatedAt: row.Time(), EditedAt: row.Time(),
				Text: row.Text()}
			c.Post.Community, c.Post.Slug, c.Post.Title, c.Post.NSFW = row.Text(), row.Text(), row.Text(), row.Bool()
			c.Post.Status, c.Post.Locked, c.Post.CreatedAt = row.Text(), row.Bool(), row.Time()
			c.Ups, c.Downs = row.Int(), row.Int()
			vote, ups, downs := data.OwnVote(row)
			c.MyVote, c.Ups, c.Downs = vote, c.Ups+ups, c.Downs+downs
			return c, value(row), c.ID
		})
	}
	return p
}

// statement returns the statement that ranks, without the last SELECT, and its arguments.
func (s *Store) statement(q *Query, ix *index, columns string) (string, data.Args) {
	e := q.expression(columns)
	sql := q.rankedSQL(ix, &e)
	value, id := data.KeysetFrom(q.After)
	e.args["id"] = id
	if q.Order != OrderNew {
		e.args["value"] = value
	}
	if q.Window.Duration() > 0 {
		e.args["window"], e.args["now"] = q.Window.Duration(), s.Source.DatabaseNow()
	}
	return sql, e.args
}
