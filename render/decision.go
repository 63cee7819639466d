package render

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// DecisionPage is what was decided about something of the viewer's.
type DecisionPage struct {
	Frame
	Heading   string
	Community Community // name and colour; of a decision of the site's none
	Title     string    // of the post
	URL       string    // of the post or comment; "" for a decision about the member
	Rule      string    // "" for none
	Note      string    // of the moderators to the viewer
	Until     time.Time // when it ends; zero for never
	At        time.Time
	Undone    bool
	WriteURL  string // of the form that writes to the moderators about it; "" for a moderator
}

// Decision is the page of a DecisionPage.
func Decision(p DecisionPage) g.Node {
	return page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(g.Text(p.Heading)),
		g.If(p.URL != "", placeOf(p.Community, p.URL, p.Title)),
		h.P(h.Class("muted"), ago(p.At, p.Now), g.If(!p.Until.IsZero(), g.Group{g.Text(" · until "), component(func(m *markup) { m.date(p.Until) })})),
		g.If(p.Undone, h.P(h.Role("status"), g.Text("This was taken back later."))),
		g.If(p.Rule != "", h.P(g.Text("Rule: "+p.Rule))),
		component(func(m *markup) { m.note(p.Note) }),
		g.If(p.WriteURL != "" && !p.Undone, h.P(h.A(h.Href(p.WriteURL), g.Text("Write to "+lowerFirst(moderatorsOf(p.Community.Name))+" about it")))),
		h.P(h.A(h.Class("button quiet"), h.Href("/inbox/moderation"), g.Text("All decisions"))),
	))
}
