package listing

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/lists/listings"
	"plaza/data/lists/views"
	"plaza/locale"
	pages "plaza/render/listing"
	"plaza/render/markdown"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// profilePage is how many posts, comments or members a page of a profile shows.
const profilePage = 25

// profileTabs are the lists of a member's page. An address without a list shows the first, and with an order or a cursor the second.
var profileTabs = []struct {
	label locale.Text
	path  string
	empty locale.Text
	find  func(*Handlers, *request.Call, *data.Read, author) (func(*pages.ProfilePage), error)
}{
	{"Overview", "", "{} has not posted anything yet.", (*Handlers).profileOverview},
	{"Posts", postsByTime, "{} has no posts yet.", (*Handlers).profilePosts},
	{"Comments", "/comments", "{} has no comments yet.", (*Handlers).profileComments},
	{"Followers", "/followers", "{} has no followers yet.", (*Handlers).profileFollowers},
	{"Following¦people", "/following", "{} follows nobody yet.", (*Handlers).profileFollowees},
}

// postsByTime is where a profile has its posts alone. Its address without an order is the overview.
const postsByTime = "?sort=new"

// banCommunities is how many of the viewer's communities a profile offers to ban its member from.
const banCommunities = 20

// author is the member whose posts and comments a profile lists: their name, and the former name that some of these still have.
type author struct{ name, former string }

// ShowProfile is a member's page with one of profileTabs.
func (h *Handlers) ShowProfile(c *request.Call) error {
	name, list := c.R.PathValue("user"), strings.TrimPrefix(c.Route.Path(), "/u/{user}")
	active := 0
	for i, tab := range profileTabs {
		if tab.path == list {
			active = i
		}
	}
	if query := c.R.URL.Query(); active == 0 && query.Get("sort")+query.Get("after") != "" {
		active = 1
	}
	r := c.ReadMerged()
	user := h.Accounts.FindByName(r, name)
	follows := h.Accounts.FindFollows(r, c.ViewerID(), name)
	karma := h.Comments.FindKarma(r, name)
	h.Communities.FindColourChanges(r)
	former := h.Accounts.FindFormer(r, name)
	fill, err := profileTabs[active].find(h, c, r, author{name: name})
	if err != nil {
		return err
	}
	if err := c.Run(r); err != nil {
		return err
	}
	if user.ID == 0 && *former != "" {
		c.W.Header().Set("Location", c.Address(strings.TrimSuffix("/u/"+*former+list+"?"+c.R.URL.RawQuery, "?")))
		c.W.WriteHeader(http.StatusFound) // not permanent: others may take the name one day
		return nil
	}
	if user.Former != "" && !strings.EqualFold(user.Former, user.Username) { // within a minute after the member took a new name
		r := c.ReadMore()
		karma = h.Comments.FindKarma(r, name, user.Former)
		if fill, err = profileTabs[active].find(h, c, r, author{name, user.Former}); err != nil {
			return err
		}
		if err := c.RunMore(r); err != nil {
			return err
		}
	}
	if user.ID == 0 {
		return &data.Error{Code: data.NotFound, Message: "There is no member of that name."}
	}
	base := "/u/" + user.Username
	p := pages.ProfilePage{
		Frame: c.PublicFrame(locale.Verbatim("u/"+user.Username), locale.With("What {} posts and says.", user.Username),
			base+profileTabs[active].path), Name: user.Username,
		Avatar: ui.Avatar(user.Avatar), Links: profileLinks(user.Links),
		BioHTML: markdown.HTML(user.BioHTML), JoinedAt: user.CreatedAt, Followers: user.Followers, Following: user.Following,
		PostKarma: karma.Posts, CommentKarma: karma.Comments, IsSelf: c.ViewerID() == user.ID, IsFollowed: *follows, IsBlocked: c.Blocks(user.ID),
		Views: user.Views, Empty: ui.Nothing(locale.With(profileTabs[active].empty, user.Username), "Front page", "/"),
	}
	if active < 3 { // posts and comments
		p.FeedURL = base + list + request.AtomEnding
	}
	if active == 1 {
		p.FeedURL += postsByTime
	}
	if user.Unclaimed {
		p.Site, p.Elsewhere = user.Elsewhere()
	}
	if !p.IsSelf {
		subject := views.Subject{Member: user.ID}
		p.View = h.ViewMark(c, subject)
		h.NoteView(c, subject)
	}
	for i, tab := range profileTabs {
		p.Tabs = append(p.Tabs, ui.Tab{Label: tab.label, URL: base + tab.path, Active: i == active})
	}
	if !p.IsSelf && c.Viewer != nil {
		for _, name := range c.Viewer.Moderated() {
			if len(p.BanFrom) == banCommunities {
				break
			}
			if !c.Viewer.Moderates(name) {
				continue
			}
			p.BanFrom = append(p.BanFrom, ui.Tab{Label: locale.With("from c/{}", name),
				URL: request.BansURL(name) + "?user=" + url.QueryEscape(user.Username)})
		}
	}
	if !p.IsSelf && c.Viewer != nil && c.Viewer.Admin {
		p.BanFrom = append(p.BanFrom, ui.Tab{Label: "from the whole site", URL: request.SuspendURL(user.Username)})
	}
	if active == 0 && p.IsSelf {
		f := c.WithToken(ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
		p.Short = &f
	}
	if fill(&p); active < 3 { // which are read from shards
		p.Empty = c.Empty(p.Empty)
	}
	for i := range p.Posts { // a reader of a profile wants to see all that its member writes
		p.Posts[i].Blocked = false
	}
	for i := range p.Comments {
		p.Comments[i].Comment.Blocked = false
	}
	return request.Show(c, http.StatusOK, pages.Profile, p)
}

func profileLinks(list []accounts.Link) (links []pages.ProfileLink) {
	for _, l := range list {
		links = append(links, pages.ProfileLink{Name: cmp.Or(l.Label,
			strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(l.URL, "https://"), "http://"), "/")), Link: l.URL})
	}
	return links
}

// profileList returns which page of a profile's list the address names: the index of its order in orders, and the cursor.
// Invalid.
func profileList(c *request.Call, orders []data.NamedOrder) (order int, after data.Cursor, err error) {
	if sort := c.R.URL.Query().Get("sort"); sort != "" {
		if order = data.OrderNamed(orders, sort); order < 0 {
			if err := c.UnknownOrder("This list", orders); err != nil {
				return 0, data.Cursor{}, err
			}
			order = 0
		}
	}
	after, err = data.ParseCursor(byte(orders[order].Order), c.R.URL.Query().Get("after"))
	return order, after, err
}

// fillOrders puts the orders of a list into its page, and the address of the following page. base is the list's address.
func fillOrders(p *pages.ProfilePage, base string, orders []data.NamedOrder, order int, next data.Cursor) {
	for i, o := range orders {
		p.Orders = append(p.Orders, ui.Tab{Label: o.Label, URL: base + "?sort=" + o.Name, Active: i == order})
	}
	if !next.IsZero() {
		p.NextURL = base + "?sort=" + orders[order].Name + "&after=" + next.String()
	}
}

// profileOverview is profilePosts for the newest posts and comments together.
func (h *Handlers) profileOverview(c *request.Call, r *data.Read, a author) (func(*pages.ProfilePage), error) {
	fillPosts, err := h.profilePosts(c, r, a)
	if err != nil {
		return nil, err
	}
	fillComments, err := h.profileComments(c, r, a)
	return func(p *pages.ProfilePage) {
		fillPosts(p)
		older := p.NextURL != ""
		fillComments(p)
		older = older || p.NextURL != ""
		p.Orders, p.NextURL = nil, ""
		for len(p.Posts)+len(p.Comments) > profilePage { // leave out the oldest
			older = true
			posts, comments := len(p.Posts)-1, len(p.Comments)-1
			if comments < 0 || posts >= 0 && p.Posts[posts].CreatedAt.Before(p.Comments[comments].Comment.CreatedAt) {
				p.Posts = p.Posts[:posts]
			} else {
				p.Comments = p.Comments[:comments]
			}
		}
		if older {
			p.Older = p.Tabs[1:3]
		}
	}, err
}

// profilePosts reads a member's posts along with their page. The function that it returns puts them into the page, after Call.Run.
func (h *Handlers) profilePosts(c *request.Call, r *data.Read, a author) (func(*pages.ProfilePage), error) {
	order, after, err := profileList(c, data.ProfilePostOrders)
	if err != nil {
		return nil, err
	}
	l := h.Listings.Find(r, listings.Query{
		Author: a.name, Former: a.former, Order: data.ProfilePostOrders[order].Order, After: after, Limit: profilePage, Viewer: c.ViewerID()})
	return func(p *pages.ProfilePage) {
		p.Posts = view.PostItems(c, l.Items())
		p.ByViews = data.ProfilePostOrders[order].Order == data.OrderViews
		fillOrders(p, "/u/"+p.Name, data.ProfilePostOrders, order, l.Next())
	}, nil
}

// profileComments is profilePosts for comments.
func (h *Handlers) profileComments(c *request.Call, r *data.Read, a author) (func(*pages.ProfilePage), error) {
	order, after, err := profileList(c, data.ProfileCommentOrders)
	if err != nil {
		return nil, err
	}
	l := h.Comments.FindByAuthor(r, a.name, a.former, data.ProfileCommentOrders[order].Order, after, profilePage, c.ViewerID())
	return func(p *pages.ProfilePage) {
		for _, ac := range l.Items() {
			p.Comments = append(p.Comments, pages.ProfileComment{
				Comment: *view.CommentView(c, &ac.Comment, &ac.Post), PostTitle: ac.Post.Title, PostURL: ac.Post.LinkURL(),
				Community: ac.Post.Community})
		}
		fillOrders(p, "/u/"+p.Name+"/comments", data.ProfileCommentOrders, order, l.Next())
	}, nil
}
