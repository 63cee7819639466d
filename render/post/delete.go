package post

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// DeletePage asks whether a post or comment is to be deleted. Field: target.
type DeletePage struct {
	ui.Frame
	Community ui.Community // name and colour
	Title     string       // of the post, or of the post that was commented on
	URL       string       // of what is to be deleted
	IsComment bool
	Target    string
	Said      string // what a comment says, as typed
}

// Delete is the page with the question. The script asks nothing, but lets the author undo it (web/app/deletion.js).
func Delete(p DeletePage) g.Node {
	heading := locale.Text("Delete your post?")
	if p.IsComment {
		heading = "Delete your comment?"
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T(heading)), ui.TargetLink(p.Community, p.URL, p.Title),
		g.If(p.Said != "", h.BlockQuote(h.Class("quote-box"), h.P(h.Class("quoted"), g.Text(p.Said)))),
		deleteForm(p)))
}

func deleteForm(p DeletePage) g.Node {
	consequence := locale.Text("Title, text and your name are removed permanently. Comments and votes stay.")
	if p.IsComment {
		consequence = "The text and your name are removed permanently. Replies and votes stay."
	}
	return h.Form(h.Class("reply change"), h.Method("post"), h.Action("/delete"),
		ui.Hidden("target", p.Target),
		h.P(ui.T(consequence)),
		h.Div(h.Class("row"), h.Button(h.Class("button danger"), ui.T("Delete")), ui.Cancel(p.URL)),
	)
}
