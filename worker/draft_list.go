package worker

import (
	"net/http"

	"plaza/data"
	"plaza/render"
)

// showDrafts lists the member's own drafts and scheduled posts.
func (a *App) showDrafts(c *call) error {
	after, err := data.ParseCursor(byte(data.OrderDrafts), c.r.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.read(a)
	a.communities.FollowColours(r)
	drafts := a.listings.FindUnpublished(r, c.viewerID(), after, savedPage)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.DraftsPage{Frame: c.frame(a, "Drafts", "", "")}
	for _, post := range drafts.Items() {
		p.Items = append(p.Items, render.DraftItem{Post: c.postItem(post), SavedAt: post.SavedAt(), PublishAt: post.PublishAt})
	}
	if next := drafts.Next(); !next.IsZero() {
		p.NextURL = "/drafts?after=" + next.String()
	}
	if !after.IsZero() {
		p.FirstURL = "/drafts"
	}
	p.NoIndex = true
	return show(c, http.StatusOK, render.Drafts, p)
}
