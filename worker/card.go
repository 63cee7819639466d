package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/posts"
	"plaza/render"
	"plaza/render/card"
)

var errNoCard = &data.Error{Code: data.NotFound, Message: "There is no such picture."}

// pictureOf is what link previews of a post show: its own picture, unless that is behind a click here, or else its card.
func (a *App) pictureOf(p *posts.Post) render.Picture {
	if p.Kind == "image" && !p.NSFW && !p.Spoiler {
		return render.Picture{URL: a.SiteURL + "/img/" + p.ID.Text(), Width: p.ImageWidth, Height: p.ImageHeight}
	}
	return a.cardOf(p.ID.Text())
}

// shownAnywhere tells whether other sites may show a post: it is published, and neither removed nor deleted.
func shownAnywhere(p *posts.Post) bool {
	return p.ID != 0 && (p.Status == "published" || p.Status == "archived") && p.Held == 0
}

// showCard draws the card of a post, or of the site.
func (a *App) showCard(c *call) error {
	name := c.r.PathValue("post")
	if name == siteCard {
		_ = a.settings.Refresh(c.r.Context())
		return a.sendCard(c, card.Card{Title: a.siteName(), Place: a.settings.Now().Tagline})
	}
	id, err := data.ParseID(name)
	if err != nil || id.Text() != name {
		return errNoCard
	}
	r := c.read()
	post := a.posts.FindByID(r, id, 0)
	a.communities.FollowColours(r)
	if err := c.run(r); err != nil {
		return err
	}
	if !shownAnywhere(post) {
		return errNoCard
	}
	drawn := card.Card{Title: post.Title, Place: "c/" + post.Community, Site: a.siteName(), Colour: c.colour(post.Community)}
	if data.IsProfile(post.Community) {
		drawn.Place = "u/" + post.Author
	}
	return a.sendCard(c, drawn)
}

func (a *App) showCommunityCard(c *call) error {
	r := c.read()
	community := a.communities.FindByName(r, c.r.PathValue("community"), 0)
	if err := c.run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(community.Name) {
		return errNoCard
	}
	return a.sendCard(c, card.Card{Title: community.Title, Place: "c/" + community.Name, Site: a.siteName(), Colour: community.Colour})
}

func (a *App) sendCard(c *call, drawn card.Card) error {
	picture, err := card.PNG(drawn)
	if err != nil {
		return err
	}
	c.w.Header().Set("Content-Security-Policy", imagePolicy)
	crossOrigin(c.w.Header())
	return c.send(http.StatusOK, "image/png", picture)
}
