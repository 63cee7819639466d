package view

import (
	"plaza/data"
	"plaza/render"
)

// Swatches are the colours of the palette to choose from.
func Swatches() (list []render.Swatch) {
	for _, colour := range data.Palette {
		list = append(list, render.Swatch{Name: colour.Name, Colour: colour.Hex})
	}
	return list
}
