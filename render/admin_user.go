package render

import (
	"net/url"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// UsersPage is /admin/users: members by their status, and the form that suspends. Fields: user, rule, days, text, decision.
type UsersPage struct {
	Frame
	Status   string // of those who are listed: active, suspended or banned
	Tabs     []Tab
	Orders   []Tab
	Users    []ListedUser
	Rules    []string // of which one is cited
	Days     []int    // how long a suspension can last
	Form     Form
	FirstURL string // on later pages
	NextURL  string
}

// ListedUser is a member in that list.
type ListedUser struct {
	Name     string
	Avatar   Avatar
	JoinedAt time.Time
	Karma    int64
	Until    time.Time // when a suspension ends; the zero time: by a restore alone
	Rule     string
	Note     string
	By       string // who has decided so; "" for nobody known
}

// Users is the page of a UsersPage.
func Users(p UsersPage) g.Node {
	f := p.Form
	return page(p.Frame, "", nil,
		h.H1(g.Text("Members")),
		h.P(h.Class("lead"), g.Text("Suspended and banned members can't log in or write. They are told why when they log in. A suspension can end by itself.")),
		h.Form(h.Class("sheet"), sentTo("/admin/users"),
			formError(f),
			field(f, input{name: "user", label: "Member", kind: "text", attrs: g.Group{h.Required(), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			citedField(f, "Why?", p.Rules),
			daysField(f, input{name: "days", label: "How long, for a suspension"}, p.Days, "", "Until you restore them"),
			field(f, input{name: "text", label: "Message to the member", hint: "May be empty. Only they and administrators see it.", kind: "textarea", attrs: g.Group{h.Rows("3"), h.MaxLength("1000")}}),
			h.Div(h.Class("row"),
				h.Button(h.Class("button danger"), h.Name("decision"), h.Value("suspend"), g.Text("Suspend")),
				h.Button(h.Class("button quiet"), h.Name("decision"), h.Value("ban-site"), g.Text("Ban for good"))),
		),
		tabs("Which members", p.Tabs),
		tabs("Order", p.Orders),
		g.If(len(p.Users) == 0, h.P(h.Class("muted"), g.Text("Nobody is "+p.Status+"."))),
		g.If(len(p.Users) > 0, h.Ul(h.Class("clist"), g.Map(p.Users, func(u ListedUser) g.Node { return listedUser(u, p) }))),
		turning(p.FirstURL, p.NextURL),
	)
}

func listedUser(u ListedUser, p UsersPage) g.Node {
	return h.Li(
		h.A(h.Href(profileURL(u.Name)), avatar(u.Name, u.Avatar), g.Text(named(u.Name))),
		h.Span(h.Class("muted"), g.Text("joined "), component(func(m *markup) { m.date(u.JoinedAt) }), g.Text(" · "+exact(u.Karma)+" karma"),
			g.If(!u.Until.IsZero(), g.Group{g.Text(" · " + p.Status + " until "), component(func(m *markup) { m.date(u.Until) })}),
			g.If(u.Rule != "", g.Text(" · Rule: "+u.Rule)), g.If(u.Note != "", g.Text(" · “"+u.Note+"”")), g.If(u.By != "", g.Text(" · by "+u.By))),
		g.Iff(p.Status == "active", func() g.Node {
			return h.A(h.Class("button quiet"), h.Href("/admin/users?user="+url.QueryEscape(u.Name)), g.Text("Suspend…"))
		}),
		g.Iff(p.Status != "active", func() g.Node {
			return h.Form(h.Class("decide"), sentTo("/admin/users"), hidden("user", u.Name), decision("decision", "restore", "button quiet", "Restore", named(u.Name)))
		}),
	)
}
