package worker

import (
	"plaza/data"
	"plaza/data/posts"
	"plaza/render"
)

// moderating is the moderators' menu of a post; nil for all others.
func (c *call) moderating(p *posts.Post) *render.Moderating {
	if !c.exact(p.Community) || p.Unpublished() || p.Status == "deleted" {
		return nil
	}
	return &render.Moderating{URL: decideURL(p.Community, p.ID), FlairURL: giveFlairURL(p.Community, p.ID), BanURL: c.banURL(p.Community, p.AuthorID, p.Author), CardURL: cardURL(p.Community, p.AuthorID, p.Author), Approver: !c.viewer.Moderates(p.Community), CanPin: !data.IsProfile(p.Community) && p.Status == "published", Answered: p.Answer != ""}
}
