package threads

import (
	"context"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/posts"
)

// Limits of a comment.
const (
	CommentMax = 10000 // characters
	// DepthMax is how deep a thread goes; a path is 13 characters a level.
	DepthMax = 100
)

// Comment is a comment as a thread shows it.
type Comment struct {
	ID          data.ID
	PostID      data.ID
	ParentID    data.ID // 0 answers the post
	Depth       int
	AuthorID    data.ID
	Author      string
	BodyHTML    string
	BodyPlain   string // in place of BodyHTML where that is larger than CommentHTMLMax
	Status      string
	Ups         int64 // the viewer's own vote included, even before it is folded
	Downs       int64
	Descendants int64
	CreatedAt   time.Time
	EditedAt    time.Time
	MyVote      int
	Saved       bool // by the viewer

	orderedBy float64 // what its thread's order goes by
}

// Score is the net score.
func (c *Comment) Score() int64 { return c.Ups - c.Downs }

// CommentStore keeps comments, beside their post.
type Store struct {
	DB     *data.DB
	Source data.Source
}

// CreateComment is an answer to a post (Parent 0) or to a comment. BodyHTML is made
// of Body by the caller.
type CreateComment struct {
	Post     data.ID // when Parent is 0
	Parent   data.ID
	Body     string
	BodyHTML string
	Token    string // of the form; what it has made in answer to the same is not made again
}

// Validate checks the fields.
func (c *CreateComment) Validate() error {
	switch {
	case data.Blank(c.Body):
		return data.Mistake("body", "Please write something first.")
	case utf8.RuneCountInString(c.Body) > CommentMax:
		return data.Mistake("body", "A comment has at most 10,000 characters.")
	case c.Parent == 0 && (c.Post == 0 || c.Post.IsComment()):
		return data.Mistake("post", "There is no post to answer.")
	case c.Parent != 0 && !c.Parent.IsComment():
		return data.Mistake("parent", "There is no comment to answer.")
	}
	return nil
}

const (
	commentOnPost = `INSERT INTO comments (id, post_id, parent_id, path, depth, author_id, author_name, op, body, body_html, created_at)
SELECT ?5, p.id, 0, ?6, 0, ?1, ?7, p.author_id IS ?1, ?8, ?9, ?10 FROM posts p
WHERE p.id = ?4 AND p.status = 'published' AND p.locked = 0 AND ` + data.OldLiveSession + ` AND ` + data.OldUnmade + `?11) ON CONFLICT (id) DO NOTHING`
	commentOnComment = `INSERT INTO comments (id, post_id, parent_id, path, depth, author_id, author_name, op, body, body_html, created_at)
SELECT ?5, c.post_id, c.id, c.path || ?6, c.depth + 1, ?1, ?7, p.author_id IS ?1, ?8, ?9, ?10 FROM comments c JOIN posts p ON p.id = c.post_id
WHERE c.id = ?4 AND c.status = 'published' AND c.depth < ?12 AND p.status = 'published' AND p.locked = 0 AND ` + data.OldLiveSession + ` AND ` + data.OldUnmade + `?11) ON CONFLICT (id) DO NOTHING`
	voteForOwnComment = `INSERT INTO votes (target_id, user_id, value, updated_at) SELECT id, author_id, 1, ?2 FROM comments WHERE id = ?1 AND author_id = ?3
ON CONFLICT DO NOTHING`
	// Why an answer could not be given. Look-ups by primary key.
	answerable        = `SELECT p.status, p.locked, 0, 'published', ` + data.OldLiveSession + ` FROM posts p WHERE p.id = ?4 AND p.status NOT IN ('draft', 'scheduled')`
	answerableComment = `SELECT p.status, p.locked, c.depth, c.status, ` + data.OldLiveSession + ` FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.id = ?4`

	CommentColumns = `c.id, c.post_id, c.parent_id, c.depth, c.author_id, c.author_name, ` + data.CommentBody + `, c.status, c.ups, c.downs,
  c.descendants, c.created_at, c.edited_at`
	// What ownVote reads, of a comment c, and whether the viewer saves it. The statement has commentOwnVote, too.
	commentOwn = `, v.value, v.status,
  (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = c.id AND d.user_id = :viewer),
  (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = c.id AND d.user_id = :viewer),
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :viewer AND k.target_id = c.id)`
	// commentOwnVote joins the viewer's vote v. Primary key.
	commentOwnVote = ` LEFT JOIN votes v ON v.target_id = c.id AND v.user_id = :viewer`
	// commentOwn of the viewer ?1, until no statement counts its parameters.
	CommentMine = `, v.value, v.status,
  (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = c.id AND d.user_id = ?1),
  (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = c.id AND d.user_id = ?1),
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = ?1 AND k.target_id = c.id)`
	CommentVote   = ` LEFT JOIN votes v ON v.target_id = c.id AND v.user_id = ?1`
	commentNobody = `, NULL, NULL, NULL, NULL, NULL`

	postOfComment = `SELECT ` + posts.PostColumns + posts.PostMine + ` FROM posts p` + posts.PostVote + ` WHERE p.id = (SELECT c.post_id FROM comments c WHERE c.id = ?2)`

	// Primary keys. ?1 is the actor, who is also whom it is shown.
	madeBefore  = ` FROM made m JOIN comments c ON c.id = m.made_id`
	madeComment = `SELECT ` + CommentColumns + CommentMine + `, m.digest, ` + data.OldLiveSession + madeBefore + CommentVote + ` WHERE m.author_id = ?1 AND m.key = ?4`
	postOfMade  = `SELECT ` + posts.PostColumns + posts.PostMine + ` FROM posts p` + posts.PostVote + ` WHERE p.id = (SELECT c.post_id` + madeBefore + ` WHERE m.author_id = ?1 AND m.key = ?2)`

	commentByID = `SELECT ` + CommentColumns + CommentMine + ` FROM comments c` + CommentVote + ` WHERE c.id = ?2`
)

func ScanComment(r *data.Row, c *Comment) {
	c.ID, c.PostID, c.ParentID, c.Depth = r.ID(), r.ID(), r.ID(), int(r.Int())
	c.AuthorID, c.Author, c.BodyHTML, c.BodyPlain, c.Status, c.Ups, c.Downs = r.ID(), r.Text(), r.Text(), r.Text(), r.Text(), r.Int(), r.Int()
	c.Descendants, c.CreatedAt = r.Int(), data.Millis(r.Int())
	if ms := r.Int(); ms != 0 {
		c.EditedAt = data.Millis(ms)
	}
	c.forgetAuthor()
	mine, ups, downs := data.OwnVote(r)
	c.MyVote, c.Ups, c.Downs = mine, c.Ups+ups, c.Downs+downs
	c.Saved = r.Bool()
}

// CreateComment adds an answer with its author's own upvote, in one transaction, and
// says where it stands: the post has no text. It returns what an equal one of the same
// Token has made. Invalid, NotFound, Forbidden (locked, removed), AlreadySent (the Token
// has made another) and Unauthenticated.
func (s *Store) CreateComment(ctx context.Context, a data.Actor, c CreateComment) (*Comment, *posts.Post, error) {
	if err := c.Validate(); err != nil {
		return nil, nil, err
	}
	parent, insert, look := c.Post, commentOnPost, answerable
	if c.Parent != 0 {
		parent, insert, look = c.Parent, commentOnComment, answerableComment
	}
	shard, err := s.DB.ShardOfID(parent)
	if err != nil {
		return nil, nil, err
	}
	now := s.Source.Now()
	id := s.Source.NewID(parent.Shard(), data.KindComment)
	key, digest := data.OldMadeKey("comment "+parent.Text(), c.Token, id), data.DigestOf(c.Body)
	args := a.OldArgs(parent, id, id.Text(), a.Name, c.Body, c.BodyHTML, now.UnixMilli(), key)
	if c.Parent != 0 {
		args = append(args, DepthMax-1)
	}
	results, err := data.Tx(ctx, shard, data.OldStmt(insert, args...), data.OldRecording(a.UserID, key, digest, id, now), data.OldStmt(voteForOwnComment, id, now.UnixMilli(), a.UserID),
		data.OldStmt(look, a.OldArgs(parent)...), data.OldStmt(madeComment, a.OldArgs(key)...), data.OldStmt(postOfMade, a.UserID, key))
	if err != nil {
		if hrana.IsUnique(err) {
			err = data.UnavailableBecause(err)
		}
		return nil, nil, err
	}
	made, post, said, live := &Comment{}, &posts.Post{}, "", false
	if err := data.Each(results[4], func(r *data.Row) {
		ScanComment(r, made)
		said, live = r.Text(), r.Bool()
	}); err != nil {
		return nil, nil, err
	}
	if err := data.Each(results[5], func(r *data.Row) { posts.ScanPost(r, post) }); err != nil {
		return nil, nil, err
	}
	switch {
	case made.ID == 0:
		return nil, nil, whyUnanswerable(results[3])
	case !live:
		return nil, nil, data.ErrSessionEnded
	case said != digest:
		return nil, nil, data.ErrAlreadyMade("This form was sent before, with other content, and that is saved.",
			post.URL()+"/"+made.ID.Text())
	}
	return made, post, nil
}

func whyUnanswerable(res hrana.Result) error {
	if len(res.Rows) == 0 {
		return &data.Error{Code: data.NotFound, Message: "What you answer is not there."}
	}
	var status, parent string
	var locked, live bool
	var depth int64
	if err := data.Each(res, func(r *data.Row) {
		status, locked, depth, parent, live = r.Text(), r.Bool(), r.Int(), r.Text(), r.Bool()
	}); err != nil {
		return err
	}
	if !live {
		return data.ErrSessionEnded
	}
	if err := closed(status, locked, parent, int(depth)); err != nil {
		return err
	}
	return &data.Error{Code: data.Conflict, Message: "The comment could not be saved. Please send it again."}
}

// Answerable tells why a post, or a comment to it, can't be answered, or nil. parent is nil
// for the post itself.
func Answerable(p *posts.Post, parent *Comment) error {
	if parent == nil {
		return closed(p.Status, p.Locked, "published", 0)
	}
	return closed(p.Status, p.Locked, parent.Status, parent.Depth)
}

// closed tells why nothing can be said below a comment of a depth and status, parent, or
// the post itself.
func closed(status string, locked bool, parent string, depth int) error {
	switch {
	case locked:
		return &data.Error{Code: data.Forbidden, Message: "This thread is locked: no new comments."}
	case status == "archived":
		return &data.Error{Code: data.Forbidden, Message: "This thread is archived: no new comments."}
	case status != "published" || parent != "published":
		return &data.Error{Code: data.Forbidden, Message: "What you answer was removed."}
	case depth >= DepthMax-1:
		return data.Mistake("body", "This thread is as deep as it can be. Please answer further up.")
	}
	return nil
}

// FindPostOf reads the post that a comment belongs to along with a page.
func (s *Store) FindPostOf(r *data.Read, shard *hrana.Client, id, viewer data.ID) *posts.Post {
	p := &posts.Post{}
	r.OldAdd(shard, data.OldStmt(postOfComment, viewer, id), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { posts.ScanPost(row, p) })
	})
	return p
}

// FindByID reads one comment along with a page; ID stays 0 when there is none.
func (s *Store) FindByID(r *data.Read, shard *hrana.Client, id, viewer data.ID) *Comment {
	c := &Comment{}
	r.OldAdd(shard, data.OldStmt(commentByID, viewer, id), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { ScanComment(row, c) })
	})
	return c
}

// AuthorComment is a comment with the post it belongs to, for profiles.
type AuthorComment struct {
	Comment
	Post posts.Post
}

const (
	// Index comments_author.
	commentsOfAuthorFrom  = `, p.community_name, p.slug, iif(p.status = 'removed', '[removed by a moderator]', p.title) FROM comments c JOIN posts p ON p.id = c.post_id`
	commentsOfAuthorWhere = `
WHERE c.author_name = ?2 COLLATE NOCASE AND c.author_id IS NOT NULL AND c.status = 'published' AND c.id < ?3 ORDER BY c.id DESC LIMIT ?4`
	commentsOfAuthor     = `SELECT ` + CommentColumns + CommentMine + commentsOfAuthorFrom + CommentVote + commentsOfAuthorWhere
	commentsOfAuthorAnon = `SELECT ` + CommentColumns + commentNobody + commentsOfAuthorFrom + commentsOfAuthorWhere
	karmaOfAuthor        = `SELECT posts, comments FROM author_karma WHERE name_key = ?1`
)

// FindByAuthor reads an author's comments, new first, along with a page, from every
// shard: up to limit a shard, older than before (0: from the newest).
func (s *Store) FindByAuthor(r *data.Read, author string, before data.ID, limit int, viewer data.ID) *[]AuthorComment {
	list := &[]AuthorComment{}
	if before == 0 {
		before = 1<<63 - 1
	}
	query := commentsOfAuthor
	if viewer == 0 {
		query = commentsOfAuthorAnon
	}
	for _, shard := range s.DB.OldShards() {
		r.OldAdd(shard, data.OldStmt(query, viewer, author, before, limit), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) {
				var c AuthorComment
				ScanComment(row, &c.Comment)
				c.Post.Community, c.Post.Slug, c.Post.Title = row.Text(), row.Text(), row.Text()
				*list = append(*list, c)
			})
		})
	}
	return list
}

// Karma is what an author earned with posts and with comments.
type Karma struct{ Posts, Comments int64 }

// FindKarma adds up an author's karma on every shard along with a page.
func (s *Store) FindKarma(r *data.Read, author string) *Karma {
	k := &Karma{}
	for _, shard := range s.DB.OldShards() {
		r.OldAdd(shard, data.OldStmt(karmaOfAuthor, strings.ToLower(author)), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) {
				k.Posts += row.Int()
				k.Comments += row.Int()
			})
		})
	}
	return k
}

// NewestFirst puts the comments of several shards into one order.
func NewestFirst(list []AuthorComment) []AuthorComment {
	sort.Slice(list, func(i, j int) bool { return list[i].ID > list[j].ID })
	return list
}
