package view

import "plaza/render"

// Tabs of FrontTabs that are no order.
const (
	YoursTab     = -1 - iota // posts of the member's communities
	FollowingTab             // posts of those whom the member follows
)

// FrontTabs are the tabs that a member sees on the front page, the timeline and the site's listings. active is the
// index of an order of the whole site in ListingOrders, or one of the tabs above.
func FrontTabs(active int) []render.Tab {
	tabs := []render.Tab{{Label: "Yours", URL: "/", Active: active == YoursTab}, {Label: "Following", URL: "/home", Active: active == FollowingTab}}
	for i, o := range ListingOrders {
		tabs = append(tabs, render.Tab{Label: o.label, URL: "/" + o.Name, Active: i == active})
	}
	return tabs
}
