package worker

import (
	"strings"

	"plaza/data/people"
	"plaza/render"
)

// choicesView are the choices that the settings' form offers.
func choicesView() (v render.Choices) {
	for _, o := range listingOrders {
		v.Posts = append(v.Posts, render.Option{Value: o.name, Label: o.label})
	}
	for _, o := range threadOrders {
		v.Comments = append(v.Comments, render.Option{Value: o.name, Label: o.label})
	}
	for _, zone := range people.Zones() {
		v.Zones = append(v.Zones, render.Option{Value: zone, Label: strings.ReplaceAll(zone, "_", " ")})
	}
	return v
}
