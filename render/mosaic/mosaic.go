// Package mosaic draws the mosaic of a community from its name and colour. Pages show it in place of a missing
// banner or icon, in lists of communities and in link previews. The same name and colour always give the same drawing.
//
// A mosaic is a square of 16 tiles and its mirror image, again and again. Because of the mirror, no tiles form a
// pinwheel. The name chooses a style, the style chooses the shapes, and the name chooses which shape lies where.
package mosaic

import (
	"bytes"
	"strconv"
	"strings"
)

// Version is a part of the address of each drawing, because browsers keep it for ever. Raise it when the drawing changes.
const Version = 1

// Side is how many tiles the square has in a row.
const Side = 4

// Tone is how strong the colour of a shape is. Three tones are enough to tell shapes apart in both schemes.
type Tone int

const (
	Pale Tone = iota
	Middle
	Deep
	tones
)

// Tile is a shape in one tone on a ground of another.
type Tile struct {
	shape  shape
	Ground Tone
	Ink    Tone
}

// Mosaic is the square of tiles, row by row. Its mirror image follows on the right.
type Mosaic [Side * Side]Tile

// style is what the tiles of a mosaic have in common. Each list names a shape as often as it is to appear.
type style struct {
	shapes  []kind
	grounds []Tone
	// bands gives all tiles of a row the same shape.
	bands bool
}

var styles = [...]style{
	{shapes: []kind{quarter, quarter, quarter, dot}, grounds: []Tone{Pale, Pale, Middle}},
	{shapes: []kind{triangle, triangle, triangle, arc}, grounds: []Tone{Pale, Middle}},
	{shapes: []kind{leaf, leaf, dot, quarter}, grounds: []Tone{Pale, Pale, Deep}},
	{shapes: []kind{arc, arc, arc, quarter}, grounds: []Tone{Pale, Middle}},
	{shapes: []kind{dot, ring, quarter}, grounds: []Tone{Pale, Middle, Deep}},
	{shapes: []kind{leaf, triangle, ring}, grounds: []Tone{Pale, Middle}},
	{shapes: []kind{leaf}, grounds: []Tone{Pale, Middle, Deep}},
	{shapes: []kind{quarter, triangle, dot, leaf, arc}, grounds: []Tone{Pale, Pale, Middle, Deep}},
	{shapes: []kind{quarter, triangle, leaf, arc}, grounds: []Tone{Pale, Middle}, bands: true},
	{shapes: []kind{dot, triangle, ring, leaf, quarter}, grounds: []Tone{Pale, Deep, Middle}, bands: true},
}

// Of returns the mosaic of a community by its name. Upper and lower case are the same name.
func Of(name string) Mosaic {
	draw := dice(seed(strings.ToLower(name)))
	s := styles[draw.below(len(styles))]
	var p Mosaic
	var band kind
	for i := range p {
		if i%Side == 0 {
			band = s.shapes[draw.below(len(s.shapes))]
		}
		drawn := band
		if !s.bands {
			drawn = s.shapes[draw.below(len(s.shapes))]
		}
		ground := s.grounds[draw.below(len(s.grounds))]
		// The ink is one of the two other tones, more often the one farther away.
		ink := Deep
		switch {
		case ground == Deep && draw.below(3) == 0, ground == Pale && draw.below(4) == 0:
			ink = Middle
		case ground != Pale:
			ink = Pale
		}
		p[i] = Tile{shape: shape{drawn, draw.below(turns)}, Ground: ground, Ink: ink}
	}
	return p
}

// SVG is the drawing as a file that is as wide as a banner needs. Where there is less room, its left part is shown, which begins with the
// square. It follows the scheme of the page around it.
func (p *Mosaic) SVG(colour string) []byte {
	const height = Side * unit
	light, dark := Shades(colour)
	b := make([]byte, 0, 2048)
	b = append(b, `<svg xmlns="http://www.w3.org/2000/svg" width="`...)
	b = strconv.AppendInt(b, repeats*2*height, 10)
	b = append(b, `" height="`...)
	b = strconv.AppendInt(b, height, 10)
	b = append(b, `"><style>@media(prefers-color-scheme:dark){`...)
	for t := range tones {
		b = append(b, '.', 'a'+byte(t))
		b = append(b, `{fill:`...)
		b = append(append(b, css(dark[t])...), '}')
	}
	b = append(b, `}</style><pattern id="p" width="`...)
	b = strconv.AppendInt(b, 2*height, 10)
	b = append(b, `" height="`...)
	b = strconv.AppendInt(b, height, 10)
	b = append(b, `" patternUnits="userSpaceOnUse">`...)
	b = append(b, `<g id="s">`...)
	// Each tone is one path for all grounds and then one for all shapes, so that no seams show between tiles of one tone.
	for layer := range 2 {
		for t := range tones {
			var path []byte
			for i, tile := range p {
				x, y := i%Side*unit, i/Side*unit
				if layer == 0 && tile.Ground == t {
					path = appendPath(path, shape{kind: whole}, x, y)
				}
				if layer == 1 && tile.Ink == t {
					path = appendPath(path, tile.shape, x, y)
				}
			}
			if len(path) == 0 {
				continue
			}
			b = append(b, `<path class="`...)
			b = append(b, 'a'+byte(t))
			b = append(b, `" fill="`...)
			b = append(b, css(light[t])...)
			b = append(b, `" d="`...)
			b = append(append(b, path...), `"/>`...)
		}
	}
	b = append(b, `</g><use href="#s" transform="matrix(-1 0 0 1 `...)
	b = strconv.AppendInt(b, 2*height, 10)
	return append(b, ` 0)"/></pattern><path fill="url(#p)" d="M0 0h`+strconv.Itoa(repeats*2*height)+`v`+strconv.Itoa(height)+`H0z"/></svg>`...)
}

// Style is the style sheet in a file of SVG.
func Style(svg []byte) []byte {
	_, rest, _ := bytes.Cut(svg, []byte("<style>"))
	style, _, _ := bytes.Cut(rest, []byte("</style>"))
	return style
}

// At returns the tone of a point of the drawing, in parts of a tile from its upper left corner.
func (p *Mosaic) At(x, y float64) Tone {
	column, row := int(x), int(y)
	x, y = x-float64(column), y-float64(row)
	column %= 2 * Side
	if column >= Side {
		column, x = 2*Side-1-column, 1-x
	}
	tile := &p[row%Side*Side+column]
	if tile.shape.covers(x, y) {
		return tile.Ink
	}
	return tile.Ground
}

// repeats is how often the square and its mirror image stand in the file: enough for a banner that is 16 times as wide as it is high.
const repeats = 8

// dice draws numbers from a seed by xorshift (Marsaglia 2003, doi.org/10.18637/jss.v008.i14, the triple 13, 7, 17 for 64 bits).
type dice uint64

func (d *dice) below(n int) int {
	x := uint64(*d)
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*d = dice(x)
	return int(x >> 33 % uint64(n))
}

// seed is the FNV-1a hash of a name, in 64 bits. It is never 0, where dice would stand still.
func seed(name string) uint64 {
	sum := uint64(14695981039346656037)
	for i := range len(name) {
		sum = (sum ^ uint64(name[i])) * 1099511628211
	}
	return sum | 1
}
