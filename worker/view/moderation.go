package view

import (
	"plaza/data"
	"plaza/data/content/posts"
	"plaza/render/ui"
	"plaza/worker/request"
)

// Moderating returns the moderators' menu of a post; nil for all other callers.
func Moderating(c *request.Call, p *posts.Post) *ui.Moderating {
	if !c.Exact(p.Community) || p.Unpublished() || p.Status == "deleted" {
		return nil
	}
	m := &ui.Moderating{URL: request.DecideURL(p.Community, p.ID), FlairURL: request.GiveFlairURL(p.Community, p.ID),
		TitleURL: request.TitleURL(p.Community, p.ID), BanURL: c.BanURL(p.Community, p.AuthorID, p.Author),
		CardURL:  request.MemberCardURL(p.Community, p.AuthorID, p.Author),
		Approver: !c.Viewer.Moderates(p.Community), CanPin: !data.IsProfile(p.Community) && p.Status == "published",
		HasAutoReply: p.AutoReply != ""}
	if c.Viewer.Admin {
		m.EraseURL = request.EraseURL(p.ID)
	}
	return m
}

// SeesRemoved reports whether the caller still sees what was removed: its author does, and the community's moderators.
func SeesRemoved(c *request.Call, author data.ID, community string) bool {
	return c.IsViewer(author) || c.Exact(community)
}

// InvisibleTo reports whether a post or comment is held, or was removed while it was held, and the caller may not know that it exists.
func InvisibleTo(c *request.Call, held data.Hold, author data.ID, community string) bool {
	return held != data.NotHeld && !SeesRemoved(c, author, community)
}
