package moderation

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// LogPage is the moderation log of a community, or of the site and its members.
type LogPage struct {
	ui.Frame
	Nav        ui.ModNav     `json:"-"`         // for moderators
	Community  *ui.Community `json:"community"` // The community; null for the site.
	Lines      []LogLine     `json:"items"`     // The decisions, newest first.
	NumbersURL string        `json:"-"`
	FirstURL   string        `json:"-"` // "" on page one
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
	URL     string    `json:"permalink" as:"text"` // Address of the post, comment or page of a community; null for other things.
	Comment bool      `json:"comment"`             // Whether it is about a comment.
	Page    string    `json:"page"`                // Title of the community's page that it is about; empty for none.
	Rule    string    `json:"rule"`                // The rule that was cited, or the flair that was given; empty for none.
	Undone  bool      `json:"undone"`              // Whether a later decision has taken it back.
	Until   time.Time `json:"until"`               // When it ends by itself; null for never.
	At      time.Time `json:"created_at"`          // When it was decided.
}

// Log is the page of a LogPage.
func Log(p LogPage) g.Node {
	lead := locale.Text("What the administrators have decided about members and the site.")
	rules := ui.Nothing("No decisions yet.", "Rules", "/rules")
	if p.Community != nil {
		lead = "What the moderators have decided, and by which rule. Everybody can read it."
		rules.Next.URL = ui.CommunityURL(p.Community.Name)
	}
	return logFrame(p.Frame, p.Nav, p.Community,
		h.H1(ui.T("Moderation log")),
		h.P(h.Class("lead"), ui.T(lead), g.Text(" "), h.A(h.Href(p.NumbersURL), ui.T("Numbers by month"))),
		g.If(len(p.Lines) == 0, ui.EmptyState(rules)),
		ui.Rows(p.Lines, func(l LogLine) g.Node { return logLine(l, "", p.Now) }),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

// logFrame is a page of a log: for moderators and administrators one of their pages, for others one of the community's or the site's.
func logFrame(f ui.Frame, nav ui.ModNav, c *ui.Community, main ...g.Node) g.Node {
	if c == nil && f.Viewer != nil && f.Viewer.Admin {
		return ui.AdminPage(f, "/log", main...)
	}
	if c == nil || len(nav.Links) > 0 {
		return ui.ModPage(f, nav, main...)
	}
	crumb := h.P(h.Class("crumb"), ui.CommunityLink(*c))
	return ui.Page(f, locale.With("About c/{}", c.Name), ui.CommunitySide(*c), append([]g.Node{crumb}, main...)...)
}

// logTexts say who did what. The second argument is the target; texts without one name the target themselves.
var logTexts = map[string]locale.Text{
	"remove": "{} removed {}", "hold": "{} held for the moderators {}", "approve": "{} approved {}", "lock": "{} locked {}",
	"unlock": "{} unlocked {}", "pin": "{} pinned {}", "unpin": "{} unpinned {}",
	"nsfw": "{} gave the NSFW mark to {}", "un-nsfw": "{} took the NSFW mark from {}", "spoiler": "{} gave the spoiler mark to {}",
	"flair": "{} changed the flair of {}", "member-flair": "{} changed the flair of a member",
	"title": "{} changed the title of {}", "un-spoiler": "{} took the spoiler mark from {}",
	"un-answer": "{} removed the automatic note below {}", "erase": "{} erased {} for good",
	"ban": "{} banned a member", "unban": "{} ended the ban of a member", "mute": "{} muted a member",
	"unmute":  "{} ended the mute of a member",
	"suspend": "{} suspended a member", "ban-site": "{} banned a member¦site", "admit": "{} approved the account {}",
	"refuse": "{} refused an account", "claim": "{} handed over the account {}", "restore": "{} restored a member",
	"uphold": "{} reviewed and upheld the decision about {}",
	"owner":  "{} made owner: {}", "moderator": "{} made moderator: {}", "approver": "{} made approver: {}",
	"dismiss":  "{} dismissed as a moderator: {}",
	"page-new": "{} wrote the page {}", "page-edit": "{} changed the page {}", "page-delete": "{} deleted the page {}",
	"page-restore": "{} restored the page {}", "page-erase": "{} erased words of a page for good",
	"message-erase": "{} erased a message to moderators for good",
	"settings":      "{} changed the settings", "block-picture": "{} blocked a picture", "unblock-picture": "{} unblocked a picture",
}

// logRule is the rule that a decision cites, or the flair that it gave.
func logRule(l LogLine) g.Node {
	if l.Action == "flair" || l.Action == "member-flair" {
		return ui.T("Flair: {}", l.Rule)
	}
	if l.Action == "erase" || l.Action == "page-erase" || l.Action == "message-erase" {
		return ui.T("Reason: {}", kept.Text(l.Rule))
	}
	return ui.T("Rule: {}", kept.Text(l.Rule))
}

// ownTexts say what moderators did about their own role.
var ownTexts = map[string]locale.Text{"owner": "{} became the owner", "moderator": "{} became a moderator",
	"approver": "{} became an approver", "resign": "{} resigned as a moderator"}

// logWho is who has decided.
func logWho(l LogLine) g.Node {
	switch {
	case l.Actor != "" || !l.Automatic:
		return member(l.Actor)
	case l.Action == "suspend" || l.Action == "restore": // from the command line
		return ui.T("Whoever runs the site")
	}
	return ui.T("An automatic rule")
}

// logWhat is what or whom a decision is about.
func logWhat(l LogLine) g.Node {
	switch {
	case l.Member != "" || ownTexts[l.Action] != "" || l.Action == "dismiss" || l.Action == "admit" || l.Action == "claim":
		return member(l.Member)
	}
	if l.Page != "" {
		return h.A(h.Href(l.URL), g.Text(l.Page))
	}
	if strings.HasPrefix(l.Action, "page-") {
		return ui.T("[deleted]")
	}
	what := locale.Text("a post¦object")
	if l.Comment {
		what = "a comment¦object"
	}
	if l.URL != "" {
		return h.A(h.Href(l.URL), ui.T(what))
	}
	if l.Action == "uphold" { // of a ban or a suspension
		what = "a member¦object"
	}
	return ui.T(what)
}

// logLine is a row of a log. note is the message to the member, for moderators; "" for none.
func logLine(l LogLine, note string, now time.Time) g.Node {
	says := logTexts[l.Action]
	if own := ownTexts[l.Action]; own != "" && (l.Member == l.Actor || says == "") {
		says = own
	}
	if l.Action == "owner" && l.Automatic {
		return ui.Row(ui.T("{} became the owner, because the account of the owner before was deleted", member(l.Member)), ui.Ago(l.At, now), nil)
	}
	return ui.Row(g.Group{
		ui.T(says, logWho(l), logWhat(l)),
		g.If(!l.Until.IsZero(), g.Group{g.Text(" "), ui.T("until {}", day(l.Until))}), g.Text(" "),
		ui.Component(func(m *ui.Markup) { m.Mark(l.Undone, "", "undone") }),
		g.If(note != "", h.P(h.Class("note"), ui.T("“{}”", note))),
	}, g.Group{ui.Ago(l.At, now), g.If(l.Rule != "", g.Group{ui.Dot, logRule(l)})}, nil)
}
