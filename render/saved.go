package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// SavedPage is a list of a member's own: /saved, /saved/comments or /hidden.
type SavedPage struct {
	Frame
	Tabs     []Tab
	Posts    []PostItem
	Comments []ProfileComment
	Empty    string // the sentence shown when there is nothing
	NextURL  string
	FirstURL string // on later pages
}

// Saved is the page of a SavedPage.
func Saved(p SavedPage) g.Node {
	list := posts(p.Posts, p.Frame, true, p.Empty)
	if len(p.Comments) > 0 {
		list = said(p.Comments, p.Frame)
	}
	return page(p.Frame, "", nil, h.H1(g.Text(p.Title)), tabs("What to show", p.Tabs), list, turning(p.FirstURL, p.NextURL))
}
