package listing

import (
	"net/http"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/locale"
	pages "plaza/render/listing"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// savedPage is how many posts or comments a page of a member's own lists shows.
const savedPage = 25

// savedLists are a member's own lists, as tabs.
var savedLists = []struct {
	label locale.Text
	url   string
	empty locale.Text
}{
	{"Saved posts", "/saved", "No saved posts yet. “Save” under a post puts it here."},
	{"Saved comments", "/saved/comments", "No saved comments yet. “Save” under a comment puts it here."},
	{"Hidden posts", "/hidden", "No hidden posts. “Hide” under a post takes it out of your lists."},
}

// ShowSaved is one of savedLists, by its address.
func (h *Handlers) ShowSaved(c *request.Call) error {
	p := pages.SavedPage{}
	order := data.OrderSaved
	for _, l := range savedLists {
		active := l.url == c.R.URL.Path
		p.Tabs = append(p.Tabs, ui.Tab{Label: l.label, URL: l.url, Active: active})
		if active {
			p.Title, p.Empty = l.label, ui.Nothing(l.empty, "Front page", "/")
		}
	}
	if c.R.URL.Path == "/hidden" {
		order = data.OrderHidden
	}
	after, err := data.ParseCursor(byte(order), c.R.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.ReadMerged()
	h.Communities.FindColourChanges(r)
	var kept *data.Page[*posts.Post]
	var comments *data.Page[comments.AuthorComment]
	switch c.R.URL.Path {
	case "/saved":
		kept = h.Listings.FindSaved(r, c.ViewerID(), after, savedPage)
	case "/hidden":
		kept = h.Listings.FindHidden(r, c.ViewerID(), after, savedPage)
	default:
		comments = h.Saves.FindComments(r, c.ViewerID(), after, savedPage)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	var next data.Cursor
	if comments != nil {
		next = comments.Next()
		for _, m := range comments.Items() {
			p.Comments = append(p.Comments, pages.ProfileComment{
				Comment: *view.CommentView(c, &m.Comment, &m.Post), PostTitle: view.TitleOf(&m.Post), PostURL: m.Post.LinkURL(),
				Community: m.Post.Community})
		}
	} else {
		next = kept.Next()
		p.Posts = view.PostItems(c, kept.Items())
	}
	if !next.IsZero() {
		p.NextURL = c.R.URL.Path + "?after=" + next.String()
	}
	if !after.IsZero() {
		p.FirstURL = c.R.URL.Path
	}
	p.Empty = c.Empty(p.Empty)
	p.Frame = c.Frame(p.Title)
	return request.Show(c, http.StatusOK, pages.Saved, p)
}
