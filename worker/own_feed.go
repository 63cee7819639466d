package worker

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"

	"plaza/data"
	"plaza/data/people"
	"plaza/data/posts"
	"plaza/render"
)

var errNoFeed = &data.Error{Code: data.NotFound, Message: "There is no such feed. Its address was ended or has expired. Its member can make a new one at /settings/tokens."}

// showOwnFeed is the feed of a member's own front page, in the order new.
func (a *App) showOwnFeed(c *call) error {
	t, ok := a.decodeToken(c.r.PathValue("token"))
	if !ok || t.scopes != people.Feed || !a.Source.Now().Before(t.expires) {
		return errNoFeed
	}
	c.actor, c.byToken = &t.Actor, true
	if err := a.mayRead(c); err != nil { // the member's budget: what is read here is counted for them
		return err
	}
	r := c.read()
	front, err := a.listings.FindFrontNew(c.r.Context(), r, t.UserID, false, data.Cursor{}, listingPage)
	if err != nil {
		return err
	}
	if err := c.run(r); err != nil {
		return err
	}
	items := front.Items()
	if c.choices().NSFW == people.HideNSFW {
		items = slices.DeleteFunc(items, func(p *posts.Post) bool { return p.NSFW })
	}
	frame := c.frame("Your communities", "What is new in the communities of "+t.Name+".", "/")
	feed := render.NewFeed(&frame, c.r.URL.Path, "")
	feed.AddPosts(c.postItems(items))
	b, err := render.Bytes(render.FeedXML(feed))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(b)
	c.w.Header().Set("X-Robots-Tag", "noindex")
	c.w.Header().Set("ETag", `W/"`+base64.RawURLEncoding.EncodeToString(sum[:9])+`"`)
	return c.send(http.StatusOK, atomType, b)
}
