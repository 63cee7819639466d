package listing

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/sessions"
	"plaza/data/content/posts"
	"plaza/locale"
	"plaza/render/feeds"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

var errNoFeed = &data.Error{Code: data.NotFound, Message: "There is no such feed. Its address was ended or has expired. Its member can " +
	"make a new one at /settings/tokens."}

// ShowPrivateFeed is the feed of a member's own front page, in the order new.
func (h *Handlers) ShowPrivateFeed(c *request.Call) error {
	t, ok := h.Key.DecodeToken(c.R.PathValue("token"))
	if !ok || t.Scopes != sessions.Feed || !h.Source.Now().Before(t.Expires) {
		return errNoFeed
	}
	c.Actor, c.ByToken = &t.Actor, true
	if err := h.MayRead(c); err != nil { // the member's budget: what is read here is counted for them
		return err
	}
	r := c.ReadMerged()
	front, err := h.Listings.FindFrontByTime(c.R.Context(), r, t.UserID, data.OrderFrontNew, false, data.Cursor{}, view.ListingPage)
	if err != nil {
		return err
	}
	if err := c.Run(r); err != nil {
		return err
	}
	items := front.Items()
	if c.Choices().NSFW == accounts.HideNSFW {
		items = slices.DeleteFunc(items, func(p *posts.Post) bool { return p.NSFW })
	}
	frame := c.PublicFrame("Your communities", locale.With("What is new in the communities of {}.", t.Name), "/")
	feed := feeds.NewFeed(&frame, c.R.URL.Path, "")
	shown, _ := view.Filter(c, items, "", "")
	feed.AddPosts(view.PostItems(c, shown))
	b, err := ui.Bytes(locale.English, feeds.FeedXML(feed))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(b)
	c.W.Header().Set("X-Robots-Tag", "noindex")
	c.W.Header().Set("ETag", `W/"`+base64.RawURLEncoding.EncodeToString(sum[:9])+`"`)
	return c.Send(http.StatusOK, request.AtomType, b)
}
