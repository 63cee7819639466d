package moderation

import (
	"math"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// QuarantinePage is /c/{name}/mod/quarantine: votes that were taken out of the score, for a moderator to decide.
type QuarantinePage struct {
	ui.Frame
	Nav       ui.ModNav
	Community ui.Community
	Open      []QuarantineCase
	MoreOpen  bool             // there are more
	Decided   []QuarantineCase // newest first
	FirstURL  string           // "" on page one
	NextURL   string           // of decided cases
}

// OpenCasesPage is /admin/quarantine: the open cases of all communities.
type OpenCasesPage struct {
	ui.Frame
	Open            []QuarantineCase // newest first, each with its community
	Communities     []CommunityCases // those with most open cases first
	MoreCommunities bool             // there are more
	FirstURL        string           // "" on page one
	NextURL         string
}

// CommunityCases is how many cases of a community are open.
type CommunityCases struct {
	Name  string
	Cases int64
}

// QuarantineCase is a burst of votes in one direction on one target.
type QuarantineCase struct {
	ID            string
	Community     string // on lists of several communities; else ""
	URL           string // of the target
	Title         string // of the post
	Author        string // of the target; "" when unknown
	Comment       bool   // the target is a comment under the post
	Up            bool   // upvotes, else downvotes
	Votes         int64  // in quarantine
	Score         int64  // of the target, without them
	Burst         int    // votes of the burst when it was judged
	BurstSeconds  int64  // from its first to its last vote
	Before        int    // votes in the same direction before it
	BeforeSeconds int64  // in how long
	Signals       []QuarantineSignal
	FoundAt       time.Time
	Released      bool // of a decided case: else dropped
	DecidedAt     time.Time
	DecidedBy     string
}

// QuarantineSignal is one way in which the votes of a burst are alike.
type QuarantineSignal struct {
	Kind       string // young, network or referrer
	Value      string // the network or the site
	Votes      int    // that show it
	Of         int
	Share      float64 // Votes / Of
	Usual      float64 // share to expect; -1 if unknown
	Suspicious bool
}

// Quarantine lists votes that look like a brigade's, with the evidence and the possible decisions.
func Quarantine(p QuarantinePage) g.Node {
	c := p.Community
	return ui.ModPage(p.Frame, p.Nav,
		h.H1(ui.T("Quarantined votes")),
		h.P(h.Class("lead"), ui.T(quarantineLead)),
		openCases(p.Open, quarantineURL(c.Name), ui.CommunityURL(c.Name)+"/mod/queue", p.Now),
		g.If(p.MoreOpen, h.P(h.Class("muted"), ui.T("There are more cases. They appear here when some of these are decided."))),
		h.H2(ui.T("Decided")),
		g.If(len(p.Decided) == 0, h.P(h.Class("muted"), ui.T("No decisions yet."))),
		ui.Rows(p.Decided, func(q QuarantineCase) g.Node { return decidedCase(q, quarantineURL(c.Name), p.Now) }),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

const quarantineLead locale.Text = "Votes that came in a burst and look organised. They don't count, and their voters are notified an " +
	"hour later. Released votes count again; dropped votes never do."

func quarantineURL(community string) string { return ui.CommunityURL(community) + "/mod/quarantine" }

// OpenCases lists the cases of all communities for administrators.
func OpenCases(p OpenCasesPage) g.Node {
	return ui.AdminPage(p.Frame, "/admin/quarantine",
		h.H1(ui.T("Quarantined votes")),
		h.P(h.Class("lead"), ui.T(quarantineLead)),
		g.If(len(p.Communities) > 0, g.Group{
			ui.Rows(p.Communities, func(k CommunityCases) g.Node {
				return ui.Row(h.A(h.Href(quarantineURL(k.Name)), ui.T(ui.CommunityLabel(k.Name))), ui.T("{} open case|{} open cases", k.Cases), nil)
			}),
			g.If(p.MoreCommunities, h.P(h.Class("muted"), ui.T("More communities have open cases."))),
		}),
		openCases(p.Open, "/admin/quarantine", "/mod/queue", p.Now),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

// openCases lists cases, with forms that are sent to an address. Without cases it links to the queue.
func openCases(list []QuarantineCase, address, queue string, now time.Time) g.Node {
	if len(list) == 0 {
		return ui.EmptyState(ui.Nothing("No votes wait for a decision.", "Queue", queue))
	}
	return h.Div(h.Class("cases"), g.Map(list, func(q QuarantineCase) g.Node { return openCase(q, address, now) }))
}

func openCase(q QuarantineCase, address string, now time.Time) g.Node {
	return h.Article(h.Class("case"),
		h.H2(h.A(h.Href(q.URL), ui.DisplayName(q.Title))),
		h.P(h.Class("muted"), g.If(q.Community != "", g.Group{h.A(h.Href(quarantineURL(q.Community)), ui.T(ui.CommunityLabel(q.Community))),
			ui.Dot}),
			ui.T(q.target()), ui.Dot, g.If(q.Author != "", g.Group{ui.T("by {}", ui.Author(q.Author)), ui.Dot}),
			ui.T("found {}", ui.Since(q.FoundAt, now))),
		h.P(h.Strong(ui.T("{} in quarantine.", q.votes(q.Votes))), g.Text(" "), ui.T(q.pace())),
		evidence(q),
		h.P(ui.T("The score is {} without these votes and about {} with them.", q.Score, q.scoreWith())),
		h.Form(h.Class("decide"), h.Method("post"), h.Action(address), ui.Hidden("case", q.ID),
			g.If(q.Community != "", ui.Hidden("community", q.Community)),
			ui.Decision("decision", "release", "button quiet", "Release", locale.With("count these votes on {}", called(q.Title))),
			ui.Decision("decision", "drop", "button quiet", "Drop", locale.With("never count these votes on {}", called(q.Title))),
		),
	)
}

func (q *QuarantineCase) target() locale.Text {
	if q.Comment {
		return "a comment"
	}
	return "the post"
}

func (q *QuarantineCase) votes(n int64) locale.Text {
	if q.Up {
		return locale.With("{} upvote|{} upvotes", n)
	}
	return locale.With("{} downvote|{} downvotes", n)
}

func (q *QuarantineCase) scoreWith() int64 {
	if q.Up {
		return q.Score + q.Votes
	}
	return q.Score - q.Votes
}

// pace says how fast the votes came, and how fast they came before.
func (q *QuarantineCase) pace() locale.Text {
	votes, within := q.votes(int64(q.Burst)), span(q.BurstSeconds)
	if q.Before == 0 {
		return locale.With("{} came within {}; before, none.", votes, within)
	}
	return locale.With("{} came within {}; in the {} before, {}.", votes, within, span(q.BeforeSeconds), q.Before)
}

// span writes a length of time, rounded up.
func span(seconds int64) locale.Text {
	switch {
	case seconds < 120:
		return locale.With("{} second|{} seconds", max(seconds, 1))
	case seconds < 2*3600:
		return locale.With("{} minute|{} minutes", (seconds+59)/60)
	}
	return locale.With("{} hour|{} hours", (seconds+3599)/3600)
}

func evidence(q QuarantineCase) g.Node {
	return h.Table(h.Class("evidence"),
		h.Caption(h.Class("vh"), ui.T("Evidence")),
		h.THead(h.Tr(h.Th(h.Scope("col"), ui.T("These votes")), h.Th(h.Scope("col"), ui.T("Share")), h.Th(h.Scope("col"), ui.T("Usual")))),
		h.TBody(g.Map(q.Signals, func(s QuarantineSignal) g.Node {
			return h.Tr(g.If(s.Suspicious, h.Class("odd")),
				h.Th(h.Scope("row"), ui.T(s.label()), g.Text(" "), g.If(s.Suspicious, h.Strong(ui.T("unusual")))),
				h.Td(ui.T(percent(s.Share)), h.Span(h.Class("muted"), ui.T("{} of {}", int64(s.Votes), int64(s.Of)))),
				h.Td(ui.T(percent(s.Usual))),
			)
		})),
	)
}

func (s *QuarantineSignal) label() locale.Text {
	switch s.Kind {
	case "young":
		return "by accounts younger than a week"
	case "network":
		if s.Value == "" {
			return "from one network"
		}
		return locale.With("from one network, {}", s.Value)
	}
	if s.Value == "" {
		return "led here by one site"
	}
	return locale.With("led here by {}", s.Value)
}

func percent(share float64) locale.Text {
	if !(share >= 0 && share <= 1) {
		return locale.Verbatim("?")
	}
	return locale.With("{}%", int(math.Round(share*100)))
}

func decidedCase(q QuarantineCase, address string, now time.Time) g.Node {
	outcome, on := locale.Text("dropped by {} {}"), locale.Text("{} on the post {}")
	if q.Released {
		outcome = "released by {} {}"
	}
	if q.Comment {
		on = "{} on a comment {}"
	}
	return ui.Row(ui.T(on, q.votes(q.Votes), h.A(h.Href(q.URL), ui.DisplayName(q.Title))),
		ui.T(outcome, ui.Author(q.DecidedBy), ui.Since(q.DecidedAt, now)),
		h.Form(ui.PostTo(address), ui.Hidden("case", q.ID), ui.Decision("decision", "undo", "plain", "Undo",
			locale.With("quarantine the votes on {} again", called(q.Title)))))
}
