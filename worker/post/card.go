package post

import (
	"cmp"
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/locale"
	"plaza/render/card"
	"plaza/render/markdown"
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

// hasCard reports whether a comment has a card of its own: everybody can read it, and its post is not marked.
func hasCard(m *comments.Comment, p *posts.Post) bool {
	return isPublic(p) && !p.NSFW && !p.Spoiler && m.Status == "published" && m.Held == 0
}

// ShowCard draws the card of a post, of a comment, or of the site.
func (h *Handlers) ShowCard(c *request.Call) error {
	name := c.R.PathValue("post")
	if name == request.SiteCard {
		_ = h.Settings.Refresh(c.R.Context())
		return h.sendCard(c, card.Card{Title: h.SiteName(), Text: h.About().String(), Name: h.SiteName(), Colour: h.Colour()})
	}
	id, err := data.ParseID(name)
	if err != nil || id.Text() != name {
		return errNoCard
	}
	if id.IsComment() {
		return h.showCommentCard(c, id)
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
	return h.sendCard(c, h.cardOf(c, post))
}

// cardQuote is how many characters of a comment its card quotes.
const cardQuote = 160

// showCommentCard draws the card of a comment: its first words.
func (h *Handlers) showCommentCard(c *request.Call, id data.ID) error {
	r := c.Read()
	post, comment, source := h.Comments.FindPostOf(r, id, 0), h.Comments.FindByID(r, id, 0), h.Comments.FindSource(r, id)
	h.Communities.FindColourChanges(r)
	if err := c.Run(r); err != nil {
		return err
	}
	if !hasCard(comment, post) {
		return errNoCard
	}
	if err := c.RefuseOld(post.CreatedAt); err != nil {
		return err
	}
	drawn := h.cardOf(c, post)
	drawn.Facts = cmp.Or(comment.Author, ui.UnknownAuthor) + " · " + handleOf(post) + h.score(c, comment.Ups, comment.Downs)
	if quoted := markdown.PlainExcerpt(source.Body, cardQuote); quoted != "" {
		drawn.Title = "“" + quoted + "”"
	}
	return h.sendCard(c, drawn)
}

// cardOf is the card of a post.
func (h *Handlers) cardOf(c *request.Call, p *posts.Post) card.Card {
	drawn := card.Card{Title: p.Title, Name: p.Community, Site: h.SiteName(), Colour: c.Colour(p.Community)}
	if data.IsProfile(p.Community) {
		drawn.Name = p.Author
	}
	drawn.Facts = handleOf(p) + h.score(c, p.Ups, p.Downs) + " · " + locale.With("{} comment|{} comments", p.Comments).String()
	return drawn
}

// handleOf returns the community of a post, or the profile, as members write it.
func handleOf(p *posts.Post) string {
	if data.IsProfile(p.Community) {
		return "u/" + cmp.Or(p.Author, ui.UnknownAuthor)
	}
	return "c/" + p.Community
}

// score is the score that visitors see.
func (h *Handlers) score(c *request.Call, ups, downs int64) string {
	return " · ▲ " + strconv.FormatInt(c.Score(ups, downs, 0, false), 10)
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
	return h.sendCard(c, card.Card{Title: community.Title, Text: community.Description, Facts: "c/" + community.Name, Name: community.Name,
		Site: h.SiteName(), Colour: community.Colour})
}

func (h *Handlers) sendCard(c *request.Call, drawn card.Card) error {
	c.W.Header().Set("Content-Security-Policy", view.ImagePolicy)
	request.CrossOrigin(c.W.Header())
	return c.Send(http.StatusOK, "image/png", card.PNG(drawn))
}
