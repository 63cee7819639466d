package ui

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	g "maragu.dev/gomponents"

	"plaza/render/mosaic"
)

// tileColours are the colours of tiles without a chosen colour.
var tileColours = []string{"#0b6e5b", "#8a3ea0", "#b3261e", "#7a5900", "#1f5fbf", "#3f6b16", "#a63a6b", "#4b5a8a"}

func Icon(name, colour, picture string) g.Node {
	return Component(func(m *Markup) { m.Icon(name, colour, picture) })
}

// Avatar is how a member's icon looks. Empty fields are derived from the name.
type Avatar struct {
	Colour string `json:"colour"` // Colour; empty for one that is made of the name.
	Letter string `json:"letter"` // Letter; empty for the first one of the name.
	// Sum of a picture, which `/picture/{sum}` shows in place of the letter; empty for none.
	Picture string `json:"picture"`
}

func AvatarImage(name string, a Avatar) g.Node {
	return Component(func(m *Markup) { m.Avatar(name, a) })
}

// Avatar writes the tile of a member.
func (m *Markup) Avatar(name string, a Avatar) *Markup {
	if a.Picture != "" {
		return m.portrait(a.Picture)
	}
	return m.tile(cmp.Or(a.Letter, name), name, a.Colour)
}

// Icon writes the tile of a community, or instead the picture with a sum.
func (m *Markup) Icon(name, colour, picture string) *Markup {
	if picture != "" {
		return m.portrait(picture)
	}
	return m.tile(name, name, colour)
}

// MosaicURL is the address of the mosaic of a community, or of the site.
func MosaicURL(name, colour string) string {
	return "/img/mosaic/" + strconv.Itoa(mosaic.Version) + "/" + strings.TrimPrefix(mosaic.Known(colour), "#") + "/" +
		url.PathEscape(strings.ToLower(name))
}

// Banner writes the picture above the pages of a community: the one that its moderators have uploaded, or else its mosaic.
func (m *Markup) Banner(name, colour, picture string) *Markup {
	if picture != "" {
		return m.Lit(`<img class="banner" src="/picture/`).Segment(picture).Lit(`" alt="" width="1600" height="400" decoding="async">`)
	}
	return m.mosaic("banner", name, colour)
}

// Emblem writes the large icon of a community: its picture, or else the first square of its mosaic. A profile has none.
func (m *Markup) Emblem(name, colour, picture string) *Markup {
	if picture != "" || IsProfile(name) {
		return m.Icon(name, colour, picture)
	}
	return m.mosaic("ci", name, colour)
}

// mosaic writes the mosaic of a community, or of the site. Style sheets cut it to the size of its place, from the left.
func (m *Markup) mosaic(class Literal, name, colour string) *Markup {
	return m.Lit(`<img class="`).Lit(class).Lit(` mosaic" src="`).Text(MosaicURL(name, colour)).
		Lit(`" alt="" width="512" height="32" loading="lazy" decoding="async">`)
}

// portrait writes a picture instead of a tile. It is as large as a tile, whatever the size of the picture is.
func (m *Markup) portrait(sum string) *Markup {
	return m.Lit(`<img class="ci" src="/picture/`).Segment(sum).Lit(`" alt="" width="20" height="20" loading="lazy" decoding="async">`)
}

// tile writes an initial on a colour. The name chooses a colour if it is empty.
func (m *Markup) tile(initial, name, colour string) *Markup {
	fill, dark := tile(name, colour)
	m.Lit(`<svg class="ci`).When(dark, ` dark`).Lit(`" aria-hidden="true">`)
	m.Lit(`<rect fill="`).Text(fill).Lit(`"></rect>`)
	return m.Lit(`<text>`).initial(initial).Lit(`</text></svg>`)
}

// initial writes the first letter or digit of a name in upper case, or a dot. None of these needs an escape.
func (m *Markup) initial(name string) *Markup {
	r, _ := utf8.DecodeRuneInString(name)
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		r = '·'
	}
	m.b = utf8.AppendRune(m.b, unicode.ToUpper(r))
	return m
}

// tile returns the fill of an icon, and whether the initial has to be dark to be legible. It accepts the colours #rgb and
// #rrggbb; instead of any other it chooses one by the name.
func tile(name, colour string) (fill string, dark bool) {
	if colour == "" { // a failed ParseUint would cost an allocation
		return tileColours[fnv32a(name)%uint32(len(tileColours))], false
	}
	c := strings.TrimPrefix(colour, "#")
	if len(c) == 3 {
		c = string([]byte{c[0], c[0], c[1], c[1], c[2], c[2]})
		colour = "#" + c
	}
	v, err := strconv.ParseUint(c, 16, 32)
	if len(c) != 6 || err != nil {
		return tileColours[fnv32a(name)%uint32(len(tileColours))], false
	}
	if len(colour) == len(c) {
		colour = "#" + c
	}
	luma := (299*(v>>16) + 587*(v>>8&0xff) + 114*(v&0xff)) / 1000
	return colour, luma > 140
}

// fnv32a is the FNV-1a hash that hash/fnv gives, without its allocations.
func fnv32a(s string) uint32 {
	sum := uint32(2166136261)
	for i := range len(s) {
		sum = (sum ^ uint32(s[i])) * 16777619
	}
	return sum
}
