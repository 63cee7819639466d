// Package card draws the pictures that other sites show beside a link to this one (Open Graph's og:image): a mosaic, and below it the title
// and facts, on a plain background. It does no I/O and keeps nothing.
//
// The encoder of PNG is our own, because with image/png a card takes 3.5 times as long even at its best speed, 13 ms in place of 3.6, and
// the module has 316 KB more.
//
// Every public page names a picture: an image post's own, unless the post is marked, or else a card of this package. Title and name of the
// site are in the serif of the site's titles, facts in Go Bold. Both have Latin, Greek and Cyrillic; letter.go replaces Latin letters that
// they lack, and other letters and emoji are left out. The longest title takes 4 ms of CPU time in Wasm.
package card

import (
	"image/color"
	"slices"

	"golang.org/x/image/math/fixed"

	"plaza/render/mosaic"
)

// The size of a card, in pixels. It is the shape that previews have, about 1.91 to 1, and large enough for the wide kind.
const (
	Width  = 800
	Height = 420
)

// Card is the content of a picture.
type Card struct {
	Title  string
	Text   string // one sentence, below the title
	Facts  string // at the bottom, such as c/gardens · ▲ 385 · 41 comments
	Name   string // whose mosaic is above the title: a community's, a member's or the site's
	Site   string // name of the site
	Colour string // of the mosaic: #rrggbb
}

const (
	margin   = 48
	tile     = 20 // side of a tile of the mosaic
	band     = mosaic.Side * tile
	titlePx  = 48
	smallPx  = 26
	lineStep = 58
	maxLines = 4 // of title and text
	// smallStep is from line to line of a text.
	smallStep = 38
)

// PNG draws a card.
func PNG(c Card) []byte {
	p := make(picture, Height*stride)
	p.pave(c.Name)
	title, small := &pen{face: serif, size: fixed.I(titlePx)}, &pen{face: sans, size: fixed.I(smallPx)}
	shown := title.lines(c.Title, Width-2*margin, maxLines)
	if len(shown) == 0 {
		shown, c.Facts = title.lines(c.Facts, Width-2*margin, 1), ""
	}
	y := band + 24
	for _, line := range shown {
		title.draw(p, margin, y+titlePx, line)
		y += lineStep
	}
	if room := maxLines - len(shown); room > 0 {
		for _, line := range small.lines(c.Text, Width-2*margin, room) {
			y += smallStep
			small.draw(p, margin, y, line)
		}
	}
	bottom := Height - 32
	for _, line := range small.lines(c.Facts, Width*2/3-3*margin, 1) {
		small.draw(p, margin, bottom, line)
	}
	site := &pen{face: serif, size: fixed.I(smallPx)}
	for _, line := range site.lines(c.Site, Width/3, 1) {
		site.draw(p, Width-margin-site.width(line), bottom, line)
	}
	return encode(palette(c.Colour), p)
}

// Colours of a card: the background, the steps from it to ink, the tones of the mosaic, and what lies halfway between two of these. There
// are 16, so that a pixel takes half a byte.
const (
	steps = 9
	tones = steps + 1
	edges = tones + 3
)

var ground, ink = color.RGBA{0xf5, 0xf3, 0xee, 0xff}, color.RGBA{0x1b, 0x1a, 0x17, 0xff}

func palette(colour string) []color.RGBA {
	list := make([]color.RGBA, 0, edges+3)
	for i := range steps + 1 {
		list = append(list, mosaic.Mix(ground, ink, 100*i/steps))
	}
	light, _ := mosaic.Shades(colour)
	list = append(list, light[:]...)
	// edge relies on this order.
	for _, pair := range [...][2]mosaic.Tone{{mosaic.Pale, mosaic.Middle}, {mosaic.Pale, mosaic.Deep}, {mosaic.Middle, mosaic.Deep}} {
		list = append(list, mosaic.Mix(light[pair[0]], light[pair[1]], 50))
	}
	return list
}

// edge is the colour halfway between two different tones.
func edge(a, b mosaic.Tone) uint8 { return edges + uint8(a+b-1) }

// pave draws the mosaic of a name along the upper side.
func (p picture) pave(name string) {
	drawn := mosaic.Of(name)
	for y := range band {
		for x := range band {
			var at [4]mosaic.Tone // in the quarters of the pixel
			for i := range at {
				at[i] = drawn.At((float64(x)+.25+.5*float64(i&1))/tile, (float64(y)+.25+.5*float64(i>>1))/tile)
			}
			low, high := slices.Min(at[:]), slices.Max(at[:])
			colour := tones + uint8(low)
			if low != high {
				colour = edge(low, high)
			}
			for left := 0; left < Width; left += 2 * band {
				p.shade(left+x, y, colour)
				p.shade(left+2*band-1-x, y, colour)
			}
		}
	}
}

// picture is a card being drawn: its rows in the format of the file. Each pixel is an index of palette.
type picture []byte

// shade sets a pixel, unless it is darker already.
func (p picture) shade(x, y int, level uint8) {
	at, shift := y*stride+1+x/2, 4*(1-x&1)
	if old := p[at] >> shift & 15; old < level {
		p[at] ^= (old ^ level) << shift
	}
}
