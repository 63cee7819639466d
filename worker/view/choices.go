package view

import (
	"strings"

	"plaza/data"
	"plaza/data/accounts/people"
	"plaza/render"
)

// ChoicesView are the choices that the settings' form offers.
func ChoicesView() (v render.Choices) {
	for _, o := range ListingOrders {
		v.Posts = append(v.Posts, render.Option{Value: o.Name, Label: o.label})
	}
	for _, o := range ThreadOrders {
		v.Comments = append(v.Comments, render.Option{Value: o.Name, Label: o.Label})
	}
	for _, zone := range people.Zones() {
		v.Zones = append(v.Zones, render.Option{Value: zone, Label: strings.ReplaceAll(zone, "_", " ")})
	}
	return v
}

// Swatches are the colours of the palette to choose from.
func Swatches() (list []render.Swatch) {
	for _, colour := range data.Palette {
		list = append(list, render.Swatch{Name: colour.Name, Colour: colour.Hex})
	}
	return list
}
