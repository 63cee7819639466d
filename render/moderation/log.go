package moderation

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// LogPage is what was decided: in a community, or about the site and its members.
type LogPage struct {
	ui.Frame
	Nav        ui.ModNav     `json:"-"`         // for moderators
	Community  *ui.Community `json:"community"` // The community; null for the site.
	Lines      []LogLine     `json:"items"`     // The decisions, newest first.
	NumbersURL string        `json:"-"`
	FirstURL   string        `json:"-"` // on later pages
	NextURL    string        `as:"following"`
}

// LogLine is one decision.
type LogLine struct {
	Action    string `json:"action"`    // What was decided, such as `remove` or `lock`.
	Actor     string `json:"actor"`     // Username of the moderator; empty for a deleted account and for automatic rules.
	Automatic bool   `json:"automatic"` // Whether an automatic rule did it.
	// Whose role or account it is about; empty for other things.
	//
	// It has the role, or was approved.
	Member  string    `json:"member"`
	URL     string    `json:"permalink" as:"text"` // Address of the post or comment; null for other things.
	Comment bool      `json:"comment"`             // Whether it is about a comment.
	Rule    string    `json:"rule"`                // The rule that was cited, or the flair that was given; empty for none.
	Undone  bool      `json:"undone"`              // Whether a later decision has taken it back.
	Until   time.Time `json:"until"`               // When it ends by itself; null for never.
	At      time.Time `json:"created_at"`          // When it was decided.
}

// Log is the page of a LogPage.
func Log(p LogPage) g.Node {
	lead := "What the administrators have decided about members and the site."
	if p.Community != nil {
		lead = "What the moderators have decided, and by which rule. Everybody can read it."
	}
	return logFrame(p.Frame, p.Nav, p.Community,
		h.H1(g.Text("Moderation log")),
		h.P(h.Class("lead"), g.Text(lead+" "), h.A(h.Href(p.NumbersURL), g.Text("Numbers by month"))),
		g.If(len(p.Lines) == 0, h.P(h.Class("muted"), g.Text("No decisions yet."))),
		g.If(len(p.Lines) > 0, h.Ul(h.Class("decided"), g.Map(p.Lines, func(l LogLine) g.Node { return logLine(l, p.Now) }))),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

// logFrame is a page of a log: for moderators one of theirs, for others one of the community.
func logFrame(f ui.Frame, nav ui.ModNav, c *ui.Community, main ...g.Node) g.Node {
	if c == nil || len(nav.Links) > 0 {
		return ui.ModPage(f, nav, main...)
	}
	crumb := h.P(h.Class("crumb"), h.A(h.Href(ui.CommunityURL(c.Name)), ui.Icon(c.Name, c.Colour), g.Text("c/"+c.Name)))
	return ui.Page(f, "About c/"+c.Name, ui.CommunitySide(*c), append([]g.Node{crumb}, main...)...)
}

// logVerbs say what was done. Behind those that end in a space, its object follows.
var logVerbs = map[string]string{
	"remove": "removed ", "hold": "held for the moderators ", "approve": "approved ", "lock": "locked ", "unlock": "unlocked ",
	"pin": "pinned ", "unpin": "unpinned ",
	"nsfw": "gave the NSFW mark to ", "un-nsfw": "took the NSFW mark from ", "spoiler": "gave the spoiler mark to ",
	"flair": "changed the flair of ", "un-spoiler": "took the spoiler mark from ", "un-answer": "removed the automatic note below ",
	"ban": "banned a member", "unban": "ended the ban of a member", "mute": "muted a member", "unmute": "ended the mute of a member",
	"suspend": "suspended a member", "ban-site": "banned a member", "admit": "approved the account ", "refuse": "refused an account",
	"claim": "handed over the account ", "restore": "restored a member",
	"uphold": "reviewed and upheld the decision about ",
	"owner":  "made owner: ", "moderator": "made moderator: ", "approver": "made approver: ", "dismiss": "dismissed as a moderator: ",
	"settings": "changed the settings",
}

// logRule is the rule that a decision cites, or the flair that it gave.
func logRule(l LogLine) string {
	if l.Action == "flair" {
		return " · Flair: " + l.Rule
	}
	return " · Rule: " + l.Rule
}

// ownVerbs say what somebody did about their own role.
var ownVerbs = map[string]string{"owner": "became the owner", "moderator": "became a moderator", "approver": "became an approver",
	"resign": "resigned as a moderator"}

func logLine(l LogLine, now time.Time) g.Node {
	what := "a post"
	if l.Comment {
		what = "a comment"
	}
	if l.Action == "uphold" && l.URL == "" { // of a ban or a suspension
		what = "a member"
	}
	nobody := "An automatic rule"
	if l.Action == "suspend" || l.Action == "restore" { // from the command line
		nobody = "Whoever runs the site"
	}
	verb, member := logVerbs[l.Action], g.Node(nil)
	if own := ownVerbs[l.Action]; own != "" && (l.Member == l.Actor || verb == "") {
		verb = own
	} else if l.Member != "" {
		member = ui.Author(l.Member)
	} else if own != "" || l.Action == "dismiss" || l.Action == "admit" || l.Action == "claim" {
		member = h.Span(h.Class("gone"), g.Text("[deleted]"))
	}
	if l.Action == "owner" && l.Automatic {
		return h.Li(member, g.Text(" became the owner, because the account of the owner before was deleted"),
			h.P(h.Class("muted"), ui.Ago(l.At, now)))
	}
	return h.Li(
		g.If(l.Actor != "", ui.Author(l.Actor)), g.If(l.Automatic, g.Text(nobody)),
		g.If(l.Actor == "" && !l.Automatic, h.Span(h.Class("gone"), g.Text("[deleted]"))),
		g.Text(" "+verb), member, g.If(l.URL != "", h.A(h.Href(l.URL), g.Text(what))),
		g.If(l.URL == "" && member == nil && strings.HasSuffix(verb, " "), g.Text(what)),
		g.If(!l.Until.IsZero(), g.Group{g.Text(" until "), ui.Component(func(m *ui.Markup) { m.Date(l.Until) })}), g.Text(" "),
		ui.Component(func(m *ui.Markup) { m.Mark(l.Undone, "", "undone") }),
		h.P(h.Class("muted"), ui.Ago(l.At, now), g.If(l.Rule != "", g.Text(logRule(l)))),
	)
}
