package worker

import (
	"context"
	"net/http"
	"slices"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/listings"
	"plaza/data/people"
	"plaza/data/posts"
	"plaza/data/timelines"
	"plaza/render"
)

// homePage is how many posts a page of a timeline shows.
const homePage = 25

// homeTries is how many pages are read for one to show: everything on a page may be gone, or not safe for work.
const homeTries = 4

// showHome is a member's timeline: what those whom they follow have posted.
func (a *App) showHome(c *call) error {
	after, err := data.ParseCursor(byte(data.OrderHome), c.r.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	from := after
	var home *listings.Home
	var shown []*posts.Post
	var owned *communities.Owned
	for range homeTries {
		r := c.read()
		a.communities.FollowColours(r)
		owned = a.findOwned(c, r)
		if home, err = a.listings.FindHome(c.r.Context(), r, c.viewerID(), c.hidesSeen(), from, homePage); err != nil {
			return err
		}
		if err := c.run(r); err != nil {
			return err
		}
		shown = home.Items()
		if c.choices().NSFW == people.HideNSFW {
			shown = slices.DeleteFunc(shown, func(p *posts.Post) bool { return p.NSFW })
		}
		if from = home.Next(); from.IsZero() || len(shown) > 0 || c.hidesSeen() { // what was seen may be much, so their pages end early
			break
		}
	}
	p := render.HomePage{
		Own: c.ownView(owned),
		Listing: render.Listing{Tabs: frontTabs(followingTab), Items: c.postItems(shown), FirstPage: after.IsZero(), ShowCommunity: true, HidesSeen: c.hidesSeen(),
			Empty: "Nothing yet. Follow members and tags on their pages: what is posted there shows here."},
	}
	if next := home.Next(); !next.IsZero() {
		p.Listing.Empty = nothingLeft
		p.Listing.NextURL = "/home?after=" + next.String()
	}
	if c.viewer != nil && a.wasAway(c) {
		p.Rebuilding = true
	}
	if after.IsZero() {
		f := c.withToken(render.Form{Values: map[string]string{}, Errors: map[string]string{}})
		p.Short = &f
	}
	p.Frame = c.frame("Following", "", "")
	p.NoIndex = true
	return show(c, http.StatusOK, render.Home, p)
}

// wasAway tells whether the member comes back after so long that their timeline is being made again.
func (a *App) wasAway(c *call) bool {
	return !c.viewer.SeenAt.IsZero() && a.Source.Now().Sub(c.viewer.SeenAt) > timelines.Away
}

// consumeTimeline writes posts into timelines.
func (a *App) consumeTimeline(ctx context.Context, posts []data.ID) ([]data.ID, error) {
	return nil, a.withRest(ctx, posts, a.timelines.FanOut, timelineWord)
}

// consumeFill writes the posts of new followees into members' timelines.
func (a *App) consumeFill(ctx context.Context, members []data.ID) ([]data.ID, error) {
	return nil, a.withRest(ctx, members, a.timelines.Fill, fillWord)
}

// consumeRebuild makes the timelines of members anew.
func (a *App) consumeRebuild(ctx context.Context, members []data.ID) ([]data.ID, error) {
	return nil, a.withRest(ctx, members, a.timelines.Rebuild, rebuildWord)
}
