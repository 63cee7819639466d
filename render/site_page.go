package render

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// SitePage is /about, /rules, /privacy or /terms.
type SitePage struct {
	Frame
	Text    HTML
	Rules   []Rule
	EditURL string // "" for whoever may not write it
}

// Site is a page that administrators write.
func Site(p SitePage) g.Node {
	return page(p.Frame, "", nil, h.Div(h.Class("sheet"),
		h.H1(g.Text(p.Title)),
		g.If(len(p.Rules) > 0, component(func(m *markup) {
			m.lit(`<ol class="rules">`)
			for _, r := range p.Rules {
				m.rule(r)
			}
			m.lit(`</ol>`)
		})),
		component(func(m *markup) { m.formatted(p.Text) }),
		editLink(p.EditURL),
	))
}

func editLink(address string) g.Node {
	return g.If(address != "", h.P(h.A(h.Class("button quiet"), h.Href(address), g.Text("Edit this page"))))
}

// EditSitePage is the form by which administrators write a page. Fields: revision, body.
type EditSitePage struct {
	Frame
	Page string
	Form Form
}

// EditSite is the page of an EditSitePage.
func EditSite(p EditSitePage) g.Node {
	return page(p.Frame, "", nil, h.Form(h.Class("sheet submit"), sentTo("/admin/pages/"+p.Page),
		h.P(h.Class("crumb"), h.A(h.Href("/admin"), g.Text("Administration"))),
		h.H1(g.Text(p.Title)),
		formError(p.Form),
		hidden("revision", p.Form.Values["revision"]),
		field(p.Form, input{name: "body", label: "Text", hint: "Markdown. The page has its heading already.", kind: "textarea", attrs: g.Group{h.Rows("20"), h.Required()}}),
		submit("Save the page"),
	))
}

// ContactPage is /contact. Fields: name and email, which a member has no name to type for, body, token.
type ContactPage struct {
	Frame
	Text    HTML
	EditURL string // "" for whoever may not write the text
	Form    Form
}

// Contact is the form by which anybody writes to the administrators.
func Contact(p ContactPage) g.Node {
	return page(p.Frame, "", nil, h.Form(h.Class("sheet"), sentTo("/contact"), again("contact"),
		h.H1(g.Text(p.Title)),
		component(func(m *markup) { m.formatted(p.Text) }),
		formError(p.Form), formToken(p.Form),
		g.If(p.Viewer == nil, field(p.Form, input{name: "name", label: "Your name (optional)", kind: "text", attrs: g.Group{h.AutoComplete("name")}})),
		field(p.Form, input{name: "email", label: "Email (optional)", hint: "Where you want to be answered. Only administrators see it.", kind: "email", attrs: g.Group{h.AutoComplete("email")}}),
		field(p.Form, input{name: "body", label: "Message", kind: "textarea", attrs: g.Group{h.Rows("8"), h.Required()}}),
		submit("Send"),
		g.If(p.Viewer == nil, writtenScript(nil)),
		editLink(p.EditURL),
	))
}

// MessagesPage is /admin/messages: what was written to the administrators.
type MessagesPage struct {
	Frame
	Tabs     []Tab
	Messages []Message
	FirstURL string // on later pages
	NextURL  string
}

// Message is a message to the administrators.
type Message struct {
	ID       string
	Name     string // "" where the sender gave none
	Member   bool   // Name is a member's
	Email    string
	Body     HTML
	At       time.Time
	Answered bool
}

// Messages is the page of a MessagesPage.
func Messages(p MessagesPage) g.Node {
	return page(p.Frame, "", nil,
		h.H1(g.Text("Contact messages")),
		tabs("Messages", p.Tabs),
		g.If(len(p.Messages) == 0, h.Div(h.Class("empty quiet"), logo(), h.P(g.Text("No message.")))),
		g.If(len(p.Messages) > 0, h.Div(h.Class("cases"), g.Map(p.Messages, func(m Message) g.Node { return message(m, p.Now) }))),
		turning(p.FirstURL, p.NextURL),
	)
}

func message(m Message, now time.Time) g.Node {
	value, label := "answered", "Mark as answered"
	if m.Answered {
		value, label = "open", "Mark as open"
	}
	var from g.Node
	switch {
	case m.Member:
		from = author(m.Name)
	case m.Name == "":
		from = g.Text("A visitor")
	default:
		from = h.Strong(g.Text(m.Name))
	}
	return h.Article(h.Class("case"),
		h.P(h.Class("muted"), from, g.Text(" · "), ago(m.At, now), g.If(m.Email != "", g.Group{g.Text(" · "), h.A(h.Href("mailto:"+m.Email), g.Text(m.Email))})),
		component(func(b *markup) { b.formatted(m.Body) }),
		h.Form(h.Class("decide"), sentTo("/admin/messages"), hidden("id", m.ID), decision("action", value, "button quiet", label, m.Name)),
	)
}
