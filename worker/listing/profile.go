package listing

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/comments"
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
	query := c.R.URL.Query()
	if active == 0 && (data.OrderNamed(data.ProfilePostOrders, query.Get("sort")) >= 0 || query.Get("after") != "") {
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
		Views: user.Views, Empty: locale.With(profileTabs[active].empty, user.Username),
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
		p.Empty = c.EmptyText(p.Empty)
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
	if _, _, err := profileList(c, data.ProfilePostOrders); err != nil { // an unknown order
		return nil, err
	}
	written, said := h.postsOf(c, r, a, data.OrderNew, data.Cursor{}), h.commentsOf(c, r, a, data.OrderNew, data.Cursor{})
	return func(p *pages.ProfilePage) {
		p.Posts, p.Comments = view.PostItems(c, written.Items()), commentItems(c, said.Items())
		older := !written.Next().IsZero() || !said.Next().IsZero()
		for len(p.Posts)+len(p.Comments) > profilePage { // leave out the oldest
			older = true
			post, comment := len(p.Posts)-1, len(p.Comments)-1
			if comment < 0 || post >= 0 && p.Posts[post].CreatedAt.Before(p.Comments[comment].Comment.CreatedAt) {
				p.Posts = p.Posts[:post]
			} else {
				p.Comments = p.Comments[:comment]
			}
		}
		if older {
			p.Older = p.Tabs[1:3]
		}
	}, nil
}

// profilePosts reads a member's posts along with their page. The function that it returns puts them into the page, after Call.Run.
func (h *Handlers) profilePosts(c *request.Call, r *data.Read, a author) (func(*pages.ProfilePage), error) {
	order, after, err := profileList(c, data.ProfilePostOrders)
	if err != nil {
		return nil, err
	}
	l := h.postsOf(c, r, a, data.ProfilePostOrders[order].Order, after)
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
	l := h.commentsOf(c, r, a, data.ProfileCommentOrders[order].Order, after)
	return func(p *pages.ProfilePage) {
		p.Comments = commentItems(c, l.Items())
		fillOrders(p, "/u/"+p.Name+"/comments", data.ProfileCommentOrders, order, l.Next())
	}, nil
}

func (h *Handlers) postsOf(c *request.Call, r *data.Read, a author, order data.Order, after data.Cursor) *listings.Page {
	return h.Listings.Find(r, listings.Query{
		Author: a.name, Former: a.former, Order: order, After: after, Limit: profilePage, Viewer: c.ViewerID()})
}

func (h *Handlers) commentsOf(c *request.Call, r *data.Read, a author, order data.Order, after data.Cursor,
) *data.Page[comments.AuthorComment] {
	return h.Comments.FindByAuthor(r, a.name, a.former, order, after, profilePage, c.ViewerID())
}

func commentItems(c *request.Call, list []comments.AuthorComment) (items []pages.ProfileComment) {
	for _, ac := range list {
		items = append(items, pages.ProfileComment{
			Comment: *view.CommentView(c, &ac.Comment, &ac.Post), PostTitle: ac.Post.Title, PostURL: ac.Post.LinkURL(),
			Community: ac.Post.Community})
	}
	return items
}
