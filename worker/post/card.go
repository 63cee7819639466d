package post

import (
	"net/http"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/render/card"
	"plaza/render/ui"
	"plaza/worker/pictures"
	"plaza/worker/request"
	"plaza/worker/view"
)

var errNoCard = &data.Error{Code: data.NotFound, Message: "There is no such picture."}

// pictureOf is what link previews of a post show: its own picture, or its card if that is missing or hidden behind a click.
func (h *Handlers) pictureOf(p *posts.Post) ui.Picture {
	if len(p.Pictures) > 0 && !p.NSFW && !p.Spoiler {
		first := p.Pictures[0]
		return ui.Picture{URL: h.SiteURL + pictures.URL(first.Sum), Width: first.Width, Height: first.Height, Alt: first.Alt}
	}
	if p.Image != "" && p.Kind == "image" && !p.NSFW && !p.Spoiler {
		return ui.Picture{URL: h.SiteURL + "/img/" + p.ID.Text(), Width: p.ImageWidth, Height: p.ImageHeight}
	}
	return h.CardOf(p.ID.Text())
}

// isPublic reports whether other sites may show a post: it is published, and neither removed nor deleted.
func isPublic(p *posts.Post) bool {
	return p.ID != 0 && (p.Status == "published" || p.Status == "archived") && p.Held == 0
}

// ShowCard draws the card of a post, or of the site.
func (h *Handlers) ShowCard(c *request.Call) error {
	name := c.R.PathValue("post")
	if name == request.SiteCard {
		_ = h.Settings.Refresh(c.R.Context())
		return h.sendCard(c, card.Card{Title: h.SiteName(), Place: h.Settings.Now().Tagline})
	}
	id, err := data.ParseID(name)
	if err != nil || id.Text() != name {
		return errNoCard
	}
	r := c.Read()
	post := h.Posts.FindByID(r, id, 0)
	h.Communities.FindColourChanges(r)
	if err := c.Run(r); err != nil {
		return err
	}
	if !isPublic(post) {
		return errNoCard
	}
	if err := c.RefuseOld(post.CreatedAt); err != nil {
		return err
	}
	drawn := card.Card{Title: post.Title, Place: "c/" + post.Community, Site: h.SiteName(), Colour: c.Colour(post.Community)}
	if data.IsProfile(post.Community) {
		drawn.Place = "u/" + post.Author
	}
	return h.sendCard(c, drawn)
}

func (h *Handlers) ShowCommunityCard(c *request.Call) error {
	r := c.Read()
	community := h.Communities.FindByName(r, c.R.PathValue("community"), 0)
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(community.Name) {
		return errNoCard
	}
	return h.sendCard(c, card.Card{Title: community.Title, Place: "c/" + community.Name, Site: h.SiteName(), Colour: community.Colour})
}

func (h *Handlers) sendCard(c *request.Call, drawn card.Card) error {
	picture, err := card.PNG(drawn)
	if err != nil {
		return err
	}
	c.W.Header().Set("Content-Security-Policy", view.ImagePolicy)
	request.CrossOrigin(c.W.Header())
	return c.Send(http.StatusOK, "image/png", picture)
}
