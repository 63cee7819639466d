package admin

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// bodyShown is how many characters of a message are shown. The site's own messages are shorter.
const bodyShown = 500

// DeadLettersPage is /admin/dead-letters: messages that no consumer could handle.
type DeadLettersPage struct {
	ui.Frame
	DeadLetters []DeadLetter
	FirstURL    string // "" on page one
	NextURL     string
}

// DeadLetter is one of these messages.
type DeadLetter struct {
	ID         string
	Queue      string
	MessageID  string
	Body       string
	FailedAt   time.Time // the first time
	LastAt     time.Time // the last time; FailedAt if it was the only one
	ReplayedAt time.Time // after LastAt; zero if it was not
}

// DeadLetters lists messages that failed, for administrators.
func DeadLetters(p DeadLettersPage) g.Node {
	var all g.Node
	if len(p.DeadLetters) > 1 && p.FirstURL == "" {
		all = allDeadLetters(p.DeadLetters[0].ID)
	}
	return ui.AdminPage(p.Frame, "/admin/dead-letters",
		h.H1(ui.T("Dead letters")),
		h.P(h.Class("lead"), ui.T("Messages that kept failing. “Replay” sends one to its queue again, which is always safe; if it fails "+
			"again, it comes back here. A message is deleted 30 days after it last failed.")),
		all,
		g.If(len(p.DeadLetters) == 0, ui.EmptyState(ui.Nothing("No message has failed.", "Health", "/admin/health"))),
		g.If(len(p.DeadLetters) > 0, h.Div(h.Class("cases"), g.Map(p.DeadLetters, func(l DeadLetter) g.Node { return deadLetter(l, p.Now) }))),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

// allDeadLetters replays or deletes all dead letters up to newest, the newest of the page: it leaves out those that came later.
func allDeadLetters(newest string) g.Node {
	return h.Details(h.Class("later"), h.Summary(ui.T("All of them")),
		h.P(h.Class("muted"), ui.T("The oldest first: replays 100 at a time, without those replayed already, or deletes 1,000 at a time.")),
		h.Form(h.Class("decide"), h.Method("post"), h.Action("/admin/dead-letters"), ui.Hidden("id", newest),
			h.Button(h.Class("button"), h.Name("action"), h.Value("replay-all"), ui.T("Replay all")),
			h.Button(h.Class("button quiet"), h.Name("action"), h.Value("delete-all"), ui.T("Delete all"))),
	)
}

func deadLetter(l DeadLetter, now time.Time) g.Node {
	body := []rune(l.Body)
	if len(body) > bodyShown {
		body = append(body[:bodyShown], '…')
	}
	return h.Article(h.Class("case"),
		h.H2(ui.T("To {}", ui.DisplayName(l.Queue))),
		h.Pre(h.Code(g.Text(string(body)))),
		h.P(h.Class("muted"), ui.T("failed {}", ui.Since(l.FailedAt, now)),
			g.If(l.LastAt.After(l.FailedAt), g.Group{ui.Dot, ui.T("again {}", ui.Since(l.LastAt, now))}),
			g.If(!l.ReplayedAt.IsZero(), g.Group{ui.Dot, ui.T("replayed {}", ui.Since(l.ReplayedAt, now))}),
			ui.Dot, ui.T("message {}", l.MessageID)),
		h.Form(h.Class("decide"), h.Method("post"), h.Action("/admin/dead-letters"), ui.Hidden("id", l.ID),
			ui.Decision("action", "replay", "button", "Replay", locale.With("message {}", l.MessageID)),
			ui.Decision("action", "delete", "button quiet", "Delete", locale.With("message {}", l.MessageID), ui.WithUndo("Message deleted"))),
	)
}
