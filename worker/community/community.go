package community

import (
	"cmp"
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/communities"
	"plaza/data/content/flair"
	"plaza/locale"
	pages "plaza/render/community"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowCommunity is a community's listing in one of the orders.
func (h *Handlers) ShowCommunity(c *request.Call) error {
	name := c.R.PathValue("community")
	if data.IsProfile(name) {
		return h.RedirectToProfile(c, name)
	}
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	joined, own := h.FindJoined(c, r), h.Flairs.FindMemberFlair(r, name, c.ViewerID())
	listing, err := h.FindListing(c, r, "/c/"+name, name)
	if err != nil {
		return err
	}
	flairs := &flair.Set{}
	if listing.Flair != 0 {
		flairs = h.Flairs.Find(r, name)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 {
		return request.ErrNoCommunity
	}
	label := flairs.Label(listing.Flair)
	if listing.Flair != 0 && label.ID == 0 {
		return view.ErrNoFlair
	}
	if err := h.SkipHidden(c, &listing.Page); err != nil {
		return err
	}
	title := locale.Verbatim(community.Title)
	description := cmp.Or(locale.Verbatim(community.Description), title)
	if order := listing.Title(); order != "" {
		title = locale.With("{}: {}", title, order)
	}
	if label.ID != 0 {
		title = locale.With("{}: {}", title, label.Text)
	}
	p := pages.CommunityPage{
		Flair:     view.FlairView(community.Name, label),
		Frame:     c.PublicFrame(title, description, listing.Canonical("/c/"+community.Name)),
		Community: view.CommunityView(community), Listing: h.ListingView(c, listing), Own: view.OwnView(c, joined),
	}
	p.Filtered = view.Excludes(c, accounts.FilterCommunity, community.Name)
	p.Community.OwnFlair = view.OwnFlair(community.Name, own)
	p.Picture, p.FeedURL = h.CardOf("c/"+community.Name), "/c/"+community.Name+"/new"+request.AtomEnding
	p.Places = p.Own.Items
	return request.Show(c, http.StatusOK, pages.CommunityView, p)
}

func (h *Handlers) ShowNewCommunity(c *request.Call) error {
	if err := c.Run(c.Read()); err != nil {
		return err
	}
	if !c.Site().MayCreateCommunity(c.Viewer.Admin) {
		return communities.ErrFounders
	}
	return h.newCommunityPage(c, http.StatusOK, ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) newCommunityPage(c *request.Call, status int, f ui.Form) error {
	p := pages.NewCommunityPage{Frame: c.Frame("New community"), Form: c.WithToken(f)}
	return request.Show(c, status, pages.NewCommunity, p)
}

func (h *Handlers) CreateCommunity(c *request.Call) error {
	name := strings.TrimSpace(c.Value("name"))
	token, err := c.Token()
	if err != nil {
		return h.RefuseCommunity(c, err)
	}
	id, err := h.Communities.Create(c.R.Context(), *c.Actor, communities.Create{
		Name: name, Title: c.Value("title"), Description: c.Value("description"), Token: token})
	if err != nil {
		return h.RefuseCommunity(c, err)
	}
	return c.Done("/c/"+name, map[string]any{"id": id, "permalink": "/c/" + name})
}

// Forms returns the form of a new community, by its name.
func (h *Handlers) Forms() map[string]request.Form {
	show := func(c *request.Call, _ *ui.Preview) error {
		return h.newCommunityPage(c, http.StatusOK, c.Typed(communityFields...))
	}
	return map[string]request.Form{"community": {Show: show, Refuse: h.RefuseCommunity}}
}

// communityFields are the fields of the form that founds a community.
var communityFields = []string{"name", "title", "description"}

func (h *Handlers) RefuseCommunity(c *request.Call, err error) error {
	return request.RefuseOrSignIn(c, err, "community", h.newCommunityPage, communityFields)
}
