package view

import (
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/locale"
	"plaza/render/ui"
	"plaza/worker/request"
)

// CommentTemplates fills the views of a thread's comments from templates.
type CommentTemplates struct {
	c    *request.Call
	post *posts.Post
	key  commentKey
	none bool // no comment is shared
}

// commentKey has what a comment's HTML depends on, apart from the comment itself and its post's address and author.
type commentKey struct {
	language *locale.Language
	zone     string // of the times
	sort     string // query of the addresses
	status   string // of the post
	locked   bool
}

// NewCommentTemplates returns the CommentTemplates of a page. sort is the query of addresses in the thread. Visitors and other formats than
// HTML use no templates. Nor do moderators, who see more buttons and exact scores.
func NewCommentTemplates(c *request.Call, post *posts.Post, sort string) CommentTemplates {
	return CommentTemplates{c: c, post: post, none: c.Actor == nil || c.Format != nil || c.Exact(post.Community),
		key: commentKey{language: c.Language(), zone: c.Choices().Zone, sort: sort, status: post.StatusAt(c.At, c.Site().ArchiveAge()),
			locked: post.Locked}}
}

// Fill sets the template and the viewer's state in v. It returns false if the comment needs a view of its own: it is not cached, has
// pictures, is not public, or the viewer wrote it, blocks its author or folds it.
func (r *CommentTemplates) Fill(v *ui.Comment, m *comments.Comment) bool {
	c := r.c
	if r.none || m.Shared == nil || m.Status != "published" || len(m.Pictures) > 0 || c.IsViewer(m.AuthorID) || c.Blocks(m.AuthorID) {
		return false
	}
	score := c.Score(m.Ups, m.Downs, m.MyVote, false)
	if c.Choices().Folds(score) {
		return false
	}
	v.Template = shared(m.Shared, r.key, func() *ui.CommentTemplate {
		whole := ui.Comment{PostURL: r.post.URL()}
		ViewComment(c, &whole, m.WithoutViewer(), r.post)
		whole.Query = r.key.sort
		return ui.NewCommentTemplate(r.key.language, &whole, c.Server.Now(c))
	})
	v.Votes.Mine, v.Votes.Score, v.Saved = m.MyVote, score, m.Saved
	return true
}
