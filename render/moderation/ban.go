package moderation

import (
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// BansPage lists who is banned or muted in a community, with a form that bans or mutes. Fields: user, rule, days, clear, text, decision; to
// lift several, member (several) and decision; for one line, one (lift and the member's id, or shorten, a number of days and the member's
// name).
type BansPage struct {
	ui.Frame
	Community  ui.Community
	Nav        ui.ModNav
	Lines      []BanLine
	Named      *BanLine // the ban of the member whose name is in the form; nil if there is none
	Rules      []string // of which one is cited
	Days       []int    // how long it can last
	ClearDays  []int    // how many days back their posts and comments can be removed, too
	Form       ui.Form
	FirstURL   string // "" on page one
	NextURL    string
	Several    bool   // the list has the bans of one decision only
	AuthorsURL string // of the page that bans several members at once
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
	// CardURL is the address of the member's card.
	CardURL string
	Shorter []int // choices for an earlier end, in days from now
}

// Bans is the page of a BansPage.
func Bans(p BansPage) g.Node {
	return ui.ModPage(p.Frame, p.Nav,
		h.H1(ui.T("Bans")),
		g.Iff(!p.Several, func() g.Node { return banForm(p) }),
		g.If(p.Several, queueError(p.Form)),
		g.If(!p.Several, h.P(h.A(h.Href(p.AuthorsURL), ui.T("Ban several authors in the queue")))),
		g.If(len(p.Lines) == 0, h.P(h.Class("muted"), ui.T("Nobody is banned or muted."))),
		g.Iff(len(p.Lines) > 0, func() g.Node { return banLines(p) }),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

func bansURL(community string) string { return ui.CommunityURL(community) + "/mod/bans" }

func banForm(p BansPage) g.Node {
	f := p.Form
	return h.Details(h.Class("sheet-of"), g.If(f.Values["user"] != "" || len(f.Errors) > 0, g.Attr("open")),
		h.Summary(h.Class("button"), ui.T("Ban a member")),
		h.Form(h.Class("sheet form-rows"), ui.PostTo(bansURL(p.Community.Name)),
			h.P(h.Class("hint"), ui.T("Banned members can only read in this community. Muted members can also vote and report. Members who have "+
				"written here or joined are notified. All see why, and how long, when they try to write.")),
			ui.FormError(f),
			ui.FormField(f, ui.Input{Name: "user", Label: "Member", Kind: "text", Attrs: g.Group{h.Required(), h.AutoComplete("off"),
				g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			g.Iff(p.Named != nil, func() g.Node {
				return h.P(h.Class("notice"), ui.T("{} is {}. What you decide now replaces that.", ui.DisplayName(p.Named.Name), p.Named.state()))
			}),
			banFields(f, p.Rules, p.Days, p.ClearDays, "Message to the member"),
			h.Div(h.Class("row"),
				h.Button(h.Class("button danger"), h.Name("decision"), h.Value("ban"), ui.T("Ban¦verb")),
				h.Button(h.Class("button quiet"), h.Name("decision"), h.Value("mute"), ui.T("Mute¦verb"))),
		))
}

// banFields say why and how long members are banned. message is the label of the text that they get.
func banFields(f ui.Form, rules []string, days, clearDays []int, message locale.Text) g.Node {
	return g.Group{
		ui.CitedField(f, "Which rule have they broken?", rules),
		ui.DaysField(f, ui.Input{Name: "days", Label: "How long"}, days, "{} day|{} days", "Permanently"),
		ui.DaysField(f, ui.Input{Name: "clear", Label: "Also remove what they wrote here",
			Hint: "Posts and comments, by the same rule. They don't come back when the ban ends."}, clearDays,
			"the last day|the last {} days", "Nothing"),
		ui.FormField(f, ui.Input{Name: "text", Label: message, Hint: "Optional. Only they and the moderators see it.",
			Kind: "textarea", Attrs: g.Group{h.Rows("3"), h.MaxLength("1000")}}),
	}
}

// about names the ban or mute.
func (l *BanLine) about() locale.Text {
	if l.Mute {
		return locale.With("the mute of {}", called(l.Name))
	}
	return locale.With("the ban of {}", called(l.Name))
}

// lift is the button that lifts the ban or mute. class is its class.
func (l *BanLine) lift(class string) g.Node {
	done := locale.Text("Ban lifted")
	if l.Mute {
		done = "Mute lifted"
	}
	return ui.Decision("one", "lift "+l.ID, class, "Lift", l.about(), ui.WithUndo(done))
}

// state says that a member is banned or muted, and until when.
func (l *BanLine) state() locale.Text {
	forever, until := locale.Text("banned permanently"), locale.Text("banned until {}, {} UTC")
	if l.Mute {
		forever, until = "muted permanently", "muted until {}, {} UTC"
	}
	if l.Until.IsZero() {
		return forever
	}
	end := l.Until.UTC()
	return locale.With(until, locale.Day(end), end.Format("15:04"))
}

// called is a name or title as an argument of a text, or its replacement.
func called(s string) locale.Text {
	if strings.TrimSpace(s) == "" {
		return "[untitled]"
	}
	return locale.Verbatim(s)
}

// deleted replaces the name of a member whose account is deleted.
func deleted() g.Node { return h.Span(h.Class("gone"), ui.T("[deleted]")) }

// member links to a member.
func member(name string) g.Node {
	if name == "" {
		return deleted()
	}
	return ui.Author(name)
}

func banLines(p BansPage) g.Node {
	return g.Group{queueScript(), h.Form(h.Class("queue beside"), ui.PostTo(bansURL(p.Community.Name)), noDefault(),
		h.Div(h.Role("group"), ui.Attr("aria-label", "Bans and mutes"), ui.Rows(p.Lines, func(l BanLine) g.Node { return banLine(l, p) })),
		h.Div(h.Class("decide"), h.Button(h.Class("button"), h.Name("decision"), h.Value("lift"), ui.WithUndo("Bans and mutes lifted"),
			ui.T("Lift selected bans and mutes"))),
	)}
}

func banLine(l BanLine, p BansPage) g.Node {
	return ui.Row(selectable(l.ID, l.Name, ui.ProfileURL(l.Name), l.Ticked), g.Group{
		h.Strong(ui.T(l.state())), g.If(l.Rule != "", g.Group{ui.Dot, ui.T("Rule: {}", kept.Text(l.Rule))}), ui.Dot, ui.T("by {}", member(l.By)),
		ui.Dot, ui.Ago(l.At, p.Now),
		g.If(l.Note != "", h.P(h.Class("note"), ui.T("The moderators to the member: {}", l.Note))),
	}, g.Group{l.lift("plain"), shortenPick(l, "plain"), h.A(h.Class("plain"), h.Href(l.CardURL), ui.T("About the member"))})
}

// selectable is a member in a form about several, with a link.
func selectable(id, name, url string, ticked bool) g.Node {
	return g.Group{h.Input(h.Type("checkbox"), h.Name("member"), h.Value(id), ui.Attr("aria-label", "Select {}", name),
		g.If(ticked, h.Checked())), g.Text(" "), h.A(h.Href(url), ui.DisplayName(name))}
}

// shortenPick offers numbers of days in which a ban can end. A click on one shortens the ban.
func shortenPick(l BanLine, class string) g.Node {
	if len(l.Shorter) == 0 {
		return nil
	}
	return pick("Shorten", class,
		h.P(h.Class("hint"), ui.T("It ends in:")),
		h.Ol(g.Map(l.Shorter, func(days int) g.Node {
			return h.Li(h.Button(h.Name("one"), h.Value("shorten "+strconv.Itoa(days)+" "+l.Name), ui.T("{} day|{} days", days)))
		})))
}

// banForms show that a member is banned or muted, with forms that lift or shorten it. back is the address to which they return.
func banForms(l *BanLine, action, back string) g.Node {
	return h.Form(h.Class("case beside"), ui.PostTo(action), ui.Hidden("return", back),
		h.P(h.Strong(ui.T(l.state())), g.If(l.Rule != "", g.Group{ui.Dot, ui.T("Rule: {}", kept.Text(l.Rule))})),
		g.If(l.Note != "", h.P(h.Class("note"), ui.T("The moderators to the member: {}", l.Note))),
		h.Div(h.Class("decide"), l.lift("button quiet"), shortenPick(*l, "button quiet")))
}
