package worker

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
	"plaza/data/listings"
	"plaza/data/people"
	"plaza/data/threads"
	"plaza/render"
)

// profilePage is how many posts, comments or members a page of a profile shows.
const profilePage = 25

// profileTabs are the lists of a member's page. An address without a list shows the first.
var profileTabs = []struct {
	label, path, empty string
	find               func(*App, *call, *data.Read, string) (func(*render.ProfilePage), error)
}{
	{"Posts", "", " has posted nothing yet.", (*App).profilePosts},
	{"Comments", "/comments", " has not commented yet.", (*App).profileComments},
	{"Followers", "/followers", " has no followers yet.", (*App).profileFollowers},
	{"Following", "/following", " follows nobody yet.", (*App).profileFollowees},
}

// showProfile is a member's page with one of profileTabs.
func (a *App) showProfile(c *call) error {
	name, active := c.r.PathValue("user"), 0
	for i, tab := range profileTabs {
		if strings.HasSuffix(c.route.pattern(), tab.path) {
			active = i
		}
	}
	r := c.read(a)
	user := a.users.FindByName(r, name)
	follows := a.users.FindFollows(r, c.viewerID(), name)
	karma := a.comments.FindKarma(r, name)
	a.communities.FollowColours(r)
	fill, err := profileTabs[active].find(a, c, r, name)
	if err != nil {
		return err
	}
	if err := c.run(r); err != nil {
		return err
	}
	if user.ID == 0 {
		return &data.Error{Code: data.NotFound, Message: "There is nobody of that name here."}
	}
	base := "/u/" + user.Username
	p := render.ProfilePage{
		Frame: c.frame(a, "u/"+user.Username, "What "+user.Username+" posts and says.", base+profileTabs[active].path), Name: user.Username,
		Avatar: render.Avatar(user.Avatar), Links: profileLinks(user.Links),
		BioHTML: render.HTML(user.BioHTML), JoinedAt: user.CreatedAt, Followers: user.Followers, Following: user.Following,
		PostKarma: karma.Posts, CommentKarma: karma.Comments, IsSelf: c.viewerID() == user.ID, IsFollowed: *follows,
		Empty: user.Username + profileTabs[active].empty,
	}
	for i, tab := range profileTabs {
		p.Tabs = append(p.Tabs, render.Tab{Label: tab.label, URL: base + tab.path, Active: i == active})
	}
	if active == 0 && p.IsSelf {
		f := c.withToken(render.Form{Values: map[string]string{}, Errors: map[string]string{}})
		p.Short = &f
	}
	fill(&p)
	return show(c, http.StatusOK, render.Profile, p)
}

func profileLinks(list []people.Link) (links []render.ProfileLink) {
	for _, l := range list {
		links = append(links, render.ProfileLink{Name: cmp.Or(l.Label, strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(l.URL, "https://"), "http://"), "/")), Link: l.URL})
	}
	return links
}

// profilePosts adds a member's posts to what their page reads. The function it returns puts them into the page, after run.
func (a *App) profilePosts(c *call, r *data.Read, name string) (func(*render.ProfilePage), error) {
	after, err := data.ParseCursor(byte(data.OrderNew), c.r.URL.Query().Get("after"))
	if err != nil {
		return nil, err
	}
	l, err := a.listings.Find(c.r.Context(), r, listings.Query{
		Author: name, Order: data.OrderNew, After: after, Limit: profilePage, Viewer: c.viewerID()})
	return func(p *render.ProfilePage) {
		p.Posts = c.postItems(l.Items())
		if next := l.Next(); !next.IsZero() {
			p.NextURL = "/u/" + p.Name + "?after=" + next.String()
		}
	}, err
}

// profileComments is profilePosts for comments.
func (a *App) profileComments(c *call, r *data.Read, name string) (func(*render.ProfilePage), error) {
	var before data.ID
	if after := c.r.URL.Query().Get("after"); after != "" {
		id, err := data.ParseID(after)
		if err != nil {
			return nil, err
		}
		before = id
	}
	list := a.comments.FindByAuthor(r, name, before, profilePage+1, c.viewerID())
	return func(p *render.ProfilePage) {
		page := threads.NewestFirst(*list)
		if len(page) > profilePage {
			page = page[:profilePage]
			p.NextURL = "/u/" + p.Name + "/comments?after=" + url.QueryEscape(page[profilePage-1].ID.Text())
		}
		for _, ac := range page {
			p.Comments = append(p.Comments, render.ProfileComment{
				Comment: *c.commentView(&ac.Comment, &ac.Post), PostTitle: ac.Post.Title, PostURL: ac.Post.URL(), Community: ac.Post.Community})
		}
	}, nil
}
