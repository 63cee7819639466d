package worker

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
	"plaza/data/listings"
	"plaza/data/people"
	"plaza/data/views"
	"plaza/render"
)

// profilePage is how many posts, comments or members a page of a profile shows.
const profilePage = 25

// profileTabs are the lists of a member's page. An address without a list shows the first.
var profileTabs = []struct {
	label, path, empty string
	find               func(*App, *call, *data.Read, author) (func(*render.ProfilePage), error)
}{
	{"Posts", "", " has posted nothing yet.", (*App).profilePosts},
	{"Comments", "/comments", " has not commented yet.", (*App).profileComments},
	{"Followers", "/followers", " has no followers yet.", (*App).profileFollowers},
	{"Following", "/following", " follows nobody yet.", (*App).profileFollowees},
}

// banCommunities is how many communities a profile offers to its moderators to ban the member from.
const banCommunities = 20

// author is whose posts and comments a profile lists: the member's name, and the name that some of them still have.
type author struct{ name, former string }

// showProfile is a member's page with one of profileTabs.
func (a *App) showProfile(c *call) error {
	name, active := c.r.PathValue("user"), 0
	for i, tab := range profileTabs {
		if strings.HasSuffix(c.route.pattern(), tab.path) {
			active = i
		}
	}
	r := c.read()
	user := a.users.FindByName(r, name)
	follows := a.users.FindFollows(r, c.viewerID(), name)
	karma := a.comments.FindKarma(r, name)
	a.communities.FollowColours(r)
	former := a.users.FindFormer(r, name)
	fill, err := profileTabs[active].find(a, c, r, author{name: name})
	if err != nil {
		return err
	}
	if err := c.run(r); err != nil {
		return err
	}
	if user.ID == 0 && *former != "" {
		c.w.Header().Set("Location", c.address(strings.TrimSuffix("/u/"+*former+profileTabs[active].path+"?"+c.r.URL.RawQuery, "?")))
		c.w.WriteHeader(http.StatusFound) // and not for good: others may take the name one day
		return nil
	}
	if user.Former != "" && !strings.EqualFold(user.Former, user.Username) { // within a minute after the member took a new name
		r := a.DB.Read()
		karma = a.comments.FindKarma(r, name, user.Former)
		if fill, err = profileTabs[active].find(a, c, r, author{name, user.Former}); err != nil {
			return err
		}
		if err := r.Run(c.r.Context()); err != nil {
			return err
		}
	}
	if user.ID == 0 {
		return &data.Error{Code: data.NotFound, Message: "There is nobody of that name here."}
	}
	base := "/u/" + user.Username
	p := render.ProfilePage{
		Frame: c.frame("u/"+user.Username, "What "+user.Username+" posts and says.", base+profileTabs[active].path), Name: user.Username,
		Avatar: render.Avatar(user.Avatar), Links: profileLinks(user.Links),
		BioHTML: render.HTML(user.BioHTML), JoinedAt: user.CreatedAt, Followers: user.Followers, Following: user.Following,
		PostKarma: karma.Posts, CommentKarma: karma.Comments, IsSelf: c.viewerID() == user.ID, IsFollowed: *follows, IsBlocked: c.blocks(user.ID), Views: user.Views,
		Empty: user.Username + profileTabs[active].empty,
	}
	if active < 2 { // posts and comments
		p.FeedURL = base + profileTabs[active].path + atomEnding
	}
	if user.Unclaimed {
		p.Site, p.Elsewhere = user.Elsewhere()
	}
	if !p.IsSelf {
		seen := views.Subject{Member: user.ID}
		p.View = a.viewMark(c, seen)
		a.noteView(c, seen)
	}
	for i, tab := range profileTabs {
		p.Tabs = append(p.Tabs, render.Tab{Label: tab.label, URL: base + tab.path, Active: i == active})
	}
	if !p.IsSelf && c.viewer != nil {
		for _, name := range c.viewer.Moderated() {
			if len(p.BanFrom) == banCommunities {
				break
			}
			if !c.viewer.Moderates(name) {
				continue
			}
			p.BanFrom = append(p.BanFrom, render.Tab{Label: "from c/" + name, URL: bansURL(name) + "?user=" + url.QueryEscape(user.Username)})
		}
	}
	if !p.IsSelf && c.viewer != nil && c.viewer.Admin {
		p.BanFrom = append(p.BanFrom, render.Tab{Label: "from the whole site", URL: suspendURL(user.Username)})
	}
	if p.IsSelf { // what nobody else sees
		p.Tabs = append(p.Tabs, render.Tab{Label: "Saved", URL: "/saved"}, render.Tab{Label: "Hidden", URL: "/hidden"}, render.Tab{Label: "Drafts", URL: "/drafts"})
	}
	if active == 0 && p.IsSelf {
		f := c.withToken(render.Form{Values: map[string]string{}, Errors: map[string]string{}})
		p.Short = &f
	}
	fill(&p)
	for i := range p.Posts { // who asks for all that somebody writes wants to see it
		p.Posts[i].Blocked = false
	}
	for i := range p.Comments {
		p.Comments[i].Comment.Blocked = false
	}
	return show(c, http.StatusOK, render.Profile, p)
}

func profileLinks(list []people.Link) (links []render.ProfileLink) {
	for _, l := range list {
		links = append(links, render.ProfileLink{Name: cmp.Or(l.Label, strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(l.URL, "https://"), "http://"), "/")), Link: l.URL})
	}
	return links
}

// profileOrder is an order of a list of a profile.
type profileOrder struct {
	name  string
	order data.Order
	label string
}

// The orders of a profile's posts and comments. An address that names none shows the first.
var (
	profilePostOrders    = []profileOrder{{"new", data.OrderNew, "New"}, {"top", data.OrderTop, "Top"}, {"views", data.OrderViews, "Most viewed"}}
	profileCommentOrders = []profileOrder{{"new", data.OrderNew, "New"}, {"top", data.OrderTop, "Top"}, {"controversial", data.OrderControversial, "Controversial"}}
)

// profileList is which page of a list of a profile the address asks for: its order, by its place among those of the list, and
// the cursor. Invalid.
func (c *call) profileList(orders []profileOrder) (order int, after data.Cursor, err error) {
	var names []string
	sort := c.r.URL.Query().Get("sort")
	for i, o := range orders {
		if names = append(names, o.name); sort == o.name {
			order = i
		}
	}
	if sort != "" && sort != orders[order].name {
		last := len(names) - 1
		if err := c.unknown("sort", "This list is sorted by "+strings.Join(names[:last], ", ")+" or "+names[last]+"."); err != nil {
			return 0, data.Cursor{}, err
		}
	}
	after, err = data.ParseCursor(byte(orders[order].order), c.r.URL.Query().Get("after"))
	return order, after, err
}

// fillOrders puts the orders of a list into its page, and the address of the following page. base is the list's address.
func fillOrders(p *render.ProfilePage, base string, orders []profileOrder, order int, next data.Cursor) {
	address := func(i int) string {
		if i == 0 {
			return base
		}
		return base + "?sort=" + orders[i].name
	}
	for i, o := range orders {
		p.Orders = append(p.Orders, render.Tab{Label: o.label, URL: address(i), Active: i == order})
	}
	if !next.IsZero() {
		sign := "?"
		if order > 0 {
			sign = "&"
		}
		p.NextURL = address(order) + sign + "after=" + next.String()
	}
}

// profilePosts adds a member's posts to what their page reads. The function it returns puts them into the page, after run.
func (a *App) profilePosts(c *call, r *data.Read, of author) (func(*render.ProfilePage), error) {
	order, after, err := c.profileList(profilePostOrders)
	if err != nil {
		return nil, err
	}
	l, err := a.listings.Find(c.r.Context(), r, listings.Query{
		Author: of.name, Former: of.former, Order: profilePostOrders[order].order, After: after, Limit: profilePage, Viewer: c.viewerID()})
	return func(p *render.ProfilePage) {
		p.Posts = c.postItems(l.Items())
		fillOrders(p, "/u/"+p.Name, profilePostOrders, order, l.Next())
	}, err
}

// profileComments is profilePosts for comments.
func (a *App) profileComments(c *call, r *data.Read, of author) (func(*render.ProfilePage), error) {
	order, after, err := c.profileList(profileCommentOrders)
	if err != nil {
		return nil, err
	}
	l := a.comments.FindByAuthor(r, of.name, of.former, profileCommentOrders[order].order, after, profilePage, c.viewerID())
	return func(p *render.ProfilePage) {
		for _, ac := range l.Items() {
			p.Comments = append(p.Comments, render.ProfileComment{
				Comment: *c.commentView(&ac.Comment, &ac.Post), PostTitle: ac.Post.Title, PostURL: ac.Post.LinkURL(), Community: ac.Post.Community})
		}
		fillOrders(p, "/u/"+p.Name+"/comments", profileCommentOrders, order, l.Next())
	}, nil
}
