package post

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/locale"
	"plaza/render/card"
	pages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/request"
)

// errNoEmbed is for addresses with nothing to embed (section 2.3.4 of oembed.com: 404).
var errNoEmbed = &data.Error{Code: data.NotFound, Message: "There is nothing to embed at that address."}

// embedURL is the address at which other sites read how to embed a post.
func (h *Handlers) embedURL(p *posts.Post) string {
	return h.SiteURL + "/oembed?url=" + url.QueryEscape(h.SiteURL+p.URL())
}

// embed is a response of oEmbed 1.0, of the type rich.
type embed struct {
	Type            string `json:"type"`
	Version         string `json:"version"`
	Title           string `json:"title"`
	AuthorName      string `json:"author_name,omitempty"`
	AuthorURL       string `json:"author_url,omitempty"`
	ProviderName    string `json:"provider_name"`
	ProviderURL     string `json:"provider_url"`
	CacheAge        int    `json:"cache_age"` // seconds
	ThumbnailURL    string `json:"thumbnail_url,omitempty"`
	ThumbnailWidth  int    `json:"thumbnail_width,omitempty"`
	ThumbnailHeight int    `json:"thumbnail_height,omitempty"`
	HTML            string `json:"html"`
	Width           int    `json:"width"`
	Height          *int   `json:"height"` // null: as high as the text needs
}

const (
	embedWidth = 640 // pixels, unless the other site has less
	embedAge   = 600
)

// ShowEmbed says how other sites embed the post at ?url=, by oEmbed.
func (h *Handlers) ShowEmbed(c *request.Call) error {
	query := c.R.URL.Query()
	c.W.Header().Set("Access-Control-Allow-Origin", "*")
	request.CrossOrigin(c.W.Header())
	if format := query.Get("format"); format != "" && format != "json" {
		return sendNothing(c, http.StatusNotImplemented)
	}
	community, slug, ok := h.postAt(query.Get("url"))
	if !ok {
		return errNoEmbed
	}
	r := c.Read()
	post := h.Posts.FindBySlug(r, community, slug, 0)
	if err := c.Run(r); err != nil {
		return err
	}
	if !isPublic(post) {
		return errNoEmbed
	}
	e := embed{
		Type: "rich", Version: "1.0", Title: post.Title, ProviderName: h.SiteName(), ProviderURL: h.SiteURL + "/", CacheAge: embedAge,
		Width: atMost(embedWidth, query.Get("maxwidth")),
	}
	quoted := pages.Embed{URL: h.SiteURL + post.URL(), Title: post.Title, Author: post.Author, Place: "c/" + post.Community,
		Site: e.ProviderName, Excerpt: post.Excerpt}
	if post.Author != "" {
		e.AuthorName, e.AuthorURL = post.Author, h.SiteURL+"/u/"+url.PathEscape(post.Author)
	}
	if data.IsProfile(post.Community) {
		quoted.Place = ""
	}
	if post.NSFW || post.Spoiler {
		quoted.Excerpt = ""
	}
	if atMost(card.Width, query.Get("maxwidth")) == card.Width && atMost(card.Height, query.Get("maxheight")) == card.Height {
		picture := h.CardOf(post.ID.Text())
		e.ThumbnailURL, e.ThumbnailWidth, e.ThumbnailHeight = picture.URL, picture.Width, picture.Height
	}
	html, err := ui.Bytes(locale.English, pages.EmbedHTML(quoted))
	if err != nil {
		return err
	}
	e.HTML = string(html)
	return c.JSON(http.StatusOK, e)
}

// postAt returns the community and slug of a post's or comment's address on this site.
func (h *Handlers) postAt(address string) (community, slug string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme+"://"+u.Host != h.SiteURL {
		return "", "", false
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) < 4 || len(parts) > 5 || parts[0] != "c" || parts[2] != "p" || !request.IsText(&url.URL{Path: u.Path}) {
		return "", "", false
	}
	return parts[1], parts[3], true
}

// atMost returns n, or the parameter limit if that is less.
func atMost(n int, limit string) int {
	if v, err := strconv.Atoi(limit); err == nil && v > 0 && v < n {
		return v
	}
	return n
}

// sendNothing responds with a status alone.
func sendNothing(c *request.Call, status int) error {
	c.W.WriteHeader(status)
	return nil
}
