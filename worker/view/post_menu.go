package view

import (
	"plaza/data"
	"plaza/data/posts"
	"plaza/render"
	"plaza/worker/request"
)

// Moderating is the moderators' menu of a post; nil for all others.
func Moderating(c *request.Call, p *posts.Post) *render.Moderating {
	if !c.Exact(p.Community) || p.Unpublished() || p.Status == "deleted" {
		return nil
	}
	return &render.Moderating{URL: request.DecideURL(p.Community, p.ID), FlairURL: request.GiveFlairURL(p.Community, p.ID), BanURL: c.BanURL(p.Community, p.AuthorID, p.Author), CardURL: request.CardURL(p.Community, p.AuthorID, p.Author), Approver: !c.Viewer.Moderates(p.Community), CanPin: !data.IsProfile(p.Community) && p.Status == "published", Answered: p.Answer != ""}
}
