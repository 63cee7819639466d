package view

import (
	"strings"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/locale"
	accountpages "plaza/render/account"
	"plaza/render/ui"
)

// ChoicesView returns the choices that the settings' form offers.
func ChoicesView() (v accountpages.Choices) {
	for _, o := range data.ListingOrders {
		v.Posts = append(v.Posts, ui.Option{Value: o.Name, Label: o.Label})
	}
	for _, o := range data.ThreadOrders {
		v.Comments = append(v.Comments, ui.Option{Value: o.Name, Label: o.Label})
	}
	for _, zone := range accounts.Zones() {
		v.Zones = append(v.Zones, ui.Option{Value: zone, Label: locale.Verbatim(strings.ReplaceAll(zone, "_", " "))})
	}
	return v
}

// Swatches returns the colours of the palette to choose from.
func Swatches() (list []ui.Swatch) {
	for _, colour := range data.Palette {
		list = append(list, ui.Swatch{Name: colour.Name, Colour: colour.Hex})
	}
	return list
}
