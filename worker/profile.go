package worker

import (
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
	"plaza/data/listings"
	"plaza/data/threads"
	"plaza/render"
)

// profilePage is how many posts or comments a page of a profile shows.
const profilePage = 25

// showProfile is a member's page with their posts or comments.
func (a *App) showProfile(c *call) error {
	name := c.r.PathValue("user")
	onComments := strings.HasSuffix(c.r.URL.Path, "/comments")
	r := c.read(a)
	user := a.users.FindByName(r, name)
	follows := a.users.FindFollows(r, c.viewerID(), name)
	karma := a.comments.FindKarma(r, name)
	a.communities.FollowColours(r)
	find := a.profilePosts
	if onComments {
		find = a.profileComments
	}
	fill, err := find(c, r, name)
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
		Frame: c.frame(a, "u/"+user.Username, "What "+user.Username+" posts and says.", base), Name: user.Username,
		BioHTML: render.HTML(user.BioHTML), JoinedAt: user.CreatedAt, Followers: user.Followers, Following: user.Following,
		PostKarma: karma.Posts, CommentKarma: karma.Comments, IsSelf: c.viewerID() == user.ID, IsFollowed: *follows,
		Tabs: []render.Tab{{Label: "Posts", URL: base, Active: !onComments}, {Label: "Comments", URL: base + "/comments", Active: onComments}},
	}
	fill(&p)
	return show(c, http.StatusOK, render.Profile, p)
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
