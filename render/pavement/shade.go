package pavement

import (
	"fmt"
	"image/color"
	"strconv"
)

// The grounds of pages in both schemes, towards which a colour is mixed: --card of the style sheet.
var (
	lightCard = color.RGBA{0xff, 0xfd, 0xf9, 0xff}
	darkCard  = color.RGBA{0x1b, 0x1c, 0x1a, 0xff}
	white     = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// Shades returns the tones of a colour such as #b3261e, from Pale to Deep, for light and for dark pages. A colour of another form is the
// site's own.
func Shades(colour string) (light, dark [tones]color.RGBA) {
	c := color.RGBA{0x0b, 0x5f, 0x4f, 0xff}
	if len(colour) == 7 && colour[0] == '#' {
		if v, err := strconv.ParseUint(colour[1:], 16, 24); err == nil {
			c = color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
		}
	}
	return [tones]color.RGBA{mix(c, lightCard, 78), mix(c, lightCard, 50), c},
		[tones]color.RGBA{mix(c, darkCard, 68), mix(c, darkCard, 30), mix(c, white, 30)}
}

// mix moves a colour towards another by a share in percent.
func mix(from, to color.RGBA, percent int) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8((int(a)*(100-percent) + int(b)*percent) / 100) }
	return color.RGBA{part(from.R, to.R), part(from.G, to.G), part(from.B, to.B), 0xff}
}

// css is a colour as style sheets have it.
func css(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
