package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/listings"
	"plaza/data/saves"
	"plaza/render"
)

// savedPage is how many posts or comments a page of a member's own lists shows.
const savedPage = 25

// savedLists are a member's own lists, as tabs.
var savedLists = []struct{ label, url, empty string }{
	{"Saved posts", "/saved", "Nothing here yet. “Save” under a post puts it here."},
	{"Saved comments", "/saved/comments", "Nothing here yet. “Save” under a comment puts it here."},
	{"Hidden posts", "/hidden", "You have hidden nothing. “Hide” under a post takes it out of your listings."},
}

// showSaved is one of savedLists, by its address.
func (a *App) showSaved(c *call) error {
	p := render.SavedPage{}
	order := data.OrderSaved
	for _, l := range savedLists {
		active := l.url == c.r.URL.Path
		p.Tabs = append(p.Tabs, render.Tab{Label: l.label, URL: l.url, Active: active})
		if active {
			p.Title, p.Empty = l.label, l.empty
		}
	}
	if c.r.URL.Path == "/hidden" {
		order = data.OrderHidden
	}
	after, err := data.ParseCursor(byte(order), c.r.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.read()
	a.communities.FollowColours(r)
	var posts *listings.Page
	var comments *saves.CommentPage
	switch c.r.URL.Path {
	case "/saved":
		posts = a.listings.FindSaved(r, c.viewerID(), after, savedPage)
	case "/hidden":
		posts = a.listings.FindHidden(r, c.viewerID(), after, savedPage)
	default:
		comments = a.saves.FindComments(r, c.viewerID(), after, savedPage)
	}
	if err := c.run(r); err != nil {
		return err
	}
	var next data.Cursor
	if comments != nil {
		next = comments.Next()
		for _, m := range comments.Items() {
			p.Comments = append(p.Comments, render.ProfileComment{
				Comment: *c.commentView(&m.Comment, &m.Post), PostTitle: titleOf(&m.Post), PostURL: m.Post.LinkURL(), Community: m.Post.Community})
		}
	} else {
		next = posts.Next()
		p.Posts = c.postItems(posts.Items())
	}
	if !next.IsZero() {
		p.NextURL = c.r.URL.Path + "?after=" + next.String()
	}
	if !after.IsZero() {
		p.FirstURL = c.r.URL.Path
	}
	p.Frame = c.frame(p.Title, "", "")
	p.NoIndex = true
	return show(c, http.StatusOK, render.Saved, p)
}
