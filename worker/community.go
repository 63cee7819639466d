package worker

import (
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/flair"
	"plaza/render"
)

// showCommunity is a community's listing in one of the orders.
func (a *App) showCommunity(c *call) error {
	name := c.r.PathValue("community")
	if data.IsProfile(name) {
		return a.toProfile(c, name)
	}
	r := c.read()
	community := a.communities.FindByName(r, name, c.viewerID())
	owned := a.findOwned(c, r)
	listing, err := a.findListing(c, r, "/c/"+name, name)
	if err != nil {
		return err
	}
	flairs := &flair.Set{}
	if listing.flair != 0 {
		flairs = a.flairs.Find(r, name)
	}
	if err := c.run(r); err != nil {
		return err
	}
	if community.ID == 0 {
		return errNoCommunity
	}
	label := flairs.Label(listing.flair)
	if listing.flair != 0 && label.ID == 0 {
		return errNoFlair
	}
	if err := a.passHidden(c, &listing.Page); err != nil {
		return err
	}
	description := community.Description
	if description == "" {
		description = community.Title
	}
	title := community.Title
	if order := listing.title(); order != "" {
		title += ": " + order
	}
	if label.ID != 0 {
		title += ": " + label.Text
	}
	p := render.CommunityPage{
		Flair:     flairView(community.Name, label),
		Frame:     c.frame(title, description, listing.canonical("/c/"+community.Name)),
		Community: communityView(community), Listing: a.listingView(c, listing, true), Own: c.ownView(owned),
	}
	p.Picture, p.FeedURL = a.cardOf("c/"+community.Name), "/c/"+community.Name+"/new"+atomEnding
	return show(c, http.StatusOK, render.CommunityView, p)
}

func (a *App) showNewCommunity(c *call) error {
	if err := c.run(c.read()); err != nil {
		return err
	}
	if !c.site().MayFound(c.viewer.Admin) {
		return communities.ErrFounders
	}
	return a.newCommunityPage(c, http.StatusOK, render.Form{Values: map[string]string{}, Errors: map[string]string{}})
}

func (a *App) newCommunityPage(c *call, status int, f render.Form) error {
	p := render.NewCommunityPage{Frame: c.frame("New community", "", ""), Form: c.withToken(f)}
	p.NoIndex = true
	return show(c, status, render.NewCommunity, p)
}

func (a *App) createCommunity(c *call) error {
	name := strings.TrimSpace(c.value("name"))
	token, err := c.token()
	if err != nil {
		return a.refuseCommunity(c, err)
	}
	id, err := a.communities.Create(c.r.Context(), *c.actor, communities.Create{
		Name: name, Title: c.value("title"), Description: c.value("description"), Token: token})
	if err != nil {
		return a.refuseCommunity(c, err)
	}
	return c.done("/c/"+name, map[string]any{"id": id, "permalink": "/c/" + name})
}

// communityForms is the form of a new community.
func (a *App) communityForms() map[string]form {
	again := func(c *call, _ *render.Preview) error {
		return a.newCommunityPage(c, http.StatusOK, c.typed("name", "title", "description"))
	}
	return map[string]form{"community": {again, a.refuseCommunity}}
}

func (a *App) refuseCommunity(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) {
		return err
	}
	if data.ErrorCode(err) == data.Unauthenticated {
		return a.signInAgain(c, "community", err)
	}
	return a.newCommunityPage(c, formStatus(err), wrong(c.typed("name", "title", "description"), err))
}
