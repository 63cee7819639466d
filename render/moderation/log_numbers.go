package moderation

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// NumbersPage is how much was decided in a month: in a community, or about the site and its members.
type NumbersPage struct {
	ui.Frame
	Nav        ui.ModNav          `json:"-"`          // for moderators
	Community  *ui.Community      `json:"community"`  // The community; null for the site.
	Month      time.Time          `json:"month"`      // The beginning of the month.
	Moderators []ModeratorNumbers `json:"moderators"` // Who has decided how much.
	LogURL     string             `json:"-"`
	// Address of the nearest earlier month in which something was decided; null for none.
	EarlierURL string `json:"earlier" as:"address"`
	LaterURL   string `json:"later" as:"address"` // Address of the nearest later month in which something was decided; null for none.
}

// ModeratorNumbers are those of one moderator.
type ModeratorNumbers struct {
	Name      string       `json:"name"`      // Username; empty for a deleted account and for automatic rules.
	Automatic bool         `json:"automatic"` // Whether automatic rules decided, or whoever runs the site.
	Kinds     []KindNumber `json:"decisions"` // How much of each kind.
}

// KindNumber is how often a moderator has decided one thing.
type KindNumber struct {
	Action string `json:"action"` // What was decided.
	Made   int64  `json:"made"`   // How often.
	Undone int64  `json:"undone"` // How many of these were taken back.
}

// kindLabels name what was decided.
var kindLabels = map[string]string{
	"remove": "removed", "hold": "hidden", "approve": "approved", "lock": "locked", "unlock": "unlocked", "pin": "pinned", "unpin": "unpinned",
	"nsfw": "marked NSFW", "un-nsfw": "marked not NSFW", "spoiler": "marked as spoilers", "un-spoiler": "marked as no spoilers",
	"un-answer": "automatic notes removed", "ban": "banned", "unban": "bans lifted", "mute": "muted", "unmute": "mutes lifted",
	"suspend": "suspended", "ban-site": "banned from the site", "admit": "accounts approved", "refuse": "accounts refused",
	"claim": "accounts claimed", "restore": "restored", "uphold": "upheld",
	"owner": "made owner", "moderator": "made moderators", "approver": "made approvers", "dismiss": "dismissed", "resign": "resigned",
	"settings": "settings changed",
}

// Numbers is the page of a NumbersPage.
func Numbers(p NumbersPage) g.Node {
	return logFrame(p.Frame, p.Nav, p.Community,
		h.H1(g.Text("Decisions in "+p.Month.Format("January 2006"))),
		h.P(h.Class("lead"), g.Text("What each moderator has decided, and how much of it was undone since. Months in UTC. "),
			h.A(h.Href(p.LogURL), g.Text("Moderation log"))),
		g.If(len(p.Moderators) == 0, h.P(h.Class("muted"), g.Text("No decisions in this month."))),
		g.If(len(p.Moderators) > 0, h.Ul(h.Class("decided"), g.Map(p.Moderators, moderatorNumbers))),
		h.Nav(h.Class("row"), h.Aria("label", "Months"),
			g.If(p.EarlierURL != "", h.A(h.Class("button quiet"), h.Rel("prev"), h.Href(p.EarlierURL), g.Text("Earlier"))),
			g.If(p.LaterURL != "", h.A(h.Class("button quiet"), h.Rel("next"), h.Href(p.LaterURL), g.Text("Later")))),
	)
}

func moderatorNumbers(m ModeratorNumbers) g.Node {
	all, undone, says := int64(0), int64(0), ""
	for i, k := range m.Kinds {
		if i > 0 {
			says += " · "
		}
		says += ui.Exact(k.Made) + " " + kindLabels[k.Action]
		if k.Undone > 0 {
			says += " (" + ui.Exact(k.Undone) + " undone)"
		}
		all, undone = all+k.Made, undone+k.Undone
	}
	total := " · " + ui.Exact(all) + " in all"
	if undone > 0 {
		total += ", " + ui.Exact(undone) + " undone"
	}
	return h.Li(
		g.If(m.Name != "", ui.Author(m.Name)), g.If(m.Automatic, g.Text("Without a moderator")),
		g.If(m.Name == "" && !m.Automatic, h.Span(h.Class("gone"), g.Text("[deleted]"))),
		g.Text(total), h.P(h.Class("muted"), g.Text(says)))
}
