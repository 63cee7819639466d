package moderation

import (
	"math"
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// QuarantinePage is /c/{name}/mod/quarantine: votes that were taken out of the score,
// for a moderator to decide.
type QuarantinePage struct {
	ui.Frame
	Nav       ui.ModNav
	Community ui.Community
	Open      []QuarantineCase
	MoreOpen  bool             // there are more than are shown
	Decided   []QuarantineCase // newest first
	FirstURL  string           // on later pages
	NextURL   string           // of decided cases
}

// OpenCasesPage is /admin/quarantine: the cases of all communities that wait.
type OpenCasesPage struct {
	ui.Frame
	Nav             ui.ModNav
	Open            []QuarantineCase // newest first, each with its community
	Communities     []CommunityCases // those with most open cases first
	MoreCommunities bool             // there are more than are shown
	FirstURL        string           // on later pages
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
	Community     string // where cases of many are listed
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
	Usual      float64 // share to expect; -1 when nobody can say
	Suspicious bool
}

// Quarantine lists votes that look like a brigade's, with the evidence and what can be
// done about them.
func Quarantine(p QuarantinePage) g.Node {
	c := p.Community
	return ui.ModPage(p.Frame, p.Nav,
		h.H1(g.Text("Quarantined votes")),
		h.P(h.Class("lead"), g.Text(quarantineLead)),
		openCases(p.Open, quarantineURL(c.Name), p.Now),
		g.If(p.MoreOpen, h.P(h.Class("muted"), g.Text("There are more cases. They appear here when some of these are decided."))),
		h.H2(g.Text("Decided")),
		g.If(len(p.Decided) == 0, h.P(h.Class("muted"), g.Text("No decisions yet."))),
		g.If(len(p.Decided) > 0, h.Ul(h.Class("decided"),
			g.Map(p.Decided, func(q QuarantineCase) g.Node { return decidedCase(q, quarantineURL(c.Name), p.Now) }))),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

const quarantineLead = "Votes that came in a burst and look organised. They don't count, and their voters don't notice. Released votes " +
	"count again; dropped votes never do."

func quarantineURL(community string) string { return ui.CommunityURL(community) + "/mod/quarantine" }

// OpenCases lists the cases of all communities for administrators.
func OpenCases(p OpenCasesPage) g.Node {
	return ui.ModPage(p.Frame, p.Nav,
		h.H1(g.Text("Quarantined votes")),
		h.P(h.Class("lead"), g.Text(quarantineLead)),
		g.If(len(p.Communities) > 0, g.Group{
			h.Ul(h.Class("decided"), g.Map(p.Communities, func(k CommunityCases) g.Node {
				return h.Li(h.A(h.Href(quarantineURL(k.Name)), g.Text(ui.PlaceName(k.Name))),
					h.Span(h.Class("muted"), g.Text(" "+ui.Many(k.Cases, "open case"))))
			})),
			g.If(p.MoreCommunities, h.P(h.Class("muted"), g.Text("More communities have open cases."))),
		}),
		openCases(p.Open, "/admin/quarantine", p.Now),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

func openCases(list []QuarantineCase, address string, now time.Time) g.Node {
	if len(list) == 0 {
		return h.Div(h.Class("empty quiet"), ui.Logo(), h.P(g.Text("No votes wait for a decision.")))
	}
	return h.Div(h.Class("cases"), g.Map(list, func(q QuarantineCase) g.Node { return openCase(q, address, now) }))
}

func openCase(q QuarantineCase, address string, now time.Time) g.Node {
	return h.Article(h.Class("case"),
		h.H2(h.A(h.Href(q.URL), g.Text(ui.DisplayName(q.Title)))),
		h.P(h.Class("muted"), g.If(q.Community != "", g.Group{h.A(h.Href(quarantineURL(q.Community)), g.Text(ui.PlaceName(q.Community))),
			g.Text(" · ")}),
			g.Text(q.target()+" · "), g.If(q.Author != "", g.Group{g.Text("by "), ui.Author(q.Author), g.Text(" · ")}),
			g.Text("found "), ui.Since(q.FoundAt, now)),
		h.P(h.Strong(g.Text(q.votes(q.Votes)+" in quarantine.")), g.Text(" "+q.pace())),
		evidence(q),
		h.P(g.Text("The score is "+ui.Exact(q.Score)+" without these votes and about "+ui.Exact(q.with())+" with them.")),
		h.Form(h.Class("decide"), h.Method("post"), h.Action(address), ui.Hidden("case", q.ID),
			g.If(q.Community != "", ui.Hidden("community", q.Community)),
			ui.Decision("decision", "release", "button quiet", "Release", "count these votes on "+ui.DisplayName(q.Title)),
			ui.Decision("decision", "drop", "button quiet", "Drop", "never count these votes on "+ui.DisplayName(q.Title)),
		),
	)
}

func (q *QuarantineCase) target() string {
	if q.Comment {
		return "a comment"
	}
	return "the post"
}

func (q *QuarantineCase) votes(n int64) string {
	word := "downvote"
	if q.Up {
		word = "upvote"
	}
	return ui.Many(n, word)
}

func (q *QuarantineCase) with() int64 {
	if q.Up {
		return q.Score + q.Votes
	}
	return q.Score - q.Votes
}

// pace says how fast the votes came, and how fast they came before.
func (q *QuarantineCase) pace() string {
	s := q.votes(int64(q.Burst)) + " came within " + span(q.BurstSeconds) + "; "
	if q.Before == 0 {
		return s + "before, none."
	}
	return s + "in the " + span(q.BeforeSeconds) + " before, " + ui.Exact(int64(q.Before)) + "."
}

// span writes a length of time, rounded up.
func span(seconds int64) string {
	switch {
	case seconds < 120:
		return ui.Many(max(seconds, 1), "second")
	case seconds < 2*3600:
		return ui.Many((seconds+59)/60, "minute")
	}
	return ui.Many((seconds+3599)/3600, "hour")
}

func evidence(q QuarantineCase) g.Node {
	return h.Table(h.Class("evidence"),
		h.Caption(h.Class("vh"), g.Text("Evidence")),
		h.THead(h.Tr(h.Th(h.Scope("col"), g.Text("These votes")), h.Th(h.Scope("col"), g.Text("Share")), h.Th(h.Scope("col"), g.Text("Usual")))),
		h.TBody(g.Map(q.Signals, func(s QuarantineSignal) g.Node {
			return h.Tr(g.If(s.Suspicious, h.Class("odd")),
				h.Th(h.Scope("row"), g.Text(s.label()), g.If(s.Suspicious, h.Strong(g.Text("unusual")))),
				h.Td(g.Text(percent(s.Share)), h.Span(h.Class("muted"), g.Text(ui.Exact(int64(s.Votes))+" of "+ui.Exact(int64(s.Of))))),
				h.Td(g.Text(percent(s.Usual))),
			)
		})),
	)
}

func (s *QuarantineSignal) label() string {
	switch s.Kind {
	case "young":
		return "by accounts younger than a week "
	case "network":
		if s.Value == "" {
			return "from one network "
		}
		return "from one network, " + s.Value + " "
	}
	if s.Value == "" {
		return "led here by one site "
	}
	return "led here by " + s.Value + " "
}

func percent(share float64) string {
	if !(share >= 0 && share <= 1) {
		return "?"
	}
	return strconv.Itoa(int(math.Round(share*100))) + "%"
}

func decidedCase(q QuarantineCase, address string, now time.Time) g.Node {
	outcome := "dropped"
	if q.Released {
		outcome = "released"
	}
	return h.Li(
		g.Text(q.votes(q.Votes)+" on "+q.target()+" "), h.A(h.Href(q.URL), g.Text(ui.DisplayName(q.Title))),
		h.P(h.Class("muted"), g.Text(outcome+" by "), ui.Author(q.DecidedBy), g.Text(" "), ui.Since(q.DecidedAt, now)),
		h.Form(h.Class("decide"), h.Method("post"), h.Action(address), ui.Hidden("case", q.ID),
			ui.Decision("decision", "undo", "button quiet", "Undo", "quarantine the votes on "+ui.DisplayName(q.Title)+" again")),
	)
}
