// Package unfurl reads the metadata of a web page (title, description, site name, picture) and decides which addresses may be fetched. It
// does no I/O and reads no clock.
//
// Only Parse and Address.Follow make an address that may be fetched. They refuse addresses that parsers read differently, and
// hosts outside the public internet: private addresses, single labels, localhost, and names whose last label is not in ICANN's root, by
// the public suffix list of golang.org/x/net.
//
// Begin with Parse (address.go) and Read. image_pixels.go bounds how large a picture may be drawn, and av1.go reads the true size of
// AVIF.
package unfurl

import (
	"cmp"
	"strings"
)

// Limits of the stored texts, in characters.
const (
	TitleMax       = 300
	DescriptionMax = 500
	SiteMax        = 80
	addressMax     = 2048 // bytes of an address
)

// Page is the metadata of a page. All of it is untrusted text: plain, one line each, without control characters.
type Page struct {
	Title       string
	Description string
	Site        string
	Image       string // absolute address that Parse has accepted
}

// IsPage reports, by the Content-Type of a response, whether Read can parse it.
func IsPage(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "text/html", "application/xhtml+xml":
		return true
	}
	return false
}

// Read parses a page's head. body may be the beginning alone. contentType is the header's value and from is the address of the page.
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
