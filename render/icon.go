package render

import (
	"hash/fnv"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// tileColours are given to communities that chose none.
var tileColours = []string{"#0b6e5b", "#8a3ea0", "#b3261e", "#7a5900", "#1f5fbf", "#3f6b16", "#a63a6b", "#4b5a8a"}

// icon is a community's tile: its initial on its colour.
func icon(name, colour string) g.Node {
	fill, ink := tile(name, colour)
	return h.SVG(h.Class("ci"), g.Attr("viewBox", "0 0 20 20"), h.Aria("hidden", "true"),
		g.El("rect", h.Width("20"), h.Height("20"), g.Attr("rx", "5"), g.Attr("fill", fill)),
		g.El("text", g.Attr("x", "10"), g.Attr("y", "14.5"), g.Attr("fill", ink), g.Text(initial(name))),
	)
}

func initial(name string) string {
	r, _ := utf8.DecodeRuneInString(name)
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return "·"
	}
	return string(unicode.ToUpper(r))
}

// tile gives the colours of an icon: only #rgb and #rrggbb are taken from outside,
// and the ink is the one of black and white that can be read on the fill.
func tile(name, colour string) (fill, ink string) {
	c := strings.TrimPrefix(colour, "#")
	if len(c) == 3 {
		c = string([]byte{c[0], c[0], c[1], c[1], c[2], c[2]})
	}
	v, err := strconv.ParseUint(c, 16, 32)
	if len(c) != 6 || err != nil {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(name))
		return tileColours[sum.Sum32()%uint32(len(tileColours))], "#fff"
	}
	luma := (299*(v>>16) + 587*(v>>8&0xff) + 114*(v&0xff)) / 1000
	if luma > 140 {
		return "#" + c, "#000"
	}
	return "#" + c, "#fff"
}
