package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/communities"
	"plaza/render"
)

// communitiesPage is how many communities a page of /communities lists.
const communitiesPage = 25

// communityOrders are the orders of /communities, as tabs.
var communityOrders = []struct {
	order       data.Order
	label, sort string
}{
	{communities.OrderMembers, "Members", ""},
	{communities.OrderGrowth, "Growing", "growth"},
	{communities.OrderNew, "New", "new"},
}

// showCommunities lists all communities in one of communityOrders.
func (a *App) showCommunities(c *call) error {
	query := c.r.URL.Query()
	q := communities.ListQuery{Limit: communitiesPage, Viewer: c.viewerID()}
	p := render.CommunitiesPage{New: query.Get("sort") == "new"}
	address := ""
	for _, o := range communityOrders {
		t := render.Tab{Label: o.label, URL: "/communities", Active: o.sort == query.Get("sort")}
		if o.sort != "" {
			t.URL += "?sort=" + o.sort
		}
		if t.Active {
			q.Order, address = o.order, t.URL
		}
		p.Tabs = append(p.Tabs, t)
	}
	if address == "" {
		return &data.Error{Code: data.Invalid, Field: "sort", Message: "Communities are sorted by members, growth or new."}
	}
	var err error
	if q.After, err = data.ParseCursor(byte(q.Order), query.Get("after")); err != nil {
		return err
	}
	r := c.read(a)
	list := a.communities.FindList(r, q)
	if err := c.run(r); err != nil {
		return err
	}
	if next := list.Next(); !next.IsZero() {
		p.NextURL = address + "?after=" + next.String()
		if q.Order != communities.OrderMembers {
			p.NextURL = address + "&after=" + next.String()
		}
	}
	if !q.After.IsZero() {
		p.FirstURL = address
	}
	p.Frame = c.frame(a, "Communities", "Every community of "+a.SiteName+".", address)
	p.NoIndex = !q.After.IsZero()
	p.Items = communityItems(list.Items())
	return show(c, http.StatusOK, render.Communities, p)
}
