package render

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// MemberCardPage is what a community knows of a member, for its moderators.
type MemberCardPage struct {
	Frame
	Community Community
	Name      string
	Avatar    Avatar
	JoinedAt  time.Time // of the account
	Standing  string    // new, known or trusted
	Posts     int64     // that are shown, as are comments
	Comments  int64
	Removals  int64 // of the past half year, as are bans
	Bans      int64
	Decisions []CardDecision // newest first
	BanURL    string         // of the form that bans the member; "" where nobody can be
}

// CardDecision is what was decided about the member.
type CardDecision struct {
	LogLine
	Note string // message to the member
}

// MemberCard is the page of a MemberCardPage.
func MemberCard(p MemberCardPage) g.Node {
	c := p.Community
	fact := func(label string, value g.Node) g.Node { return h.Div(h.Dt(g.Text(label)), h.Dd(value)) }
	return page(p.Frame, "About c/"+c.Name, communitySide(c),
		h.P(h.Class("crumb"), h.A(h.Href(communityURL(c.Name)), icon(c.Name, c.Colour), g.Text(placeName(c.Name)))),
		h.H1(h.A(h.Href(profileURL(p.Name)), g.Text(p.Name))),
		h.P(h.Class("lead"), avatar(p.Name, p.Avatar), g.Text(" What this community knows of them. Only its moderators see this.")),
		h.Div(h.Class("case"), h.Dl(h.Class("facts"),
			fact("Standing", g.Text(capital(p.Standing))),
			fact("Account since", component(func(m *markup) { m.date(p.JoinedAt) })),
			fact("Posts shown", g.Text(exact(p.Posts))),
			fact("Comments shown", g.Text(exact(p.Comments))),
			fact("Removals in the past half year", g.Text(exact(p.Removals))),
			fact("Bans and mutes in the past half year", g.Text(exact(p.Bans)))),
			g.If(p.BanURL != "", h.P(h.A(h.Class("button quiet"), h.Href(p.BanURL), g.Text("Ban…"))))),
		h.H2(g.Text("Last decisions")),
		g.If(len(p.Decisions) == 0, h.P(h.Class("muted"), g.Text("Nothing was decided yet."))),
		g.If(len(p.Decisions) > 0, h.Ul(h.Class("decided"), g.Map(p.Decisions, func(d CardDecision) g.Node {
			return g.Group{logLine(d.LogLine, p.Now), g.If(d.Note != "", h.Li(h.Class("note"), g.Text("“"+d.Note+"”")))}
		}))),
	)
}
