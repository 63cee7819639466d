package comments

import (
	"time"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/rights/rules"
)

// Limits of a comment.
const (
	CommentMax = 10000 // characters
	DepthMax   = 100   // levels of a thread; a path has 13 characters for each level
)

// Comment is a comment as a thread shows it.
type Comment struct {
	ID           data.ID
	PostID       data.ID
	ParentID     data.ID // 0: a reply to the post
	Depth        int
	AuthorID     data.ID
	Author       string
	AuthorAvatar string // as in users.avatar
	AuthorFlair  flair.Label
	BodyHTML     string
	BodyPlain    string // instead of BodyHTML if that is larger than data.CommentHTMLMax
	Status       string
	Ups          int64 // including the viewer's own vote, even before it is applied
	Downs        int64
	Descendants  int64
	CreatedAt    time.Time
	EditedAt     time.Time
	Removal      modlog.Removal // why it was removed
	AutoReply    string         // HTML: the reply of an automatic rule
	Pictures     []pictures.Picture
	Held         data.Hold

	MyVote                 int
	ViewerUps, ViewerDowns int64 // the part of Ups and Downs that only the viewer sees
	Saved                  bool  // by the viewer

	// Shared has the HTML that pages share; nil if it is not from the cache. The copies for viewers have the same pointer.
	Shared *data.Shared

	orderedBy float64 // the value by which the page sorts it among its siblings
}

// WithoutViewer returns a copy as a member without votes and saves sees the comment.
func (c *Comment) WithoutViewer() *Comment {
	n := *c
	n.Ups, n.Downs = c.Ups-c.ViewerUps, c.Downs-c.ViewerDowns
	n.MyVote, n.ViewerUps, n.ViewerDowns, n.Saved = 0, 0, 0, false
	return &n
}

// Score is the net score.
func (c *Comment) Score() int64 { return c.Ups - c.Downs }

// Store keeps comments.
type Store struct {
	data.Base
	cache data.Cache[Query, *cachedPage]
}

// NewStore returns the store.
func NewStore(base data.Base) *Store {
	return &Store{Base: base, cache: data.Cache[Query, *cachedPage]{Life: cacheLife, Size: (*cachedPage).size, Bytes: cacheBytes}}
}

var (
	// commentBody is two columns: the HTML, or NULL if it is longer than data.CommentHTMLMax, and in that case the text. octet_length reads
	// only the header of a row.
	commentBody = `iif(octet_length(c.body_html) <= 65536, c.body_html, NULL),
  iif(octet_length(c.body_html) > 65536, substr(c.body, 1, 10000), NULL)`
	// Columns, and then either ViewerColumns or noViewerColumns, are the columns of a comment c that Comment.Scan reads. :viewer is
	// the viewer.
	Columns = columnsIn(`(SELECT p.community_id FROM posts p WHERE p.id = c.post_id)`)
	// columnsOfPage are Columns for statements about one community, :community, which is looked up once.
	columnsOfPage  = columnsIn(`(SELECT k.id FROM communities k WHERE k.name_key = :community)`)
	commentColumns = `format('%d %d %d %d %d %d %d %d %d %d %d', c.id, c.post_id, c.parent_id, c.depth, c.author_id, c.ups, c.downs,
  c.descendants, c.created_at, c.edited_at, c.held), c.author_name, c.author_avatar, ` + commentBody + `, c.status,
  CASE WHEN c.held = 1 THEN ` + rules.Message("c.id") + ` WHEN c.status = 'removed' THEN ` + modlog.LastRemoval("c.id") + ` END,
  c.auto_reply, c.pictures`
	// ViewerColumns is the viewer's vote and whether they have saved the comment. A statement with ViewerColumns also has JoinViewerVote.
	ViewerColumns = `, format('%d %d %d %d %d', v.value, v.status,
  (SELECT sum(d.ups) FROM vote_deltas d WHERE d.target_id = c.id AND d.user_id = :viewer),
  (SELECT sum(d.downs) FROM vote_deltas d WHERE d.target_id = c.id AND d.user_id = :viewer),
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :viewer AND k.target_id = c.id))`
	// JoinViewerVote joins the viewer's vote v.
	JoinViewerVote = ` LEFT JOIN votes v ON v.target_id = c.id AND v.user_id = :viewer`
	// noViewerColumns replaces ViewerColumns for a visitor: it looks nothing up.
	noViewerColumns = `, '0 0 0 0 0'`
)

// columnsIn returns the columns of comments in a community. community is the SQL of its id.
func columnsIn(community string) string {
	return commentColumns + `, ` + flair.OfAuthor("c.author_id", community)
}

// Scan reads Columns and ViewerColumns. It leaves the author of a deleted comment empty, though the row has one.
func (c *Comment) Scan(r *data.Row) {
	r.Unpack()
	c.ID, c.PostID, c.ParentID, c.Depth, c.AuthorID = r.ID(), r.ID(), r.ID(), int(r.Int()), r.ID()
	c.Ups, c.Downs, c.Descendants, c.CreatedAt = r.Int(), r.Int(), r.Int(), data.Millis(r.Int()) // 1970 is a time, too
	c.EditedAt, c.Held = r.Time(), data.Hold(r.Int())
	c.Author, c.AuthorAvatar = r.Text(), r.Text()
	c.BodyHTML, c.BodyPlain, c.Status = r.Text(), r.Text(), r.Text()
	c.Removal.Scan(r)
	c.AutoReply, c.Pictures = r.Text(), pictures.Scan(r)
	c.AuthorFlair.ScanAuthor(r)
	if c.Status == "deleted" {
		c.AuthorID, c.Author, c.AuthorAvatar, c.AuthorFlair = 0, "", "", flair.Label{}
	}
	c.scanViewer(r)
}

// scanViewer reads ViewerColumns.
func (c *Comment) scanViewer(r *data.Row) {
	r.Unpack()
	c.MyVote, c.ViewerUps, c.ViewerDowns = data.OwnVote(r)
	c.Ups, c.Downs = c.Ups+c.ViewerUps, c.Downs+c.ViewerDowns
	c.Saved = r.Bool()
}

var commentByID = `SELECT ` + Columns + ViewerColumns + ` FROM comments c` + JoinViewerVote + ` WHERE c.id = :id`

// FindByID reads one comment along with a page; ID stays 0 when there is none. viewer is 0 for a visitor.
func (s *Store) FindByID(r *data.Read, id, viewer data.ID) *Comment {
	c := &Comment{}
	r.FindAt(id, commentByID, data.Args{"id": id, "viewer": viewer}, c.Scan)
	return c
}

const postOfComment = `SELECT ` + posts.Columns + posts.ViewerColumns + ` FROM posts p` + posts.JoinViewerVote +
	` WHERE p.id = (SELECT c.post_id FROM comments c WHERE c.id = :id)`

// FindPostOf reads the post that a comment belongs to along with a page; ID stays 0 when there is none.
func (s *Store) FindPostOf(r *data.Read, id, viewer data.ID) *posts.Post {
	p := &posts.Post{}
	r.FindAt(id, postOfComment, data.Args{"id": id, "viewer": viewer}, p.Scan)
	return p
}
