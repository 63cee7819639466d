package data

import (
	"slices"

	"plaza/locale"
)

// Colour is a colour of icons.
type Colour struct {
	Name locale.Text
	Hex  string
}

// Palette holds the colours of communities' icons and members' avatars. White letters on each have a contrast of at least 4.5:1.
var Palette = []Colour{
	{"Red", "#b3261e"}, {"Orange", "#9a4a00"}, {"Ochre", "#7a5b00"}, {"Green", "#2f6b2f"}, {"Teal", "#00695c"}, {"Blue", "#01579b"},
	{"Indigo", "#3949ab"}, {"Violet", "#6a3fb5"}, {"Magenta", "#8e2a7e"}, {"Crimson", "#a3195b"}, {"Brown", "#5d4037"}, {"Slate", "#455a64"},
}

// InPalette returns the index of a colour in the palette; -1 if it is not there.
func InPalette(hex string) int {
	return slices.IndexFunc(Palette, func(c Colour) bool { return c.Hex == hex })
}
