package listing

import (
	"context"
	"net/http"
	"slices"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/communities"
	"plaza/data/content/posts"
	"plaza/data/events/outbox"
	"plaza/data/lists/listings"
	"plaza/data/lists/timelines"
	"plaza/locale"
	pages "plaza/render/listing"
	"plaza/render/ui"
	"plaza/worker/queue"
	"plaza/worker/request"
	"plaza/worker/view"
)

// homePage is how many posts a page of a timeline shows.
const homePage = 25

// homeTries is how many pages are read to get one with posts: all posts of a page may be gone, or not safe for work.
const homeTries = 4

// ShowHome is a member's timeline: the posts of authors and tags that they follow.
func (h *Handlers) ShowHome(c *request.Call) error {
	after, err := data.ParseCursor(byte(data.OrderHome), c.R.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	from := after
	var home *listings.Home
	var shown []*posts.Post
	var joined *communities.Joined
	for range homeTries {
		r := c.ReadMerged()
		h.Communities.FindColourChanges(r)
		joined = h.FindJoined(c, r)
		if home, err = h.Listings.FindHome(c.R.Context(), r, c.ViewerID(), c.HidesSeen(), from, homePage); err != nil {
			return err
		}
		if err := c.Run(r); err != nil {
			return err
		}
		shown = home.Items()
		if c.Choices().NSFW == accounts.HideNSFW {
			shown = slices.DeleteFunc(shown, func(p *posts.Post) bool { return p.NSFW })
		}
		if from = home.Next(); from.IsZero() || len(shown) > 0 || c.HidesSeen() { // seen posts may be many, so these pages end early
			break
		}
	}
	p := pages.HomePage{
		Own: view.OwnView(c, joined),
		Listing: ui.Listing{Scopes: view.Scopes(view.ScopeFollowing), FirstPage: after.IsZero(),
			ShowCommunity: true, HidesSeen: c.HidesSeen(),
			Empty: "Nothing yet. Follow members and tags, and their posts appear here."},
	}
	view.Fill(c, &p.Listing, shown, "", "")
	p.Listing.Empty = c.EmptyText(p.Listing.Empty)
	if next := home.Next(); !next.IsZero() {
		p.Listing.Empty = view.NothingLeft
		p.Listing.NextURL = "/home?after=" + next.String()
	}
	if c.Viewer != nil && h.wasInactive(c) {
		p.Rebuilding = true
	}
	if after.IsZero() {
		f := c.WithToken(ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
		p.Short = &f
	}
	p.Frame = c.Frame("Following¦posts")
	p.Places = p.Own.Items
	return request.Show(c, http.StatusOK, pages.Home, p)
}

// wasInactive reports whether the member was away for so long that their timeline is being rebuilt.
func (h *Handlers) wasInactive(c *request.Call) bool {
	return !c.Viewer.SeenAt.IsZero() && h.Source.Now().Sub(c.Viewer.SeenAt) > timelines.InactiveAfter
}

// ConsumeTimeline writes posts into timelines.
func (h *Handlers) ConsumeTimeline(ctx context.Context, posts []data.ID) ([]data.ID, error) {
	return nil, queue.RunJob(ctx, h.Queue, posts, h.Timelines.FanOut, outbox.JobTimeline)
}

// ConsumeBackfill writes the posts of new followees into members' timelines.
func (h *Handlers) ConsumeBackfill(ctx context.Context, members []data.ID) ([]data.ID, error) {
	return nil, queue.RunJob(ctx, h.Queue, members, h.Timelines.Backfill, outbox.JobBackfill)
}

// ConsumeRebuild rebuilds the timelines of members.
func (h *Handlers) ConsumeRebuild(ctx context.Context, members []data.ID) ([]data.ID, error) {
	return nil, queue.RunJob(ctx, h.Queue, members, h.Timelines.Rebuild, outbox.JobRebuild)
}
