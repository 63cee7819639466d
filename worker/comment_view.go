package worker

import (
	"plaza/data"
	"plaza/data/posts"
	"plaza/data/threads"
	"plaza/render"
)

// commentView makes the view of a comment, without its replies. post needs its address, author, community, status and lock.
func (c *call) commentView(m *threads.Comment, post *posts.Post) *render.Comment {
	v := &render.Comment{PostURL: post.LinkURL()}
	c.viewComment(v, m, post)
	return v
}

// viewComment is commentView for a thread of hundreds: it fills a view that has the address of its post already.
func (c *call) viewComment(v *render.Comment, m *threads.Comment, post *posts.Post) {
	*v = render.Comment{
		ID: m.ID.Text(), PostURL: v.PostURL, Author: m.Author, Avatar: avatarOf(m.AuthorAvatar),
		IsOP: m.AuthorID != 0 && m.AuthorID == post.AuthorID, IsViewer: c.isViewer(m.AuthorID),
		BodyHTML: shownText(m.BodyHTML, m.BodyPlain), CreatedAt: m.CreatedAt, EditedAt: m.EditedAt,
		Deleted: m.Status == "deleted", Removed: m.Status == "removed", Waits: m.Held == data.Waits && m.Status == "removed", Descendants: m.Descendants,
		CanReply: m.Status == "published" && post.StatusAt(c.at, c.site().ArchiveAge()) == "published" && !post.Locked && m.Depth < threads.DepthMax-1,
	}
	v.Votes = c.votes(m.ID, m.Ups, m.Downs, m.MyVote, c.exact(post.Community))
	switch post.StatusAt(c.at, c.site().ArchiveAge()) {
	case "removed", "deleted", "archived":
		v.Votes.Closed = true
	default:
		v.Votes.Closed = m.Status != "published"
	}
	v.Saved, v.Blocked = m.Saved, c.blocks(m.AuthorID)
	v.CanBlock = c.actor != nil && m.AuthorID != 0 && !v.IsViewer && !v.Blocked && !v.Deleted
	v.CanReport = c.actor != nil && !v.IsViewer && m.Status == "published" && (post.Status == "published" || post.Status == "archived")
	v.CanDelete = v.IsViewer
	v.CanSave = c.actor != nil && m.Status == "published"
	if v.Removed {
		v.Rule, v.Hidden = m.Removal.Rule, m.Removal.Hidden
		if c.seesRemoved(m.AuthorID, post.Community) {
			v.Note = m.Removal.Note
		} else {
			v.BodyHTML = ""
		}
	}
	if !v.Deleted && c.exact(post.Community) {
		v.ModURL = decideURL(post.Community, m.ID)
		v.BanURL, v.CardURL = c.banURL(post.Community, m.AuthorID, m.Author), cardURL(post.Community, m.AuthorID, m.Author)
	}
	if m.Status == "published" {
		v.Answer = render.HTML(m.Answer)
	}
	v.CanEdit = v.IsViewer && m.Status == "published" && post.Status == "published" && !post.Locked
}
