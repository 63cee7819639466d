package mosaic

import (
	"fmt"
	"image/color"
	"strconv"
)

// What a colour is mixed with: --card of the style sheet in both schemes, and white.
var (
	lightCard = color.RGBA{0xff, 0xfd, 0xf9, 0xff}
	darkCard  = color.RGBA{0x1b, 0x1c, 0x1a, 0xff}
	white     = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// Shades returns the tones of a colour such as #b3261e, from Pale to Deep, for light and for dark pages. For anything else it
// takes the usual green.
func Shades(colour string) (light, dark [tones]color.RGBA) {
	c := parse(colour)
	return [tones]color.RGBA{Mix(c, lightCard, 78), Mix(c, lightCard, 50), c},
		[tones]color.RGBA{Mix(c, darkCard, 68), Mix(c, darkCard, 30), Mix(c, white, 30)}
}

// Known returns a colour such as #b3261e as it is, and the usual green in place of anything else.
func Known(colour string) string { return css(parse(colour)) }

func parse(colour string) color.RGBA {
	if len(colour) == 7 && colour[0] == '#' {
		if v, err := strconv.ParseUint(colour[1:], 16, 24); err == nil {
			return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
		}
	}
	return color.RGBA{0x0b, 0x5f, 0x4f, 0xff}
}

// Mix moves a colour towards another by a share in percent.
func Mix(from, to color.RGBA, percent int) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8((int(a)*(100-percent) + int(b)*percent) / 100) }
	return color.RGBA{part(from.R, to.R), part(from.G, to.G), part(from.B, to.B), 0xff}
}

// css returns a colour such as #b3261e.
func css(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
