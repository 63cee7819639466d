package worker

import (
	"plaza/data"
	"plaza/render"
)

// swatches are the colours of the palette to choose from.
func swatches() (list []render.Swatch) {
	for _, colour := range data.Palette {
		list = append(list, render.Swatch{Name: colour.Name, Colour: colour.Hex})
	}
	return list
}
