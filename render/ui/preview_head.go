package ui

import (
	"strconv"
	"time"
)

// Picture is what link previews show of a page.
type Picture struct {
	URL           string // absolute
	Width, Height int    // in pixels; 0 where it isn't known
}

// Posting is what link previews are told of a post besides.
type Posting struct {
	At       time.Time // when it was published
	EmbedURL string    // of its oEmbed, absolute
}

// previewHead writes what other sites show beside a link to the page: Open Graph, a picture, and where oEmbed is. They read pages as
// visitors, so members' pages go without.
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
	m.meta(`property="og:image:alt"`, m.language().Say(f.Title))
	m.meta(`name="twitter:card"`, "summary_large_image")
	if f.Picture.Width > 0 && f.Picture.Height > 0 {
		m.meta(`property="og:image:width"`, strconv.Itoa(f.Picture.Width))
		m.meta(`property="og:image:height"`, strconv.Itoa(f.Picture.Height))
	}
}
