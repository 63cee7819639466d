package worker

import (
	"context"
	"net/http"

	"plaza/data"
	"plaza/render"
)

// showHome is the front page: for a visitor the site's hot listing, for a member what
// their communities talk about. A member of none gets the site's listing, too.
func (a *App) showHome(c *call) error {
	if c.actor == nil {
		return a.showFront(c)
	}
	after, err := data.ParseCursor(byte(data.OrderFront), c.r.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	ctx := c.r.Context()
	r := c.read(a)
	front, some := a.posts.FindFront(ctx, r, c.actor.UserID, after, listingPage)
	var site *data.Listing
	if !some || front.Fresh() || front.RedisErr != nil { // it may turn out that they take part nowhere
		if site, err = a.posts.FindListing(ctx, r, data.ListingQuery{
			Order: data.OrderHot, Limit: listingPage, Viewer: c.viewerID(), FromDatabase: true}); err != nil {
			return err
		}
	}
	a.communities.FollowColours(r)
	communities := a.communities.FindLargest(r, c.viewerID(), frontCommunities)
	if err := c.run(r); err != nil {
		return err
	}
	mix := some && !front.Empty()
	if mix {
		if rest := a.DB.Read(); a.posts.FindRest(rest, front) {
			if err := rest.Run(ctx); err != nil {
				return err
			}
		}
	} else if err := a.passHidden(c, &site); err != nil {
		return err
	}
	v := render.Listing{
		Tabs:      homeTabs(-1),
		FirstPage: after.IsZero(), ShowCommunity: true,
		Empty: "Nothing has been posted in your communities yet.",
	}
	switch {
	case mix:
		v.Items = c.postItems(front.Items())
		if next := front.Next(); !next.IsZero() {
			v.NextURL = "/?after=" + next.String()
		}
	default:
		v.Items = c.postItems(site.Items())
		if next := site.Next(); !next.IsZero() {
			v.NextURL = "/hot?after=" + next.String()
		}
	}
	if some && front.Fresh() {
		a.Background(ctx, func(ctx context.Context) {
			if err := a.posts.KeepFront(ctx, front); err != nil {
				a.Log.WarnContext(ctx, "front page not kept", "request", c.id, "error", err)
			}
		})
	}
	p := render.FrontPage{
		Frame:   c.frame(a, "", "Communities and what they talk about.", "/"),
		Listing: v, Communities: communityItems(*communities),
	}
	return c.page(http.StatusOK, render.Front(p))
}

// homeTabs are a member's: their own mix (-1), then the orders of the whole site.
func homeTabs(active int) []render.Tab {
	tabs := []render.Tab{{Label: "Yours", URL: "/", Active: active < 0}}
	for i, o := range listingOrders {
		tabs = append(tabs, render.Tab{Label: o.label, URL: "/" + string(o.name), Active: i == active})
	}
	return tabs
}
