package admin

import (
	"slices"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/markdown"
	"plaza/render/ui"
)

// SitePage is /about, /rules, /privacy or /terms.
type SitePage struct {
	ui.Frame
	Text    markdown.HTML `json:"text_html"` // The text, as safe HTML.
	Rules   []ui.Rule     `json:"rules"`     // Rules of the site, on `/rules.json`.
	EditURL string        `json:"-"`         // "" if the viewer may not edit it
}

// Site is the page of a SitePage.
func Site(p SitePage) g.Node {
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"),
		h.H1(ui.T(p.Title)),
		g.If(len(p.Rules) > 0, h.Ol(h.Class("rules"), ui.Component(func(m *ui.Markup) {
			for _, r := range p.Rules {
				m.Rule(r)
			}
		}))),
		ui.PageText(p.Text),
		editLink(p.EditURL),
	))
}

func editLink(address string) g.Node {
	return g.If(address != "", h.P(h.A(h.Class("button quiet"), h.Href(address), ui.T("Edit this page"))))
}

// EditSitePage is the form of a page of administrators. Fields: revision, body.
type EditSitePage struct {
	ui.Frame
	Page string
	Form ui.Form
}

// sitePages are the pages that administrators write.
var sitePages = []ui.Tab{
	{Label: "About", URL: ui.EditSitePageURL("about")},
	{Label: "Rules", URL: ui.EditSitePageURL("rules")},
	{Label: "Privacy", URL: ui.EditSitePageURL("privacy")},
	{Label: "Terms", URL: ui.EditSitePageURL("terms")},
	{Label: "Contact", URL: ui.EditSitePageURL("contact")},
}

// EditSite is the page of an EditSitePage.
func EditSite(p EditSitePage) g.Node {
	tabs := slices.Clone(sitePages)
	for i := range tabs {
		tabs[i].Active = tabs[i].URL == ui.EditSitePageURL(p.Page)
	}
	return ui.AdminPage(p.Frame, sitePages[0].URL, h.H1(ui.T(p.Title)), ui.Tabs("Pages", tabs),
		h.Form(h.Class("sheet submit"), ui.PostTo(ui.EditSitePageURL(p.Page)),
			ui.FormError(p.Form),
			ui.Hidden("revision", p.Form.Values["revision"]),
			ui.FormField(p.Form, ui.Input{Name: "body", Label: "Text", Hint: "Markdown. The page has its heading already.", Kind: "textarea",
				Attrs: g.Group{h.Rows("20"), h.Required()}}),
			ui.Submit("Save the page"),
		))
}

// ContactPage is /contact. Fields: name, which only visitors type, email, body, token.
type ContactPage struct {
	ui.Frame
	Text    markdown.HTML
	EditURL string // "" if the viewer may not edit the text
	Form    ui.Form
}

// Contact is the page of a ContactPage.
func Contact(p ContactPage) g.Node {
	return ui.Page(p.Frame, "", nil, h.Form(h.Class("sheet"), ui.PostTo("/contact"), ui.Again("contact"),
		h.H1(ui.T(p.Title)),
		ui.PageText(p.Text),
		ui.FormError(p.Form), ui.FormToken(p.Form),
		g.If(p.Viewer == nil, ui.FormField(p.Form, ui.Input{Name: "name", Label: "Your name (optional)", Kind: "text",
			Attrs: g.Group{h.AutoComplete("name")}})),
		ui.FormField(p.Form, ui.Input{Name: "email", Label: "Email (optional)",
			Hint: "For the answer. Only administrators see it.", Kind: "email", Attrs: g.Group{h.AutoComplete("email")}}),
		ui.FormField(p.Form, ui.Input{Name: "body", Label: "Message", Kind: "textarea", Attrs: g.Group{h.Rows("8"), h.Required()}}),
		ui.Submit("Send"),
		g.If(p.Viewer == nil, ui.DraftScript(nil)),
		editLink(p.EditURL),
	))
}

// MessagesPage is /admin/messages: what was written to the administrators.
type MessagesPage struct {
	ui.Frame
	Tabs     []ui.Tab
	Messages []Message
	FirstURL string // "" on page one
	NextURL  string
}

// Message is a message to the administrators.
type Message struct {
	ID       string
	Name     string // "" where the sender gave none
	Member   bool   // Name is a member's
	Email    string
	Body     markdown.HTML
	At       time.Time
	Answered bool
}

// Messages is the page of a MessagesPage.
func Messages(p MessagesPage) g.Node {
	return ui.AdminPage(p.Frame, "/admin/messages",
		h.H1(ui.T("Contact messages")),
		ui.Tabs("Messages", p.Tabs),
		g.If(len(p.Messages) == 0, ui.EmptyState(ui.Nothing("No messages.", "Administration", "/admin"))),
		g.If(len(p.Messages) > 0, h.Div(h.Class("cases"), g.Map(p.Messages, func(m Message) g.Node { return message(m, p.Now) }))),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

func message(m Message, now time.Time) g.Node {
	value, label := "answered", locale.Text("Mark as answered")
	if m.Answered {
		value, label = "open", "Mark as open"
	}
	var from g.Node
	switch {
	case m.Member:
		from = ui.Author(m.Name)
	case m.Name == "":
		from = ui.T("A visitor")
	default:
		from = h.Strong(g.Text(m.Name))
	}
	return h.Article(h.Class("case"),
		h.P(h.Class("muted"), from, ui.Dot, ui.Ago(m.At, now),
			g.If(m.Email != "", g.Group{ui.Dot, h.A(h.Href("mailto:"+m.Email), g.Text(m.Email))})),
		ui.PageText(m.Body),
		h.Form(h.Class("decide"), ui.PostTo("/admin/messages"), ui.Hidden("id", m.ID), ui.Decision("action", value, "button quiet", label,
			locale.Verbatim(m.Name))),
	)
}
