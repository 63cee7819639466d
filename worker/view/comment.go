package view

import (
	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/render/markdown"
	"plaza/render/ui"
	"plaza/worker/decision"
	"plaza/worker/request"
)

// CommentView makes the view of a comment, without its replies. post needs its address, author, community, status and lock.
func CommentView(c *request.Call, m *comments.Comment, post *posts.Post) *ui.Comment {
	v := &ui.Comment{PostURL: post.LinkURL()}
	ViewComment(c, v, m, post)
	return v
}

// ViewComment is CommentView for a thread of hundreds of comments: it fills a view that has the address of its post already.
func ViewComment(c *request.Call, v *ui.Comment, m *comments.Comment, post *posts.Post) {
	*v = ui.Comment{
		ID: m.ID.Text(), PostURL: v.PostURL, Author: m.Author, Avatar: AvatarOf(m.AuthorAvatar), AuthorFlair: MemberFlair(m.AuthorFlair),
		IsOP: m.AuthorID != 0 && m.AuthorID == post.AuthorID, IsViewer: c.IsViewer(m.AuthorID),
		BodyHTML: ShownText(m.BodyHTML, m.BodyPlain), CreatedAt: m.CreatedAt, EditedAt: m.EditedAt,
		Deleted: m.Status == "deleted", Removed: m.Status == "removed", Held: m.Held == data.Held && m.Status == "removed",
		Descendants: m.Descendants,
		CanReply: m.Status == "published" && post.StatusAt(c.At, c.Site().ArchiveAge()) == "published" && !post.Locked &&
			m.Depth < comments.DepthMax-1,
	}
	v.Votes = c.Votes(m.ID, m.Ups, m.Downs, m.MyVote, c.Exact(post.Community))
	switch post.StatusAt(c.At, c.Site().ArchiveAge()) {
	case "removed", "deleted", "archived":
		v.Votes.Closed = true
	default:
		v.Votes.Closed = m.Status != "published"
	}
	v.Low = !v.IsViewer && m.Status == "published" && c.Choices().Folds(v.Votes.Score)
	v.Saved, v.Blocked = m.Saved, c.Blocks(m.AuthorID)
	v.CanBlock = c.Actor != nil && m.AuthorID != 0 && !v.IsViewer && !v.Blocked && !v.Deleted
	v.CanReport = c.Actor != nil && !v.IsViewer && m.Status == "published" && (post.Status == "published" || post.Status == "archived")
	v.CanDelete = v.IsViewer
	v.CanSave = c.Actor != nil && m.Status == "published"
	if !v.Deleted {
		v.Pictures = PostPictures(m.Pictures)
	}
	if v.Removed {
		if !v.Held || !SeesRemoved(c, m.AuthorID, post.Community) {
			v.Pictures = nil // moderators have them in the queue
		}
		v.Rule, v.HeldAfterReports = m.Removal.Rule, m.Removal.Held
		if SeesRemoved(c, m.AuthorID, post.Community) {
			v.Note, v.DecisionURL = m.Removal.Note, decision.URL(&m.Removal, c.IsViewer(m.AuthorID), m.Held, post.Community,
				m.ID)
		} else {
			v.BodyHTML = ""
		}
	}
	if !v.Deleted && c.Exact(post.Community) {
		v.ModURL = request.DecideURL(post.Community, m.ID)
		v.BanURL, v.CardURL = c.BanURL(post.Community, m.AuthorID, m.Author), request.MemberCardURL(post.Community, m.AuthorID, m.Author)
		if c.Viewer.Admin {
			v.EraseURL = request.EraseURL(m.ID)
		}
	}
	if m.Status == "published" {
		v.AutoReply = markdown.HTML(m.AutoReply)
	}
	v.CanEdit = v.IsViewer && m.Status == "published" && post.Status == "published" && !post.Locked
}
