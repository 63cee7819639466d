package ui

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Picture is a page's picture in link previews.
type Picture struct {
	URL           string // absolute
	Width, Height int    // in pixels; 0 where it isn't known
	Alt           string // what it shows; "" is the title of the page
}

// PostPicture is a picture of a post that was uploaded to this site.
type PostPicture struct {
	URL      string `json:"url"`       // Address of the picture on this site.
	SmallURL string `json:"small_url"` // Address of its small version, or of the picture where there is none.
	Width    int    `json:"width"`     // Width in pixels.
	Height   int    `json:"height"`    // Height in pixels.
	Alt      string `json:"alt"`       // What it shows, as its author describes it; empty when nobody did.
	Colour   string `json:"colour"`    // The colour that dominates, such as `#00695c`; empty when it isn't known.
	Place    int    `json:"-"`         // among the post's pictures, from 0
	Small    bool   `json:"-"`         // SmallURL has few bytes; else lists show a tile in its place
}

// Fit is the size at which a page shows the picture: in its own ratio, at most maxHeight pixels high.
func (p *PostPicture) Fit(maxHeight int) (width, height int) {
	if p.Height <= maxHeight {
		return p.Width, p.Height
	}
	return max(1, p.Width*maxHeight/p.Height), maxHeight
}

// PictureURL is the address of the picture with a sum.
func PictureURL(sum string) string { return "/picture/" + url.PathEscape(sum) }

// ColourClass is the class of the style sheet of pictures that is nearest to a colour such as #00695c. Each of red, green and blue has four
// steps: the content security policy allows no colours in the page itself.
func ColourClass(colour string) string {
	n, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	if err != nil {
		return ""
	}
	step := func(shift int) string { return strconv.Itoa(int((n>>shift&255)*3+127) / 255) }
	return "k" + step(16) + step(8) + step(0)
}

// Posting is what link previews show of posts alone.
type Posting struct {
	At       time.Time // when it was published
	EmbedURL string    // of its oEmbed, absolute
}

// previewHead writes the metadata of link previews: Open Graph, a picture, and the address of oEmbed. Other sites read as visitors, so
// pages for members have none.
func (m *Markup) previewHead(f *Frame) {
	if f.Viewer != nil {
		return
	}
	m.meta(`property="og:site_name"`, f.SiteName)
	m.meta(`property="og:title"`, m.language().Say(f.Title))
	m.meta(`property="og:description"`, m.language().Say(f.Description))
	m.meta(`property="og:url"`, f.Canonical)
	if f.Posting == nil {
		m.meta(`property="og:type"`, "website")
	} else {
		m.meta(`property="og:type"`, "article")
		m.meta(`property="article:published_time"`, Instant(f.Posting.At))
		m.Lit(`<link rel="alternate" type="application/json+oembed" href="`).Text(f.Posting.EmbedURL).Lit(`">`)
	}
	if f.Picture.URL == "" {
		return
	}
	m.meta(`property="og:image"`, f.Picture.URL)
	m.meta(`property="og:image:alt"`, cmp.Or(f.Picture.Alt, m.language().Say(f.Title)))
	m.meta(`name="twitter:card"`, "summary_large_image")
	if f.Picture.Width > 0 && f.Picture.Height > 0 {
		m.meta(`property="og:image:width"`, strconv.Itoa(f.Picture.Width))
		m.meta(`property="og:image:height"`, strconv.Itoa(f.Picture.Height))
	}
}

// BlurredPictures are the pictures of a post or comment that a moderator judges: small, grey and blurred until the moderator opens them, by
// a click or a key (web/app/queue_keys.js). Then the whole pictures are there as well, with their descriptions: a small version may show
// something else.
func BlurredPictures(list []PostPicture) g.Node {
	if len(list) == 0 {
		return nil
	}
	return h.Details(h.Class("shots"),
		g.If(slices.ContainsFunc(list, func(p PostPicture) bool { return !p.Small && ColourClass(p.Colour) != "" }),
			h.Link(h.Rel("stylesheet"), h.Href(PicturesCSS))),
		h.Summary(h.Span(h.Class("vh"), T("{} picture: show it clearly|{} pictures: show them clearly", len(list)), g.Text(" ")),
			g.Map(list, smallShot)),
		h.Ol(g.Map(list, func(p PostPicture) g.Node {
			return h.Li(h.A(h.Href(p.URL), T("Picture {}", p.Place+1), g.If(p.Small && p.SmallURL != p.URL, h.Img(h.Src(p.URL), h.Alt(""),
				g.Attr("loading", "lazy"), g.Attr("decoding", "async")))), g.If(p.Alt != "", g.Group{g.Text(" "), g.Text(p.Alt)}))
		})))
}

// smallShot is one picture, which shows only its colours until its details element is open. One without a small version is a tile in its
// colour.
func smallShot(p PostPicture) g.Node {
	if !p.Small {
		return h.Span(h.Class(strings.TrimSpace("shade "+ColourClass(p.Colour))), T("Picture {}", p.Place+1))
	}
	return h.Img(h.Src(p.SmallURL), h.Alt(""), g.If(p.Width > 0, g.Group{h.Width(strconv.Itoa(p.Width)), h.Height(strconv.Itoa(p.Height))}),
		g.Attr("loading", "lazy"), g.Attr("decoding", "async"))
}
