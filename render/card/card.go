// Package card draws the pictures that other sites show beside a link to this one (Open Graph's og:image): a title on a plain background,
// with its community. It does no I/O and keeps nothing.
//
// The encoder of PNG is our own, because with image/png a card takes 3.5 times as long even at its best speed, 13 ms in place of 3.6, and
// the module has 316 KB more.
//
// Every public page names a picture (og:image). It is an image post's own picture, unless the post is marked, or else a card of this
// package: title, place and name of the site, in one typeface (Go Bold, of golang.org/x/image; Latin, Greek and Cyrillic; letter.go
// replaces Latin letters that it lacks; a title in other letters is left out, and so are emoji in any). The card with the longest title
// takes 4 ms of CPU time in Wasm, where the free plan allows 10 ms. The edge keeps the picture like a thread.
package card

import (
	"image"
	"image/color"
)

// The size of a card, in pixels. It is the shape that previews have, about 1.91 to 1, and large enough for the wide kind.
const (
	Width  = 800
	Height = 420
)

// Card is the content of a picture.
type Card struct {
	Title  string
	Place  string // below the title, such as c/gardens
	Site   string // name of the site
	Colour string // of the community: #rrggbb
}

const (
	margin   = 48
	bar      = 12 // height of the coloured bar at the top
	titlePx  = 48
	smallPx  = 26
	lineStep = 58
	maxLines = 4 // of a title
)

// PNG draws a card.
func PNG(c Card) ([]byte, error) {
	p := make(picture, Height*stride)
	p.fill(image.Rect(0, 0, Width, bar), accent)
	f, err := fonts()
	if err != nil {
		return nil, err
	}
	title, small := f.title.pen(), f.small.pen()
	shown := title.lines(c.Title, Width-2*margin, maxLines)
	if len(shown) == 0 {
		shown, c.Place = title.lines(c.Place, Width-2*margin, 1), ""
	}
	for i, line := range shown {
		title.draw(p, margin, margin+bar+titlePx+i*lineStep, line)
	}
	bottom := Height - margin
	for _, line := range small.lines(c.Place, Width/2, 1) {
		p.fill(image.Rect(margin, bottom-smallPx+4, margin+smallPx, bottom+4), accent)
		small.draw(p, margin+smallPx+14, bottom, line)
	}
	for _, line := range small.lines(c.Site, Width/3, 1) {
		small.draw(p, Width-margin-small.width(line), bottom, line)
	}
	return encode(palette(c.Colour), p), nil
}

// Colours of a card: the background, the steps from it to ink, and the accent. There are 16, so that a pixel takes half a byte.
const (
	steps  = 14
	accent = steps + 1
)

var ground, ink = color.RGBA{0xf5, 0xf3, 0xee, 0xff}, color.RGBA{0x1b, 0x1a, 0x17, 0xff}

func palette(colour string) []color.RGBA {
	list := make([]color.RGBA, 0, accent+1)
	between := func(a, b uint8, i int) uint8 { return uint8((int(a)*(steps-i) + int(b)*i) / steps) }
	for i := range steps + 1 {
		list = append(list, color.RGBA{between(ground.R, ink.R, i), between(ground.G, ink.G, i), between(ground.B, ink.B, i), 0xff})
	}
	return append(list, parse(colour))
}

// parse reads #rrggbb; for anything else it returns the default.
func parse(colour string) color.RGBA {
	if len(colour) != 7 || colour[0] != '#' {
		return color.RGBA{0x0b, 0x5f, 0x4f, 0xff}
	}
	var v [3]uint8
	for i := range v {
		for _, digit := range []byte(colour[1+2*i : 3+2*i]) {
			n, ok := hex(digit)
			if !ok {
				return parse("")
			}
			v[i] = v[i]<<4 | n
		}
	}
	return color.RGBA{v[0], v[1], v[2], 0xff}
}

func hex(digit byte) (uint8, bool) {
	switch {
	case digit >= '0' && digit <= '9':
		return digit - '0', true
	case digit|0x20 >= 'a' && digit|0x20 <= 'f':
		return digit | 0x20 - 'a' + 10, true
	}
	return 0, false
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

func (p picture) fill(r image.Rectangle, index uint8) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p.shade(x, y, index)
		}
	}
}
