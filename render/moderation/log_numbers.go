package moderation

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// NumbersPage counts the decisions of a month: in a community, or about the site and its members.
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

// ModeratorNumbers are the numbers of one moderator.
type ModeratorNumbers struct {
	Name      string       `json:"name"`      // Username; empty for a deleted account and for automatic rules.
	Automatic bool         `json:"automatic"` // Whether automatic rules decided, or whoever runs the site.
	Kinds     []KindNumber `json:"decisions"` // How much of each kind.
}

// KindNumber is how often a moderator has decided one thing.
type KindNumber struct {
	Action  string `json:"action"` // What was decided.
	Entries int64  `json:"made"`   // How often.
	Undone  int64  `json:"undone"` // How many of these were taken back.
}

// kindLabels say how often something was decided.
var kindLabels = map[string]locale.Text{
	"remove": "{} removed", "hold": "{} hidden", "approve": "{} approved", "lock": "{} locked", "unlock": "{} unlocked",
	"pin": "{} pinned", "unpin": "{} unpinned", "nsfw": "{} marked NSFW", "un-nsfw": "{} marked not NSFW",
	"spoiler": "{} marked as a spoiler|{} marked as spoilers", "un-spoiler": "{} marked as no spoiler|{} marked as no spoilers",
	"un-answer": "{} automatic note removed|{} automatic notes removed", "ban": "{} banned", "unban": "{} ban lifted|{} bans lifted",
	"mute": "{} muted", "unmute": "{} mute lifted|{} mutes lifted", "suspend": "{} suspended", "ban-site": "{} banned from the site",
	"admit": "{} account approved|{} accounts approved", "refuse": "{} account refused|{} accounts refused",
	"claim": "{} account claimed|{} accounts claimed", "restore": "{} restored", "uphold": "{} upheld",
	"owner": "{} made owner|{} made owners", "moderator": "{} made a moderator|{} made moderators",
	"approver": "{} made an approver|{} made approvers", "dismiss": "{} dismissed", "resign": "{} resigned",
	"settings": "{} change of settings|{} changes of settings", "flair": "{} flair changed|{} flairs changed",
	"title": "{} title changed|{} titles changed", "block-picture": "{} picture blocked|{} pictures blocked",
	"page-new": "{} page written|{} pages written", "page-edit": "{} change of a page|{} changes of pages",
	"page-delete": "{} page deleted|{} pages deleted", "page-restore": "{} page restored|{} pages restored",
	"page-erase": "{} erasure in a page|{} erasures in pages", "message-erase": "{} message erased|{} messages erased",
	"unblock-picture": "{} picture unblocked|{} pictures unblocked",
	"member-flair":    "{} flair of a member changed|{} flairs of members changed",
}

// months are the names of months.
var months = [12]locale.Text{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
	"December"}

// Numbers is the page of a NumbersPage.
func Numbers(p NumbersPage) g.Node {
	return logFrame(p.Frame, p.Nav, p.Community,
		h.H1(ui.T("Decisions in {} {}", months[p.Month.Month()-1], p.Month.Format("2006"))),
		h.P(h.Class("lead"), ui.T("What each moderator has decided, and how much of it was undone since. Months in UTC."), g.Text(" "),
			h.A(h.Href(p.LogURL), ui.T("Moderation log"))),
		g.If(len(p.Moderators) == 0, h.P(h.Class("muted"), ui.T("No decisions in this month."))),
		ui.Rows(p.Moderators, moderatorNumbers),
		h.Nav(h.Class("row"), ui.Attr("aria-label", "Months"),
			g.If(p.EarlierURL != "", h.A(h.Class("button quiet"), h.Rel("prev"), h.Href(p.EarlierURL), ui.T("Earlier"))),
			g.If(p.LaterURL != "", h.A(h.Class("button quiet"), h.Rel("next"), h.Href(p.LaterURL), ui.T("Later")))),
	)
}

func moderatorNumbers(n ModeratorNumbers) g.Node {
	all, undone := int64(0), int64(0)
	for _, k := range n.Kinds {
		all, undone = all+k.Entries, undone+k.Undone
	}
	total := ui.T("{} in all", all)
	if undone > 0 {
		total = ui.T("{} in all, {} undone", all, undone)
	}
	who := ui.T("Without a moderator")
	if n.Name != "" || !n.Automatic {
		who = member(n.Name)
	}
	return ui.Row(g.Group{who, ui.Dot, total}, ui.Component(func(m *ui.Markup) {
		for i, k := range n.Kinds {
			if i > 0 {
				m.Dot()
			}
			m.Say(kindLabels[k.Action], k.Entries)
			if k.Undone > 0 {
				m.Text(" (").Say("{} undone", k.Undone).Text(")")
			}
		}
	}), nil)
}
