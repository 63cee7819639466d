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
	fill, dark := tile(name, colour)
	class := "ci"
	if dark {
		class = "ci dark"
	}
	return h.SVG(h.Class(class), h.Aria("hidden", "true"),
		g.El("rect", g.Attr("fill", fill)),
		g.El("text", g.Text(initial(name))),
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
// and dark tells whether the initial needs dark ink to be read on the fill. Place
// and size are the style sheet's, which keeps listings lean.
func tile(name, colour string) (fill string, dark bool) {
	c := strings.TrimPrefix(colour, "#")
	if len(c) == 3 {
		c = string([]byte{c[0], c[0], c[1], c[1], c[2], c[2]})
	}
	v, err := strconv.ParseUint(c, 16, 32)
	if len(c) != 6 || err != nil {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(name))
		return tileColours[sum.Sum32()%uint32(len(tileColours))], false
	}
	luma := (299*(v>>16) + 587*(v>>8&0xff) + 114*(v&0xff)) / 1000
	return "#" + c, luma > 140
}
