package moderation

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// RemovePage is the form with which moderators remove a post or comment. Fields: rule, text, block (community, site).
type RemovePage struct {
	ui.Frame
	Community ui.Community // name and colour
	Title     string       // of the post, or of the post that was commented on
	URL       string       // of what is to be removed
	IsComment bool
	Target    string
	Said      string   // what a comment says, as typed
	Rules     []string // titles, of which one is chosen
	Pictures  int      // of the post
	// Whether they can be blocked in the community and on the whole site.
	CanBlock, CanBlockOnSite bool
	Form                     ui.Form
}

// Remove is the page of a RemovePage.
func Remove(p RemovePage) g.Node {
	heading := locale.Text("Remove this post?")
	if p.IsComment {
		heading = "Remove this comment?"
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T(heading)), ui.TargetLink(p.Community, p.URL, p.Title),
		g.If(p.Said != "", h.BlockQuote(h.Class("quote-box"), h.P(h.Class("quoted"), g.Text(p.Said)))),
		removeForm(p, nil)))
}

// RemoveFormFragment is the form below the comment, on the thread's page.
func RemoveFormFragment(p RemovePage) g.Node {
	address := removeURL(p)
	return removeForm(p, g.Group{g.Attr("hx-post", address), g.Attr("hx-target", "this"), g.Attr("hx-swap", "none")})
}

func removeURL(p RemovePage) string { return ui.CommunityURL(p.Community.Name) + "/mod/decide" }

func removeForm(p RemovePage, inPlace g.Node) g.Node {
	id := "rule-" + p.Target
	problem := p.Form.Errors["rule"]
	return h.Form(h.Class("reply change remove"), ui.PostTo(removeURL(p)), inPlace,
		ui.FormError(p.Form),
		ui.Hidden("target", p.Target), ui.Hidden("decision", "remove"),
		h.FieldSet(h.Class("marks"),
			h.Legend(ui.T("Which rule does it break?")),
			g.If(problem != "", h.P(h.Class("wrong"), h.ID(id+"-error"), ui.T(problem))),
			g.Map(p.Rules, func(rule string) g.Node {
				return h.Label(h.Input(h.Type("radio"), h.Name("rule"), h.Value(rule), h.Required(),
					g.If(p.Form.Values["rule"] == rule, h.Checked()), g.If(problem != "", h.Aria("describedby", id+"-error"))), ui.T(kept.Text(rule)))
			}),
		),
		g.If(p.Form.Errors["block"] != "", h.P(h.Class("wrong"), ui.T(p.Form.Errors["block"]))),
		g.Iff(p.Pictures > 0, func() g.Node {
			return blockChoice("block", p.Community.Name, []string{p.Form.Values["block"]}, p.CanBlock, p.CanBlockOnSite)
		}),
		h.Label(h.For("note-"+p.Target), ui.T("Message to the author (optional; only they and the moderators see it)")),
		g.If(p.Form.Errors["text"] != "", h.P(h.Class("wrong"), ui.T(p.Form.Errors["text"]))),
		h.Textarea(h.ID("note-"+p.Target), h.Name("text"), h.Rows("3"), g.Text(ui.NewlineSafe(p.Form.Values["text"]))),
		h.Div(h.Class("row"), h.Button(h.Class("button danger"), ui.T("Remove")), ui.Cancel(p.URL)),
	)
}
