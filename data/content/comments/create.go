package comments

import (
	"context"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/events/outbox"
	"plaza/data/rights/bans"
	"plaza/data/rights/rules"
	"plaza/data/searchwords"
	"plaza/ranking"
)

// Create is a reply to a post (Parent 0) or to a comment. The caller renders BodyHTML from Body. A comment with pictures needs no text.
type Create struct {
	Post     data.ID // when Parent is 0
	Parent   data.ID
	Body     string
	BodyHTML string
	Chosen   []pictures.Chosen  // as the form names them
	Pictures []pictures.Picture // the result of pictures.Store.ClaimForComment for Chosen
	Token    string             // of the form; the same form makes one reply
	Judged   rules.Verdict
}

// Validate checks the fields, and normalizes Chosen.
func (c *Create) Validate() error {
	chosen, err := pictures.CheckOfComment(c.Chosen)
	if err != nil {
		return err
	}
	c.Chosen = chosen
	switch {
	case data.Blank(c.Body) && len(c.Chosen) == 0:
		return data.Mistake("body", "Please write something first.")
	case utf8.RuneCountInString(c.Body) > CommentMax:
		return data.Mistake("body", "A comment has at most 10,000 characters.")
	case c.Parent == 0 && (c.Post == 0 || c.Post.IsComment()):
		return data.Mistake("post", "There is no post to reply to.")
	case c.Parent != 0 && !c.Parent.IsComment():
		return data.Mistake("parent", "There is no comment to reply to.")
	}
	return nil
}

var (
	// Nothing is written if Create refuses the reply (repliedToPost and repliedToComment).
	commentOnPost = `INSERT INTO comments (id, post_id, parent_id, path, depth, author_id, author_name, author_avatar, op, body, body_html,
  created_at, status, held, pictures, ups, score, best, qa, words)
SELECT :id, p.id, 0, :step, 0, :actor, ` + data.NameNow(":name") + `, ` + data.AvatarNow +
		`, p.author_id IS :actor, :body, :html, :at, ` + statusOfNew + `
FROM posts p
WHERE p.id = :parent AND p.status = 'published' AND p.locked = 0 AND ` + posts.Open + `
  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = p.author_id AND b.blocked_id = :actor)
  AND NOT ` + bans.BannedOrMuted("p.community_id") + ` AND ` + data.LiveSession + ` AND ` + data.KeyUnused + `
ON CONFLICT (id) DO NOTHING`
	commentOnComment = `INSERT INTO comments (id, post_id, parent_id, path, depth, author_id, author_name, author_avatar, op, body, body_html,
  created_at, status, held, pictures, ups, score, best, qa, words)
SELECT :id, c.post_id, c.id, c.path || :step, c.depth + 1, :actor, ` + data.NameNow(":name") + `, ` + data.AvatarNow +
		`, p.author_id IS :actor, :body, :html, :at, ` + statusOfNew + `
FROM comments c JOIN posts p ON p.id = c.post_id
WHERE c.id = :parent AND c.status = 'published' AND c.depth < :deepest AND p.status = 'published' AND p.locked = 0 AND ` + posts.Open + `
  AND NOT ` + blockedAbove + `
  AND NOT ` + bans.BannedOrMuted("p.community_id") + ` AND ` + data.LiveSession + ` AND ` + data.KeyUnused + `
ON CONFLICT (id) DO NOTHING`
	// blockedAbove is the condition that the author of post p, of comment c, or of a comment above c blocks the actor. Primary key of
	// blocks; index comments_path, one row for each level.
	blockedAbove = `(EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = p.author_id AND b.blocked_id = :actor) OR EXISTS (
  WITH RECURSIVE above (path) AS (SELECT c.path UNION ALL SELECT substr(path, 1, length(path) - 13) FROM above WHERE length(path) > 13)
  SELECT 1 FROM above CROSS JOIN comments a ON a.post_id = c.post_id AND a.path = above.path
  CROSS JOIN blocks b ON b.blocker_id = a.author_id AND b.blocked_id = :actor))`
	// The counters include the author's upvote from the start.
	statusOfNew    = `iif(:held, 'removed', 'published'), :held, :pictures, 1, 1, ` + bestOfNew + `, ` + bestOfNew + `, :words`
	bestOfNew      = ranking.WilsonSQL("1", "0")
	voteForComment = `INSERT INTO votes (target_id, user_id, value, updated_at, automatic)
SELECT id, author_id, 1, :at, 1 FROM comments WHERE id = :id AND author_id = :author
ON CONFLICT DO NOTHING`

	// The arguments of whyNoReply for the parent, whether its author blocks the actor, what keeps the actor from writing here, and whether
	// the session is live.
	repliedToPost = `SELECT ` + posts.StatusNow + `, p.locked, 'published', 0, EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = p.author_id
  AND b.blocked_id = :actor), ` + bans.Mine("p.community_id") + `, ` + data.LiveSession + `
FROM posts p WHERE p.id = :parent AND p.status NOT IN ('draft', 'scheduled') AND p.held = 0`
	repliedToComment = `SELECT ` + posts.StatusNow + `, p.locked, c.status, c.depth, ` + blockedAbove + `, ` + bans.Mine("p.community_id") +
		`, ` + data.LiveSession + `
FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.id = :parent AND c.held = 0 AND p.held = 0`

	// The result of the form, by this request or an earlier one.
	formsComment   = ` FROM idempotency_keys m JOIN comments c ON c.id = m.result_id`
	createdComment = `SELECT ` + Columns + ViewerColumns + `, ` + data.LiveSession + formsComment + JoinViewerVote + ` WHERE ` + data.ByForm
	postOfCreated  = `SELECT ` + posts.Columns + posts.ViewerColumns + `
FROM posts p` + posts.JoinViewerVote + ` WHERE p.id = (SELECT c.post_id` + formsComment + ` WHERE ` + data.ByForm + `)`
)

// Create adds a reply with its author's own upvote, in one transaction. It returns the comment, and its post without the text. If the
// same form has made an equal comment before, it returns that one. Invalid, NotFound, Forbidden (locked, removed, banned or muted,
// blocked by the author of the post, of the parent, or of a comment above that), AlreadySent (the same form has made another comment),
// Conflict and Unauthenticated.
//
// The trigger comments_added adds the counts of the post and of the comments above to count_deltas, which the delta run (package votes)
// applies later. The delta run also moves the post in the order "active".
func (s *Store) Create(ctx context.Context, a data.Actor, c Create) (*Comment, *posts.Post, error) {
	if err := c.Validate(); err != nil {
		return nil, nil, err
	}
	parent, insert, repliedTo := c.Post, commentOnPost, repliedToPost
	if c.Parent != 0 {
		parent, insert, repliedTo = c.Parent, commentOnComment, repliedToComment
	}
	now := s.Source.Now()
	id := s.Source.NewID(parent.Slot(), data.KindComment)
	once := data.IdempotencyKey{Author: a.UserID, Form: "comment " + parent.Text(), Token: c.Token, ID: id, Digest: c.digest()}
	args := a.Args(data.Args{"id": id, "parent": parent, "step": id.Text(), "name": a.Name, "body": c.Body, "html": c.BodyHTML,
		"words": searchwords.Words(c.Body), "at": now,
		"held": int(c.Judged.Held), "pictures": pictures.Encode(c.Pictures), "now": s.Source.DatabaseNow()})
	if c.Parent != 0 {
		args["deepest"] = DepthMax - 1
	}

	w := s.DB.WriteAt(parent)
	form := w.Once(once, now, insert, args)
	w.Do(voteForComment, data.Args{"id": id, "author": a.UserID, "at": now})
	if c.Parent != 0 {
		rankQuestions(w, id)
	}
	c.Judged.Record(w, s.Source, id, false)
	if c.Judged.Held == data.NotHeld { // a held comment notifies when it is approved
		outbox.EnqueueNotify(w, s.Source, id)
	}
	refusal := errNothingToReplyTo
	w.Find(repliedTo, a.Args(data.Args{"parent": parent, "now": s.Source.DatabaseNow()}), func(r *data.Row) {
		refusal = whyNoReply(r.Text(), r.Bool(), r.Text(), int(r.Int()))
		if blocked := r.Bool(); blocked {
			refusal = errBlocked
		}
		var ban bans.Ban
		if ban.Scan(r); ban.Err() != nil {
			refusal = ban.Err()
		}
		if live := r.Bool(); !live {
			refusal = data.ErrSessionEnded
		}
	})
	created, live := &Comment{}, false
	w.Find(createdComment, a.Args(once.Args(data.Args{"viewer": a.UserID})), func(r *data.Row) {
		created.Scan(r)
		live = r.Bool()
		w.EnqueueCountDeltas(created.PostID)
	})
	post := &posts.Post{}
	w.Find(postOfCreated, once.Args(data.Args{"viewer": a.UserID}), post.Scan)
	if err := w.Run(ctx); err != nil {
		if data.IsTaken(err) { // only the id can be taken: a retry makes another
			err = data.UnavailableBecause(err)
		}
		return nil, nil, err
	}
	switch {
	case created.ID == 0 && refusal != nil:
		return nil, nil, refusal
	case created.ID == 0:
		return nil, nil, &data.Error{Code: data.Conflict, Message: "The comment could not be saved. Please send it again."}
	case !live:
		return nil, nil, data.ErrSessionEnded
	case form.Other():
		return nil, nil, data.ErrKeyReused("This form was sent before, with other content, and that is saved.", post.URL()+"/"+created.ID.Text())
	}
	return created, post, nil
}

// digest returns the digest of the comment's text and pictures.
func (c *Create) digest() string {
	parts := []string{c.Body}
	for _, p := range c.Chosen {
		parts = append(parts, p.Sum, p.Alt)
	}
	return data.DigestOf(parts...)
}

// errBlocked gives no reason: a blocked member must not learn of the block.
var errBlocked error = &data.Error{Code: data.Forbidden, Message: "You can't reply here."}

var errNothingToReplyTo error = &data.Error{Code: data.NotFound, Message: "What you reply to is gone."}

// Primary keys.
const communityOf = `SELECT p.community_name FROM posts p WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = :id), :id)`

// FindCommunity reads the name of the community of a post or comment; it stays "" if the post or comment does not exist.
func (s *Store) FindCommunity(r *data.Read, repliedTo data.ID, name *string) {
	r.FindAt(repliedTo, communityOf, data.Args{"id": repliedTo}, func(row *data.Row) { *name = row.Text() })
}

// Primary keys. A shard has copies of communities.
const pictureRule = `SELECT k.comment_pictures FROM posts p JOIN communities k ON k.id = p.community_id
WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = :id), :id)`

// FindPictureRule reads along with a form whether the community of a post or comment allows pictures in comments
// (communities.Settings.CommentPictures).
func (s *Store) FindPictureRule(r *data.Read, repliedTo data.ID, rule *string) {
	r.FindAt(repliedTo, pictureRule, data.Args{"id": repliedTo}, func(row *data.Row) { *rule = row.Text() })
}

// CheckReply returns why a post, or a comment on it, can't be replied to; nil if it can. parent is nil for the post itself.
func CheckReply(p *posts.Post, parent *Comment) error {
	if parent == nil {
		return whyNoReply(p.Status, p.Locked, "published", 0)
	}
	return whyNoReply(p.Status, p.Locked, parent.Status, parent.Depth)
}

// whyNoReply returns why a post or comment can't be replied to; nil if it can. status and locked belong to the post, parent and depth to
// the comment ("published" and 0 for the post itself).
func whyNoReply(status string, locked bool, parent string, depth int) error {
	switch {
	case locked:
		return &data.Error{Code: data.Forbidden, Message: "This thread is locked: no new comments."}
	case status == "archived":
		return &data.Error{Code: data.Forbidden, Message: "This thread is archived: no new comments."}
	case status != "published" || parent != "published":
		return &data.Error{Code: data.Forbidden, Message: "What you reply to was removed."}
	case depth >= DepthMax-1:
		return data.Mistake("body", "This thread can't go deeper. Please reply further up.")
	}
	return nil
}
