package card

import (
	"embed"
	"image"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// files are WOFF files of Source Serif 4 at weight 600. They are unchanged, because the licence lets only unchanged files have the name
// (web/fonts/README.md).
//
//go:embed fonts/*.woff
var files embed.FS

// typeface is a list of fonts. Each is read when the first card needs it.
type typeface []struct {
	script *unicode.RangeTable // nil for all letters
	read   func() *sfnt.Font
}

// The typefaces of cards. A letter is drawn from the first font that has it.
var (
	sans  = typeface{{nil, sync.OnceValue(func() *sfnt.Font { return parsed(gobold.TTF) })}}
	serif = append(typeface{{nil, woff("latin")}, {unicode.Latin, woff("latin-ext")}, {unicode.Latin, woff("vietnamese")},
		{unicode.Greek, woff("greek")}, {unicode.Cyrillic, woff("cyrillic")}, {unicode.Cyrillic, woff("cyrillic-ext")}}, sans...)
)

// woff returns a function that reads one of files, once.
func woff(name string) func() *sfnt.Font {
	return sync.OnceValue(func() *sfnt.Font {
		b, err := files.ReadFile("fonts/" + name + ".woff")
		if err == nil {
			b, err = unpack(b)
		}
		if err != nil {
			panic(err)
		}
		return parsed(b)
	})
}

// parsed reads a font of the program, which is never damaged.
func parsed(b []byte) *sfnt.Font {
	f, err := sfnt.Parse(b)
	if err != nil {
		panic(err)
	}
	return f
}

// pen draws with a typeface in one size. It belongs to one card.
type pen struct {
	face   typeface
	size   fixed.Int26_6
	buffer sfnt.Buffer
	raster vector.Rasterizer
}

// glyph is a letter of a font. Its index is 0 if no font has it.
type glyph struct {
	font  *sfnt.Font
	index sfnt.GlyphIndex
}

func (p *pen) glyph(r rune) glyph {
	for _, part := range p.face {
		if part.script != nil && !unicode.Is(part.script, r) {
			continue
		}
		font := part.read()
		if index, err := font.GlyphIndex(&p.buffer, r); err == nil && index != 0 {
			return glyph{font, index}
		}
	}
	return glyph{}
}

func (p *pen) has(r rune) bool { return p.glyph(r).index != 0 }

func (p *pen) advance(g glyph) fixed.Int26_6 {
	if g.font == nil {
		return 0
	}
	a, err := g.font.GlyphAdvance(&p.buffer, g.index, p.size, font.HintingNone)
	if err != nil {
		return 0
	}
	return a
}

// width is how wide a text is, in pixels.
func (p *pen) width(s string) int {
	var w fixed.Int26_6
	for _, r := range s {
		w += p.advance(p.glyph(r))
	}
	return w.Ceil()
}

// lines breaks a text into at most n lines of a width. If there is more text, the last line ends in an ellipsis. It leaves out symbols that
// the font lacks, and returns nothing if the font lacks a letter or digit of the text.
func (p *pen) lines(s string, width, n int) (list []string) {
	s, ok := p.shown(s)
	if !ok {
		return nil
	}
	line := ""
	words := strings.Fields(s)
	for i := 0; i < len(words); i++ {
		longer := strings.TrimSpace(line + " " + words[i])
		if p.width(longer) <= width {
			line = longer
			continue
		}
		if len(list) == n-1 {
			return append(list, p.cut(longer, width))
		}
		if line == "" { // a word that is longer than a line
			part := p.fitting(words[i], width)
			list, words[i] = append(list, words[i][:part]), words[i][part:]
		} else {
			list, line = append(list, line), ""
		}
		i--
	}
	if line != "" {
		list = append(list, line)
	}
	return list
}

// shown replaces or leaves out what the font lacks, in the first 2,000 bytes. ok is false if a letter or digit has no replacement.
func (p *pen) shown(s string) (kept string, ok bool) {
	var b strings.Builder
	for i, r := range s {
		if i > 2000 {
			break
		}
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case p.has(r):
			b.WriteRune(r)
		case p.has(substitute(r)):
			b.WriteRune(substitute(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return "", false
		}
	}
	return b.String(), true
}

// fitting is how many bytes of a text fit into a width, at least one letter.
func (p *pen) fitting(s string, width int) int {
	var w fixed.Int26_6
	for i, r := range s {
		w += p.advance(p.glyph(r))
		if i > 0 && w.Ceil() > width {
			return i
		}
	}
	return len(s)
}

// cut shortens a text to a width with an ellipsis.
func (p *pen) cut(s string, width int) string {
	return strings.TrimRight(s[:p.fitting(s, width-p.width("…"))], " ,;:.") + "…"
}

// draw writes a line; x is where it begins and y its baseline.
func (p *pen) draw(to picture, x, y int, line string) {
	dot := fixed.P(x, y)
	for _, r := range line {
		g := p.glyph(r)
		p.shape(to, g, dot)
		dot.X += p.advance(g)
	}
}

// shape draws one glyph at a point of the baseline.
func (p *pen) shape(to picture, g glyph, at fixed.Point26_6) {
	if g.font == nil {
		return
	}
	segments, err := g.font.LoadGlyph(&p.buffer, g.index, p.size, nil)
	if err != nil || len(segments) == 0 {
		return
	}
	bounds := segments.Bounds()
	box := image.Rect((at.X + bounds.Min.X).Floor(), (at.Y + bounds.Min.Y).Floor(), (at.X + bounds.Max.X).Ceil(), (at.Y + bounds.Max.Y).Ceil())
	p.raster.Reset(box.Dx(), box.Dy())
	point := func(q fixed.Point26_6) (x, y float32) {
		return float32(at.X+q.X)/64 - float32(box.Min.X), float32(at.Y+q.Y)/64 - float32(box.Min.Y)
	}
	for _, s := range segments {
		ax, ay := point(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			p.raster.ClosePath()
			p.raster.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			p.raster.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			bx, by := point(s.Args[1])
			p.raster.QuadTo(ax, ay, bx, by)
		}
	}
	p.raster.ClosePath()
	mask := image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy()))
	p.raster.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	visible := box.Intersect(image.Rect(0, 0, Width, Height))
	for y := visible.Min.Y; y < visible.Max.Y; y++ {
		row := mask.Pix[mask.PixOffset(0, y-box.Min.Y):]
		for x := visible.Min.X; x < visible.Max.X; x++ {
			if level := uint8(int(row[x-box.Min.X]) * steps / 255); level > 0 {
				to.shade(x, y, level)
			}
		}
	}
}
