package community

import (
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/locale"
	pages "plaza/render/community"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// communitiesPage is how many communities a page of /communities lists.
const communitiesPage = 25

type communityOrder struct {
	order data.Order
	label locale.Text
	sort  string
}

// address is the address of the first page.
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

// ShowCommunities lists all communities in one of communityOrders.
func (h *Handlers) ShowCommunities(c *request.Call) error {
	sort := c.R.URL.Query().Get("sort")
	for _, o := range communityOrders {
		if o.sort == sort {
			return h.communityListPage(c, o.address())
		}
	}
	if sort != "members" { // the default
		if err := c.Unknown("sort", "Communities are sorted by members, growth or new."); err != nil {
			return err
		}
	}
	return h.communityListPage(c, communityOrders[0].address())
}

// communityListPage shows a page of the list whose first page is at an address.
func (h *Handlers) communityListPage(c *request.Call, address string) error {
	q := communities.ListQuery{Order: communities.OrderOwn, Limit: communitiesPage, Viewer: c.ViewerID()}
	p := ui.CommunitiesPage{Own: address == ownCommunities}
	for _, o := range communityOrders {
		t := ui.Tab{Label: o.label, URL: o.address(), Active: o.address() == address}
		if t.Active {
			q.Order, p.New = o.order, o.order == communities.OrderNew
		}
		p.Tabs = append(p.Tabs, t)
	}
	if c.Actor != nil {
		p.Tabs = append(p.Tabs, ui.Tab{Label: "Yours", URL: ownCommunities, Active: p.Own})
	}
	p.Tabs = append(p.Tabs, ui.Tab{Label: "Tags", URL: "/tags"})
	var err error
	if q.After, err = data.ParseCursor(byte(q.Order), c.R.URL.Query().Get("after")); err != nil {
		return err
	}
	r := c.Read()
	list := h.Communities.FindList(r, q)
	if err := c.Run(r); err != nil {
		return err
	}
	p.CanFound = c.Site().MayCreateCommunity(c.Viewer != nil && c.Viewer.Admin)
	if next := list.Next(); !next.IsZero() {
		separator := "?"
		if strings.Contains(address, "?") {
			separator = "&"
		}
		p.NextURL = address + separator + "after=" + next.String()
	}
	if !q.After.IsZero() {
		p.FirstURL = address
	}
	p.Frame = c.PublicFrame("Communities", locale.With("Every community of {}.", h.SiteName()), address)
	p.NoIndex = !q.After.IsZero() || p.Own
	p.Items = view.CommunityItems(list.Items())
	return request.Show(c, http.StatusOK, pages.Communities, p)
}
