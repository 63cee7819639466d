package community

import (
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/markdown"
	"plaza/render/ui"
)

// WikiListPage is /c/{name}/pages: the pages that the moderators of a community have written.
type WikiListPage struct {
	ui.Frame
	Nav       ui.ModNav    `json:"-"`         // for moderators
	Community ui.Community `json:"community"` // The community.
	Items     []WikiItem   `json:"items"`     // Its pages, by their titles.
	Deleted   []WikiItem   `json:"-"`         // deleted pages that moderators can restore
	WriteURL  string       `json:"-"`         // of the form of a new page; "" at the maximum number, and if the viewer may not write
}

// WikiItem is a line of the list of a community's pages.
type WikiItem struct {
	Title    string    `json:"title"`     // Title.
	URL      string    `json:"permalink"` // Address of the page.
	EditedAt time.Time `json:"edited_at"` // When it was changed last.
	EditedBy string    `json:"edited_by"` // Username of who did that; empty for a deleted account.
}

// WikiPage is /c/{name}/pages/{page}.
type WikiPage struct {
	ui.Frame
	Community ui.Community  `json:"community"` // The community.
	Slug      string        `json:"page"`      // Last part of its address.
	Heading   string        `json:"-"`         // its title; in JSON it is the Frame's
	Text      markdown.HTML `json:"text_html"` // The text, as safe HTML.
	Revision  int64         `json:"revision"`  // Number of this state of the page, from 1.
	EditedAt  time.Time     `json:"edited_at"` // When it was changed last.
	EditedBy  string        `json:"edited_by"` // Username of who did that; empty for a deleted account.
	EditURL   string        `json:"-"`         // "" if the viewer may not edit it
}

// WikiHistoryPage is the history of a community's page.
type WikiHistoryPage struct {
	ui.Frame
	Community ui.Community
	Title     string
	URL       string // of the page; "" of a deleted one
	ListURL   string
	Deleted   bool
	Revisions []WikiRevision
	EraseURL  string // of the form that erases all of it, for administrators
}

// WikiRevision is a line of a history.
type WikiRevision struct {
	Number   int64
	Title    string // "" if the title is the same as in the revision before
	URL      string
	At       time.Time
	By       string // "" of a deleted account
	Restored int64  // the number of the revision that this one restores; 0 is none
	Present  bool   // the current revision
}

// WikiRevisionPage is a revision of a page and what it has changed. Fields: page, number, revision.
type WikiRevisionPage struct {
	ui.Frame
	Community ui.Community
	Title     string // of the page in this revision
	Before    string // the title in the revision before; "" where it is the same
	Slug      string // of the page
	PageURL   string // "" of a deleted page
	LogURL    string // of the history
	It        WikiRevision
	Compared  int64 // the number of the revision before; 0 if that is not kept
	Lines     []WikiLine
	Text      string
	Present   int64   // the number of the current revision
	Restores  bool    // the viewer can restore this revision
	EraseURL  string  // for administrators
	Form      ui.Form // why restoring was refused
}

// WikiLine is a line of a difference.
type WikiLine struct {
	Kind string // same, added, removed, gap or rest
	Text string
}

// EditWikiPage is the form of a page. Fields: page (the slug, "" for a new page), revision, title, text.
type EditWikiPage struct {
	ui.Frame
	Nav       ui.ModNav
	Community ui.Community
	Slug      string // "" for a new page
	BackURL   string
	Now       *WikiNow // nil if no other moderator has changed the page
	Form      ui.Form
}

// WikiNow is the current text of a page that another moderator has changed in the meantime.
type WikiNow struct {
	Title string
	Text  string
}

func wikiCrumb(c ui.Community, address string, label g.Node) g.Node {
	return h.P(h.Class("crumb"), ui.CommunityLink(c),
		g.If(address != "", g.Group{h.Span(g.Text("›")), h.A(h.Href(address), label)}))
}

// wikiBy is who has written something, and when.
func wikiBy(name string, at, now time.Time) g.Node {
	return g.Group{wikiWho(name), ui.Dot, ui.Since(at, now)}
}

func wikiWho(name string) g.Node {
	if name == "" {
		return h.Span(h.Class("gone"), ui.T("[deleted]"))
	}
	return ui.Author(name)
}

// WikiList is the page of a WikiListPage.
func WikiList(p WikiListPage) g.Node {
	c := p.Community
	main := []g.Node{
		h.Div(h.Class("head"), h.H1(ui.T("Pages")),
			g.If(p.WriteURL != "", h.Div(h.Class("do"), h.A(h.Class("button"), h.Href(p.WriteURL), ui.T("New page"))))),
		g.If(len(p.Items) == 0, ui.EmptyState(ui.Nothing("This community has no pages yet.",
			locale.Verbatim("c/"+c.Name), ui.CommunityURL(c.Name)))),
		ui.Rows(p.Items, func(i WikiItem) g.Node { return wikiItem(i, p.Frame) }),
		g.If(len(p.Deleted) > 0, g.Group{h.H2(ui.T("Deleted pages")),
			h.P(h.Class("muted"), ui.T("Only moderators see these. Restore one from its history.")),
			ui.Rows(p.Deleted, func(i WikiItem) g.Node { return wikiItem(i, p.Frame) })}),
	}
	if len(p.Nav.Links) > 0 {
		return ui.ModPage(p.Frame, p.Nav, main...)
	}
	return ui.Page(p.Frame, locale.With("About c/{}", c.Name), ui.CommunitySide(c), append([]g.Node{wikiCrumb(c, "", nil)}, main...)...)
}

func wikiItem(i WikiItem, f ui.Frame) g.Node {
	return ui.Row(h.A(h.Href(i.URL), g.Text(i.Title)), wikiBy(i.EditedBy, i.EditedAt, f.Now), nil)
}

// WikiView is the page of a WikiPage.
func WikiView(p WikiPage) g.Node {
	c := p.Community
	list := ui.CommunityURL(c.Name) + "/pages"
	return ui.Page(p.Frame, locale.With("About c/{}", c.Name), ui.CommunitySide(c),
		wikiCrumb(c, list, ui.T("Pages")),
		h.Article(h.Class("wikipage"),
			h.H1(g.Text(p.Heading)),
			h.H2(h.Class("vh"), ui.T("Text")),
			ui.PageText(p.Text),
			h.P(h.Class("muted"), wikiBy(p.EditedBy, p.EditedAt, p.Now), ui.Dot,
				h.A(h.Href(list+"/"+p.Slug+"/history"), ui.T("History: revision {}", p.Revision))),
			g.If(p.EditURL != "", h.P(h.A(h.Class("button quiet"), h.Href(p.EditURL), ui.T("Edit this page"))))),
	)
}

// WikiHistory is the page of a WikiHistoryPage.
func WikiHistory(p WikiHistoryPage) g.Node {
	c := p.Community
	back, label := p.URL, g.Text(p.Title)
	if p.Deleted {
		back, label = p.ListURL, ui.T("Pages")
	}
	return ui.Page(p.Frame, locale.With("About c/{}", c.Name), ui.CommunitySide(c),
		wikiCrumb(c, back, label),
		h.H1(ui.T("History of “{}”", p.Title)),
		g.If(p.Deleted, h.P(h.Class("notice"), ui.T("This page is deleted. Restoring a revision brings it back."))),
		ui.Rows(p.Revisions, func(v WikiRevision) g.Node {
			return ui.Row(h.A(h.Href(v.URL), ui.T("Revision {}", v.Number), g.If(v.Title != "", g.Text(": "+v.Title))),
				g.Group{wikiBy(v.By, v.At, p.Now), g.If(v.Restored != 0, g.Group{ui.Dot, ui.T("restores revision {}", v.Restored)}),
					g.If(v.Present, g.Group{ui.Dot, h.Strong(ui.T("current revision"))})}, nil)
		}),
		g.If(p.EraseURL != "", h.P(h.A(h.Href(p.EraseURL), ui.T("Erase this page and its history")))))
}

// WikiRevisionView is the page of a WikiRevisionPage.
func WikiRevisionView(p WikiRevisionPage) g.Node {
	c := p.Community
	return ui.Page(p.Frame, locale.With("About c/{}", c.Name), ui.CommunitySide(c),
		wikiCrumb(c, p.LogURL, ui.T("History")),
		h.H1(ui.T("Revision {} of “{}”", p.It.Number, p.Title)),
		ui.FormError(p.Form),
		h.P(h.Class("muted"), wikiBy(p.It.By, p.It.At, p.Now),
			g.If(p.It.Restored != 0, g.Group{ui.Dot, ui.T("restores revision {}", p.It.Restored)}),
			g.If(p.It.Present, g.Group{ui.Dot, h.Strong(ui.T("current revision"))}),
			g.If(p.PageURL != "", g.Group{ui.Dot, h.A(h.Href(p.PageURL), ui.T("The page"))})),
		g.If(p.Restores, h.Form(h.Class("decide"), ui.PostTo(ui.CommunityURL(c.Name)+"/mod/page/restore"), ui.Hidden("page", p.Slug),
			ui.Hidden("number", strconv.FormatInt(p.It.Number, 10)), ui.Hidden("revision", strconv.FormatInt(p.Present, 10)),
			ui.Submit("Restore this revision"))),
		g.If(p.EraseURL != "", h.P(h.A(h.Class("button quiet"), h.Href(p.EraseURL), ui.T("Erase this revision")))),
		g.If(p.Compared != 0, g.Group{h.H2(ui.T("Changes since revision {}", p.Compared)),
			g.If(p.Before != "", h.P(ui.T("The title was “{}”.", p.Before))),
			g.If(len(p.Lines) == 0, h.P(h.Class("muted"), ui.T("The text is the same."))),
			g.If(len(p.Lines) > 0, h.Div(h.Class("diff"), g.Map(p.Lines, wikiLine)))}),
		h.H2(ui.T("Text of this revision")),
		h.Pre(h.Class("typed"), g.Text(p.Text)),
	)
}

// wikiLine is a line of a difference. Screen readers read words instead of its signs.
func wikiLine(l WikiLine) g.Node {
	switch l.Kind {
	case "added":
		return h.P(h.Ins(h.Span(h.Class("vh"), ui.T("Added:"), g.Text(" ")), g.Text(l.Text)))
	case "removed":
		return h.P(h.Del(h.Span(h.Class("vh"), ui.T("Removed:"), g.Text(" ")), g.Text(l.Text)))
	case "gap":
		return h.P(h.Class("gap"), g.Text("…"))
	case "rest":
		return h.P(h.Class("gap"), ui.T("More lines differ, which are not shown here."))
	}
	return h.P(g.Text(l.Text))
}

// EditWiki is the page of an EditWikiPage.
func EditWiki(p EditWikiPage) g.Node {
	f, address := p.Form, ui.CommunityURL(p.Community.Name)+"/mod/page"
	heading, save := locale.Text("New page"), locale.Text("Create the page")
	if p.Slug != "" {
		heading, save = "Edit this page", "Save the page"
	}
	return ui.ModPage(p.Frame, p.Nav,
		h.Form(h.Class("sheet submit"), ui.PostTo(address),
			h.H1(ui.T(heading)),
			g.If(p.Slug == "", h.P(h.Class("lead"), ui.T("Everybody who can read the community can read its pages and "+
				"their history. The address is made from the title, and stays."))),
			ui.FormError(f), ui.Hidden("page", p.Slug), ui.Hidden("revision", f.Values["revision"]),
			ui.FormField(f, ui.Input{Name: "title", Label: "Title", Kind: "text", Attrs: g.Group{h.Required(), h.MaxLength("100"),
				h.AutoComplete("off")}}),
			ui.FormField(f, ui.Input{Name: "text", Label: "Text", Hint: "Markdown. The page has its heading already.", Kind: "textarea",
				Attrs: g.Group{h.Rows("20"), h.Required(), h.MaxLength("20000")}}),
			g.Iff(p.Now != nil, func() g.Node {
				return h.FieldSet(h.Class("field"), h.Legend(ui.T("What the page says now")), h.P(h.Strong(g.Text(p.Now.Title))),
					h.Pre(h.Class("typed"), g.Text(p.Now.Text)))
			}),
			h.Div(h.Class("row"), ui.Submit(save), ui.Cancel(p.BackURL))),
		g.If(p.Slug != "", h.Details(h.Class("later"), h.Summary(ui.T("Delete this page")),
			h.P(h.Class("muted"), ui.T("Moderators can restore it from the list of pages until ten others have been deleted after it.")),
			h.Form(h.Class("decide"), ui.PostTo(address+"/delete"), ui.Hidden("page", p.Slug),
				h.Button(h.Class("button danger"), ui.T("Delete the page"))))),
	)
}
