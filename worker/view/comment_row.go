package view

import (
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/locale"
	"plaza/render/ui"
	"plaza/worker/request"
)

// CommentRows makes the comments of a thread's page from HTML that members share.
type CommentRows struct {
	c    *request.Call
	post *posts.Post
	kind commentKind
	none bool // each comment is written for the viewer alone
}

// commentKind is all that the shared HTML of a comment depends on beside the comment and its post's address and author.
type commentKind struct {
	language *locale.Language
	zone     string // of the times
	sort     string // query of the addresses
	status   string // of the post
	locked   bool
}

// NewCommentRows begins a page. sort is the query of addresses in the thread. Moderators get pages of their own, with what they can do.
func NewCommentRows(c *request.Call, post *posts.Post, sort string) CommentRows {
	return CommentRows{c: c, post: post, none: c.Actor == nil || c.Format != nil || c.Exact(post.Community),
		kind: commentKind{language: c.Language(), zone: c.Choices().Zone, sort: sort, status: post.StatusAt(c.At, c.Site().ArchiveAge()),
			locked: post.Locked}}
}

// Fill fills the view of a comment, whose votes the viewer sees fuzzed. It returns false for a comment that has no shared HTML: it is not
// cached, has pictures, is not public, or this viewer sees more or less than others.
func (r *CommentRows) Fill(v *ui.Comment, m *comments.Comment) bool {
	c := r.c
	if r.none || m.Shared == nil || m.Status != "published" || len(m.Pictures) > 0 || c.IsViewer(m.AuthorID) || c.Blocks(m.AuthorID) {
		return false
	}
	score := c.Score(m.Ups, m.Downs, m.MyVote, false)
	if c.Choices().Folds(score) {
		return false
	}
	v.Row = shared(m.Shared, r.kind, func() *ui.CommentHTML {
		neutral := *m
		neutral.Ups, neutral.Downs, neutral.MyVote, neutral.ViewerUps, neutral.ViewerDowns, neutral.Saved = 0, 0, 0, 0, 0, false
		whole := ui.Comment{PostURL: r.post.URL()}
		ViewComment(c, &whole, &neutral, r.post)
		whole.Query = r.kind.sort
		return ui.NewCommentHTML(r.kind.language, &whole, c.Server.Now(c))
	})
	v.Votes.Mine, v.Votes.Score, v.Saved = m.MyVote, score, m.Saved
	return true
}
