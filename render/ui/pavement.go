package ui

import (
	"strconv"
	"strings"

	"plaza/render/pavement"
)

// PavementURL is the address of a community's mosaic. colour is one of the palette.
func PavementURL(name, colour string) string {
	return "/img/pavement/" + strconv.Itoa(pavement.Version) + "/" + strings.TrimPrefix(colour, "#") + "/" + strings.ToLower(name)
}

// Banner writes the picture above the pages of a community: the one that its moderators have uploaded, or else its mosaic.
func (m *Markup) Banner(name, colour, picture string) *Markup {
	if picture != "" {
		return m.Lit(`<img class="banner" src="/picture/`).Segment(picture).Lit(`" alt="" width="1600" height="400" decoding="async">`)
	}
	return m.pavement("banner", name, colour)
}

// Emblem writes the large icon of a community: its picture, or else the first square of its mosaic.
func (m *Markup) Emblem(name, colour, picture string) *Markup {
	if picture != "" {
		return m.portrait(picture)
	}
	return m.pavement("ci", name, colour)
}

// pavement writes the mosaic of a community. Style sheets cut it to the size of its place, from the left.
func (m *Markup) pavement(class Literal, name, colour string) *Markup {
	return m.Lit(`<img class="`).Lit(class).Lit(` pave" src="`).Text(PavementURL(name, colour)).Lit(`" alt="" width="512" height="32" decoding="async">`)
}
