// Package unfurl reads the metadata of a web page (title, description, name of the site, picture), and decides which addresses may be
// fetched for it. It does no I/O and reads no clock. The caller fetches. It passes every address, the first and each redirect's, through
// Parse or Address.Follow, and the body of the response to Read.
//
// # Which addresses
//
// Only Parse makes an address that may be fetched, for the first request and for each redirect. It refuses addresses that parsers read
// differently, and writes all others in one form: a lower-case ASCII host, IPv4 in decimal, the usual port, no password. Numbers are read
// as browsers read them (0x7f.1). Then it refuses every address outside the public internet, and names that can't be in it: single labels,
// localhost, .internal and the like, and every name whose last label is not in ICANN's root (a.consul, kubernetes.default.svc), by the
// public suffix list of golang.org/x/net. A name that resolves to a private address: see docs/operations/links.md.
//
// # How large pictures are
//
// A PNG of 48 KB can ask a browser for 2 GB of memory. So the site refuses a picture of more than 40 million pixels, all frames together,
// or of more than 16,384 on a side (image_pixels.go). It reads the size from the headers, and refuses the picture where they don't have it.
// It reads all headers that decoders read. For AVIF it reads the size in the coded data (av1.go), because the container may claim another
// one. Animated AVIF is refused.
package unfurl

import (
	"cmp"
	"strings"
)

// Limits of what is kept, in characters.
const (
	TitleMax       = 300
	DescriptionMax = 500
	SiteMax        = 80
	addressMax     = 2048 // bytes of an address
)

// Page is what a page says of itself; empty where it says nothing. All of it is a
// stranger's text: plain, one line each, without control characters.
type Page struct {
	Title       string
	Description string
	Site        string
	Image       string // absolute address that Parse has accepted
}

// IsPage tells by the Content-Type of an answer that Read can read it.
func IsPage(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "text/html", "application/xhtml+xml":
		return true
	}
	return false
}

// Read reads a page's head, of which body may be the beginning alone. contentType is the
// header's value and from is where the page was found.
func Read(contentType string, body []byte, from Address) Page {
	f := scan(decoded(contentType, body))
	best := func(field int) string { return cmp.Or(f.texts[field][:]...) }
	p := Page{Title: clean(best(title), TitleMax), Description: clean(best(description), DescriptionMax), Site: clean(best(site), SiteMax)}
	base := from
	if b, err := from.Follow(strings.TrimSpace(f.base)); err == nil && f.base != "" {
		base = b
	}
	for _, address := range f.texts[picture] {
		if a, err := base.Follow(address); err == nil && address != "" {
			p.Image = a.URL
			break
		}
	}
	return p
}
