package worker

import (
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/communities"
	"plaza/render"
)

// communitiesPage is how many communities a page of /communities lists.
const communitiesPage = 25

type communityOrder struct {
	order       data.Order
	label, sort string
}

// address is that of the first page.
func (o communityOrder) address() string {
	if o.sort == "" {
		return "/communities"
	}
	return "/communities?sort=" + o.sort
}

// communityOrders are the orders of /communities, as tabs.
var communityOrders = []communityOrder{
	{communities.OrderMembers, "Members", ""},
	{communities.OrderGrowth, "Growing", "growth"},
	{communities.OrderNew, "New", "new"},
}

// ownCommunities is the last tab, which members see.
const ownCommunities = "/communities/yours"

// showCommunities lists all communities in one of communityOrders.
func (a *App) showCommunities(c *call) error {
	sort := c.r.URL.Query().Get("sort")
	for _, o := range communityOrders {
		if o.sort == sort {
			return a.communitiesIn(c, o.address())
		}
	}
	if sort != "members" { // which an address need not name
		if err := c.unknown("sort", "Communities are sorted by members, growth or new."); err != nil {
			return err
		}
	}
	return a.communitiesIn(c, communityOrders[0].address())
}

// communitiesIn is the page of the list whose first page is at an address.
func (a *App) communitiesIn(c *call, address string) error {
	q := communities.ListQuery{Order: communities.OrderOwn, Limit: communitiesPage, Viewer: c.viewerID()}
	p := render.CommunitiesPage{Own: address == ownCommunities}
	for _, o := range communityOrders {
		t := render.Tab{Label: o.label, URL: o.address(), Active: o.address() == address}
		if t.Active {
			q.Order, p.New = o.order, o.order == communities.OrderNew
		}
		p.Tabs = append(p.Tabs, t)
	}
	if c.actor != nil {
		p.Tabs = append(p.Tabs, render.Tab{Label: "Yours", URL: ownCommunities, Active: p.Own})
	}
	p.Tabs = append(p.Tabs, render.Tab{Label: "Tags", URL: "/tags"})
	var err error
	if q.After, err = data.ParseCursor(byte(q.Order), c.r.URL.Query().Get("after")); err != nil {
		return err
	}
	r := c.read()
	list := a.communities.FindList(r, q)
	if err := c.run(r); err != nil {
		return err
	}
	p.CanFound = c.site().MayFound(c.viewer != nil && c.viewer.Admin)
	if next := list.Next(); !next.IsZero() {
		sign := "?"
		if strings.Contains(address, "?") {
			sign = "&"
		}
		p.NextURL = address + sign + "after=" + next.String()
	}
	if !q.After.IsZero() {
		p.FirstURL = address
	}
	p.Frame = c.frame("Communities", "Every community of "+a.siteName()+".", address)
	p.NoIndex = !q.After.IsZero() || p.Own
	p.Items = communityItems(list.Items())
	return show(c, http.StatusOK, render.Communities, p)
}
