package moderation

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// BansPage is who is banned or muted in a community, and a form that bans or mutes. Fields: user, rule, days, clear, text, decision; to
// lift several, member (several) and decision; of the button of one line, one (lift and the member).
type BansPage struct {
	ui.Frame
	Community  ui.Community
	Nav        ui.ModNav
	Lines      []BanLine
	Named      *BanLine // the ban of the member whose name is in the form; nil if there is none
	Rules      []string // of which one is cited
	Days       []int    // how long it can last
	ClearDays  []int    // how far back what they wrote can be removed with it
	Form       ui.Form
	FirstURL   string // on later pages
	NextURL    string
	Several    bool   // the list has those of one decision only
	AuthorsURL string // where several are banned at once
}

// BanLine is a member who is banned or muted.
type BanLine struct {
	ID     string
	Ticked bool
	Name   string
	Mute   bool      // may read and vote, but not write
	Until  time.Time // the zero time: permanently
	Rule   string
	Note   string
	By     string // "" for an account that is deleted
	At     time.Time
	// CardURL is of what the community knows of the member.
	CardURL string
}

// Bans is the page of a BansPage.
func Bans(p BansPage) g.Node {
	return ui.ModPage(p.Frame, p.Nav,
		h.H1(g.Text("Bans")),
		g.Iff(!p.Several, func() g.Node { return banForm(p) }),
		g.If(p.Several, queueError(p.Form)),
		g.If(!p.Several, h.P(h.A(h.Href(p.AuthorsURL), g.Text("Ban several authors in the queue")))),
		g.If(len(p.Lines) == 0, h.P(h.Class("muted"), g.Text("Nobody is banned or muted."))),
		g.Iff(len(p.Lines) > 0, func() g.Node { return banLines(p) }),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

func bansURL(community string) string { return ui.CommunityURL(community) + "/mod/bans" }

func banForm(p BansPage) g.Node {
	f := p.Form
	return h.Details(h.Class("sheet-of"), g.If(f.Values["user"] != "" || len(f.Errors) > 0, g.Attr("open")),
		h.Summary(h.Class("button"), g.Text("Ban a member")),
		h.Form(h.Class("sheet"), ui.PostTo(bansURL(p.Community.Name)),
			h.P(h.Class("hint"), g.Text("Banned members can only read in this community. Muted members can also vote and report. Members who have "+
				"written here or joined are notified. All see why, and how long, when they try to write.")),
			ui.FormError(f),
			ui.FormField(f, ui.Input{Name: "user", Label: "Member", Kind: "text", Attrs: g.Group{h.Required(), h.AutoComplete("off"),
				g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			g.Iff(p.Named != nil, func() g.Node {
				return h.P(h.Class("notice"), g.Text(ui.DisplayName(p.Named.Name)+" is "+p.Named.state()+". What you decide now replaces that."))
			}),
			ui.CitedField(f, "Which rule have they broken?", p.Rules),
			ui.DaysField(f, ui.Input{Name: "days", Label: "How long"}, p.Days, "", "Permanently"),
			ui.DaysField(f, ui.Input{Name: "clear", Label: "Also remove what they wrote here",
				Hint: "Posts and comments, by the same rule. They don't come back when the ban ends."}, p.ClearDays, "the last ", "Nothing"),
			ui.FormField(f, ui.Input{Name: "text", Label: "Message to the member", Hint: "Optional. Only they and the moderators see it.",
				Kind: "textarea", Attrs: g.Group{h.Rows("3"), h.MaxLength("1000")}}),
			h.Div(h.Class("row"),
				h.Button(h.Class("button danger"), h.Name("decision"), h.Value("ban"), g.Text("Ban")),
				h.Button(h.Class("button quiet"), h.Name("decision"), h.Value("mute"), g.Text("Mute"))),
		))
}

// kind names what the line is about.
func (l *BanLine) kind() string {
	if l.Mute {
		return "the mute"
	}
	return "the ban"
}

// state says what a member is, and how long.
func (l *BanLine) state() string {
	what := "banned"
	if l.Mute {
		what = "muted"
	}
	if l.Until.IsZero() {
		return what + " permanently"
	}
	return what + " until " + l.Until.UTC().Format("2 January 2006, 15:04") + " UTC"
}

func banLines(p BansPage) g.Node {
	return h.Form(h.Class("queue"), ui.PostTo(bansURL(p.Community.Name)), noDefault(),
		h.Div(h.Class("cases"), h.Role("group"), h.Aria("label", "Bans and mutes"),
			g.Map(p.Lines, func(l BanLine) g.Node { return banLine(l, p) })),
		h.Div(h.Class("decide"), h.Button(h.Class("button"), h.Name("decision"), h.Value("lift"), g.Text("Lift selected bans and mutes"))),
	)
}

func banLine(l BanLine, p BansPage) g.Node {
	return h.Article(h.Class("case"),
		h.H2(h.Input(h.Type("checkbox"), h.Name("member"), h.Value(l.ID), h.Aria("label", "Select "+l.Name), g.If(l.Ticked, h.Checked())),
			g.Text(" "), h.A(h.Href(ui.ProfileURL(l.Name)), g.Text(ui.DisplayName(l.Name)))),
		h.P(h.Strong(g.Text(l.state())), g.If(l.Rule != "", g.Text(" · Rule: "+l.Rule))),
		g.If(l.Note != "", h.P(h.Class("note"), g.Text("The moderators to the member: "+l.Note))),
		h.P(h.Class("muted"), g.Text("by "), g.If(l.By != "", ui.Author(l.By)), g.If(l.By == "", h.Span(h.Class("gone"), g.Text("[deleted]"))),
			g.Text(" · "), ui.Ago(l.At, p.Now)),
		h.Div(h.Class("decide"),
			ui.Decision("one", "lift "+l.ID, "button quiet", "Lift", l.kind()+" of "+ui.DisplayName(l.Name)),
			h.A(h.Class("button quiet"), h.Href(l.CardURL), g.Text("About the member"))),
	)
}
