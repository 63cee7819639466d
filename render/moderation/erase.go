package moderation

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// ErasePage asks an administrator whether a post or comment is to be erased. Fields: rule, which is the ground.
type ErasePage struct {
	ui.Frame
	Community ui.Community // name and colour
	Title     string       // of a post
	URL       string       // of what is to be erased
	IsComment bool
	Deleted   bool // by its author: only what others wrote about it is left
	Target    string
	Said      string // the text, as typed
	Grounds   []string
	Purges    bool // the edge cache is purged at once
	Form      ui.Form
}

// Erase is the page of an ErasePage.
func Erase(p ErasePage) g.Node {
	heading := locale.Text("Erase this post for good?")
	if p.IsComment {
		heading = "Erase this comment for good?"
	}
	place := locale.Verbatim(p.Title)
	if p.Title == "" {
		place = "Its place in the thread"
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T(heading)),
		h.P(h.Class("crumb"), ui.CommunityLink(p.Community), g.Text(" "), h.A(h.Href(p.URL), ui.T(place))),
		g.If(p.Said != "", h.BlockQuote(h.Class("quote-box"), h.P(h.Class("quoted"), g.Text(p.Said)))),
		g.If(p.Deleted, h.P(h.Class("notice"), ui.T("Its author has deleted it. Erasing it also takes away what others wrote about it."))),
		h.H2(ui.T("What will happen")),
		h.Div(h.Class("md"), h.Ul(
			h.Li(ui.T("The words are gone at once from the site, its search, its feeds and later exports and backups. Nobody can bring them back.")),
			g.If(!p.IsComment, h.Li(ui.T("Crossposts with the same title are erased as well. The address of the thread changes, because it "+
				"has words of the title. The comments stay."))),
			h.Li(ui.T("Reports about it, appeals, messages and notes that quote it go as well. What others quote in comments of their own "+
				"stays: erase "+
				"these one by one.")),
			h.Li(ui.T("The author is told that it was erased, and why. The log says who erased it, when and why, and quotes nothing.")),
			h.Li(ui.T(edgeText(p.Purges))),
			h.Li(ui.T("Mails, feed readers and browsers that have it already keep it, and so do backups that were made before. Delete those "+
				"backups.")),
		)),
		eraseForm(p.Form, p.Grounds, p.URL, ui.Hidden("target", p.Target)),
	))
}

// eraseForm asks for the ground. target are the fields that name what is to be erased.
func eraseForm(f ui.Form, grounds []string, back string, target g.Node) g.Node {
	problem := f.Errors["rule"]
	return h.Form(h.Class("remove"), ui.PostTo("/admin/erase"), ui.FormError(f), target,
		h.FieldSet(h.Class("marks"),
			h.Legend(ui.T("Why is it erased?")),
			g.If(problem != "", h.P(h.Class("wrong"), h.ID("rule-error"), ui.T(problem))),
			g.Map(grounds, func(ground string) g.Node {
				return h.Label(h.Input(h.Type("radio"), h.Name("rule"), h.Value(ground), h.Required(),
					g.If(f.Values["rule"] == ground, h.Checked()), g.If(problem != "", h.Aria("describedby", "rule-error"))),
					ui.T(kept.Text(ground)))
			}),
		),
		h.Div(h.Class("row"), h.Button(h.Class("button danger"), ui.T("Erase for good")), ui.Cancel(back)))
}

// EraseWikiPage asks an administrator whether a page of a community is to be erased, or one of its revisions. Fields: page, revision, rule.
type EraseWikiPage struct {
	ui.Frame
	Community ui.Community // name and colour
	Page      string       // its id
	Revision  int64        // 0 is the whole page
	Title     string
	Said      string // the text, as typed
	URL       string // of the history
	Grounds   []string
	Purges    bool // the edge cache is purged at once
	Form      ui.Form
}

// EraseWiki is the page of an EraseWikiPage.
func EraseWiki(p EraseWikiPage) g.Node {
	heading := locale.Text("Erase this page for good?")
	what := locale.Text("The page and all its revisions are gone at once from the site, and from later exports and backups. Nobody can " +
		"bring them back.")
	if p.Revision != 0 {
		heading = locale.With("Erase revision {} for good?", p.Revision)
		what = "This revision is gone at once from the history of the page, and " +
			"from later backups. Nobody can bring it back. The page and its other revisions stay."
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T(heading)),
		h.P(h.Class("crumb"), ui.CommunityLink(p.Community), g.Text(" "), h.A(h.Href(p.URL), g.Text(p.Title))),
		h.BlockQuote(h.Class("quote-box"), h.P(h.Class("quoted"), g.Text(p.Said))),
		h.H2(ui.T("What will happen")),
		h.Div(h.Class("md"), h.Ul(
			h.Li(ui.T(what)),
			h.Li(ui.T("The log says who erased it, when and why, and quotes nothing.")),
			h.Li(ui.T(edgeText(p.Purges))),
		)),
		eraseForm(p.Form, p.Grounds, p.URL, g.Group{ui.Hidden("page", p.Page),
			g.If(p.Revision != 0, ui.Hidden("revision", strconv.FormatInt(p.Revision, 10)))}),
	))
}

// EraseMessagePage asks an administrator whether a message of a conversation with moderators is to be erased. Fields: message, rule.
type EraseMessagePage struct {
	ui.Frame
	Message string // its id
	First   bool   // of its conversation, so that the subject goes as well
	Subject string
	Said    string
	URL     string // of the conversation
	Grounds []string
	Form    ui.Form
}

// EraseMessage is the page of an EraseMessagePage.
func EraseMessage(p EraseMessagePage) g.Node {
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T("Erase this message for good?")),
		h.P(h.Class("crumb"), h.A(h.Href(p.URL), ui.DisplayName(p.Subject))),
		h.BlockQuote(h.Class("quote-box"), h.P(h.Class("quoted"), g.Text(p.Said))),
		h.H2(ui.T("What will happen")),
		h.Div(h.Class("md"), h.Ul(
			h.Li(ui.T("The words are gone at once from the conversation, from inboxes, and from later backups. Nobody can bring them back. "+
				"The message stays without them.")),
			g.If(p.First, h.Li(ui.T("It is the first of the conversation, which loses its subject as well."))),
			h.Li(ui.T("The log says who erased it, when and why, and quotes nothing.")),
		)),
		eraseForm(p.Form, p.Grounds, p.URL, ui.Hidden("message", p.Message)),
	))
}

// edgeText says how long copies of pages stay at the edge: s-maxage and stale-while-revalidate of threads, and a linked picture's hour
// (worker/request/route.go).
func edgeText(purges bool) locale.Text {
	if purges {
		return "Cached copies of pages are deleted at once."
	}
	return "Cached copies of pages for visitors expire within six minutes, those of linked pictures within an hour. While the site is " +
		"down, they are shown for up to an hour more."
}
