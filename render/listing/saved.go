package listing

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// SavedPage is one of a member's own lists: /saved, /saved/comments or /hidden.
type SavedPage struct {
	ui.Frame
	Tabs     []ui.Tab         `json:"-"`
	Posts    []ui.PostItem    `json:"posts"`    // Saved or hidden posts.
	Comments []ProfileComment `json:"comments"` // Saved comments.
	Empty    ui.Empty         `json:"-"`        // what it says without items
	NextURL  string           `as:"following"`
	FirstURL string           `json:"-"` // "" on page one
}

// Saved is the page of a SavedPage.
func Saved(p SavedPage) g.Node {
	list := ui.Posts(p.Posts, p.Frame, true, p.Empty)
	if len(p.Comments) > 0 {
		list = commentList(p.Comments, p.Frame)
	}
	return ui.Page(p.Frame, "", nil, h.H1(ui.T(p.Title)), ui.OrderBar(p.Frame, "What to show", p.Tabs, nil, nil), list,
		ui.Pager(p.FirstURL, p.NextURL))
}
