package moderation

import (
	"net/url"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// MemberCardPage is what a community knows of a member, for its moderators. Fields: user, name, do (remove, with note), text.
type MemberCardPage struct {
	ui.Frame
	Nav        ui.ModNav
	ID         string
	Name       string
	Avatar     ui.Avatar
	JoinedAt   time.Time // of the account
	Reputation string    // new, known or trusted
	Posts      int64     // only those that are shown
	Comments   int64     // only those that are shown
	Removals   int64     // of the past year, as are mutes and bans
	Mutes      int64
	Bans       int64
	Notes      []CardNote     // newest first
	Written    []CardWritten  // newest first
	Decisions  []CardDecision // newest first
	BanURL     string         // of the form that bans the member; "" if they can't be banned
	Ban        *BanLine       // their ban or mute; nil for none, and for approvers
	BansURL    string         // where it is changed
	Flair      ui.MemberFlair // in the community
	FlairURL   string         // of the form that changes it
	WriteURL   string         // of the form that writes to them; "" if no message can be sent
	Action     string         // where notes are sent; "" for the viewer's own card, which has none
	Form       ui.Form
}

// CardDecision is a decision about the member.
type CardDecision struct {
	LogLine
	Note string // message to the member
}

// CardNote is what a moderator has noted for the others.
type CardNote struct {
	ID        string
	Author    string // "" for a former moderator
	Text      string
	At        time.Time
	CanRemove bool
}

// CardWritten is a post or comment of the member.
type CardWritten struct {
	URL     string
	Title   string // of the post
	Comment bool
	Said    string // the beginning of a comment
	At      time.Time
}

// MemberCard is the page of a MemberCardPage.
func MemberCard(p MemberCardPage) g.Node {
	fact := func(label locale.Text, value g.Node) g.Node { return h.Div(h.Dt(ui.T(label)), h.Dd(value)) }
	return ui.ModPage(p.Frame, p.Nav,
		h.H1(h.A(h.Href(ui.ProfileURL(p.Name)), g.Text(p.Name))),
		h.P(h.Class("lead"), ui.AvatarImage(p.Name, p.Avatar), g.Text(" "), ui.T("Only moderators of this community see this.")),
		h.Div(h.Class("case"), h.Dl(h.Class("facts"),
			fact("Standing", ui.T(levelLabels[p.Reputation])),
			fact("Account since", ui.Component(func(m *ui.Markup) { m.Date(p.JoinedAt) })),
			fact("Posts shown", ui.Exact(p.Posts)),
			fact("Comments shown", ui.Exact(p.Comments)),
			fact("Strikes in the past year", p.strikes()),
			fact("Flair", g.Group{ui.Component(func(m *ui.Markup) { m.MemberFlair(&p.Flair) }), g.If(p.Flair.Text != "", g.Text(" ")),
				h.A(h.Href(p.FlairURL), ui.T("Change flair"))})),
			g.If(p.BanURL != "", h.P(h.Class("decide"), h.A(h.Class("button quiet"), h.Href(p.WriteURL), ui.T("Write to them")),
				h.A(h.Class("button quiet"), h.Href(p.BanURL), ui.T("Ban…"))))),
		g.Iff(p.Ban != nil, func() g.Node {
			return banForms(p.Ban, p.BansURL, cardURL(p))
		}),
		g.If(p.Action != "", cardNotes(p)),
		h.H2(ui.T("Last decisions")),
		g.If(len(p.Decisions) == 0, h.P(h.Class("muted"), ui.T("No decisions yet."))),
		ui.Rows(p.Decisions, func(d CardDecision) g.Node { return logLine(d.LogLine, d.Note, p.Now) }),
		h.H2(ui.T("Last posts and comments here")),
		g.If(len(p.Written) == 0, h.P(h.Class("muted"), ui.T("None of their latest posts and comments are in this community."))),
		ui.Rows(p.Written, func(w CardWritten) g.Node { return cardWritten(w, p.Now) }),
	)
}

// cardURL is the card's own address.
func cardURL(p MemberCardPage) string {
	return ui.CommunityURL(p.Nav.Community.Name) + "/mod/member?user=" + p.ID + "&name=" + url.QueryEscape(p.Name)
}

// levelLabels are the labels of the levels of reputation.
var levelLabels = map[string]locale.Text{"new": "New¦standing", "known": "Known", "trusted": "Trusted"}

// strikes says how many removals, mutes and bans the member has.
func (p *MemberCardPage) strikes() g.Node {
	total := p.Removals + p.Mutes + p.Bans
	if total == 0 {
		return ui.T("None¦strikes")
	}
	return ui.Component(func(m *ui.Markup) {
		m.Node(ui.Exact(total)).Lit(` (`)
		first := true
		for _, k := range []struct {
			n    int64
			says locale.Text
		}{{p.Removals, "{} removal|{} removals"}, {p.Mutes, "{} mute|{} mutes"}, {p.Bans, "{} ban|{} bans"}} {
			if k.n != 0 {
				m.When(!first, `, `).Count(k.n, k.says)
				first = false
			}
		}
		m.Lit(`)`)
	})
}

// about are the fields that name the member.
func (p *MemberCardPage) about() g.Node {
	return g.Group{ui.Hidden("user", p.ID), ui.Hidden("name", p.Name)}
}

func cardNotes(p MemberCardPage) g.Node {
	return g.Group{
		h.H2(ui.T("Notes")),
		h.Div(h.Class("cases"), g.Map(p.Notes, func(n CardNote) g.Node {
			who := ui.Author(n.Author)
			if n.Author == "" {
				who = ui.T("a former moderator")
			}
			return h.Article(h.Class("case"), h.ID("n-"+n.ID), h.P(h.Class("quoted"), g.Text(n.Text)), h.P(h.Class("muted"), who, ui.Dot,
				ui.Ago(n.At, p.Now)),
				g.If(n.CanRemove, h.Form(h.Class("decide"), ui.PostTo(p.Action), p.about(), ui.Hidden("note", n.ID),
					ui.Decision("do", "remove", "button quiet", "Remove", "this note", ui.WithUndo("Note removed")))))
		}),
			h.Form(h.Class("case"), ui.PostTo(p.Action), p.about(), ui.FormError(p.Form),
				ui.FormField(p.Form, ui.Input{Name: "text", Label: "A note for the other moderators", Hint: "The member can't see it.",
					Kind: "textarea", Attrs: g.Group{h.Required(), h.Rows("2"), h.MaxLength("1000")}}),
				h.Div(h.Class("decide"), ui.Submit("Add note")))),
	}
}

func cardWritten(w CardWritten, now time.Time) g.Node {
	what := h.A(h.Href(w.URL), ui.DisplayName(w.Title))
	return ui.Row(g.Group{g.If(w.Comment, ui.T("A comment on {}", what)), g.If(!w.Comment, what),
		g.If(w.Said != "", g.Group{g.Text(" "), ui.T("“{}”", w.Said)})}, ui.Ago(w.At, now), nil)
}
