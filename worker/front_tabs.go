package worker

import "plaza/render"

// Tabs of frontTabs that are no order.
const (
	yoursTab     = -1 - iota // posts of the member's communities
	followingTab             // posts of those whom the member follows
)

// frontTabs are the tabs that a member sees on the front page, the timeline and the site's listings. active is the
// index of an order of the whole site in listingOrders, or one of the tabs above.
func frontTabs(active int) []render.Tab {
	tabs := []render.Tab{{Label: "Yours", URL: "/", Active: active == yoursTab}, {Label: "Following", URL: "/home", Active: active == followingTab}}
	for i, o := range listingOrders {
		tabs = append(tabs, render.Tab{Label: o.label, URL: "/" + o.name, Active: i == active})
	}
	return tabs
}
