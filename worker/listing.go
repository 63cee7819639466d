package worker

import (
	"context"
	"strings"
	"time"

	"plaza/data"
	"plaza/render"
)

// listingPage is how many posts a page of a listing shows.
const listingPage = 25

// findListing asks for the listing that the address names. base is the listing's
// address without its order. The returned function makes the view after the Read ran.
func (a *App) findListing(c *call, r *data.Read, base, community string) (func(exists bool) render.Listing, error) {
	order := data.OrderHot
	if strings.HasSuffix(c.r.URL.Path, "/new") {
		order = data.OrderNew
	}
	after, err := data.ParseCursor(byte(order), c.r.URL.Query().Get("after"))
	if err != nil {
		return nil, err
	}
	l, err := a.posts.FindListing(c.r.Context(), r, data.ListingQuery{
		Community: community, Order: order, After: after, Limit: listingPage, Viewer: c.viewerID()})
	if err != nil {
		return nil, err
	}
	if l.RedisErr != nil {
		a.Log.WarnContext(c.r.Context(), "hot set not asked", "request", c.id, "error", l.RedisErr)
	}
	return func(exists bool) render.Listing {
		if l.Stale && exists {
			a.askRebuild(c.r.Context(), community)
		}
		base := strings.TrimSuffix(base, "/")
		address := base + "/hot"
		if order == data.OrderNew {
			address = base + "/new"
		}
		home := base
		if home == "" {
			home = "/"
		}
		v := render.Listing{
			Tabs: []render.Tab{
				{Label: "Hot", URL: home, Active: order == data.OrderHot},
				{Label: "New", URL: base + "/new", Active: order == data.OrderNew},
			},
			Items: c.postItems(l.Items()), FirstPage: after.IsZero(), ShowCommunity: community == "",
		}
		if next := l.Next(); !next.IsZero() {
			v.NextURL = address + "?after=" + next.String()
		}
		return v
	}, nil
}

// rebuildEvery is how often one instance asks for the same hot set.
const rebuildEvery = 10 * time.Second

// askRebuild has a lost hot set made anew by the events consumer. Pages come from the
// database meanwhile. A request lost on the way is made again by the next page.
func (a *App) askRebuild(ctx context.Context, scope string) {
	scope = strings.ToLower(scope)
	now := a.Source.Now()
	a.mu.Lock()
	last, asked := a.rebuilt[scope]
	due := !asked || now.Sub(last) >= rebuildEvery
	if due {
		if len(a.rebuilt) > 10000 {
			clear(a.rebuilt)
		}
		a.rebuilt[scope] = now
	}
	a.mu.Unlock()
	if !due {
		return
	}
	a.Background(ctx, func(ctx context.Context) {
		if err := a.Queue.Send(ctx, QueueEvents, hotMessage(scope)); err != nil {
			a.Log.WarnContext(ctx, "rebuild not asked for", "scope", scope, "error", err)
		}
	})
}
