package moderation

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// TransparencyPage counts what was reported and decided in half a year.
type TransparencyPage struct {
	ui.Frame
	Half         string              `json:"half"` // The half-year, such as 2026-2, in UTC.
	Year         string              `json:"-"`
	Second       bool                `json:"-"`      // it is the second half
	Present      bool                `json:"-"`      // it is not over
	Counts       []TransparencyCount `json:"counts"` // How often what happened.
	LegalNotices OutcomeCount        `json:"-"`
	Objections   OutcomeCount        `json:"-"`
	Appeals      OutcomeCount        `json:"-"`
	Cases        OutcomeCount        `json:"-"`
	Decisions    []DecisionCount     `json:"-"` // in the order of CountedKinds
	TableURL     string              `json:"-"`
	// Address of the nearest earlier half-year in which something was counted; null for none.
	EarlierURL string `json:"earlier" as:"address"`
	LaterURL   string `json:"later" as:"address"` // Address of the nearest later half-year in which something was counted; null for none.
}

// TransparencyCount is how often one thing happened.
type TransparencyCount struct {
	What   string `json:"what"`         // What is counted: decision, queue, notice, objection or appeal.
	Kind   string `json:"kind"`         // What was decided; empty for what came.
	Ground string `json:"ground"`       // Of a decision the ground in law, or rule; of a notice its kind.
	Found  string `json:"found"`        // How it was found: person, report, notice or rule; held for what waited unseen.
	Within int64  `json:"within_hours"` // Hours that it took at most; 0 where no time is counted, 1000 for longer than 30 days.
	Number int64  `json:"number"`       // How often.
	Undone int64  `json:"undone"`       // How many of these were taken back.
}

// OutcomeCount counts the outcomes of notices, objections, appeals or cases of the queue.
type OutcomeCount struct {
	Came, Removed, Stayed, Gone, Upheld, Overturned int64
	Median                                          int64 // hours within which half of them were decided; 0 for none
}

// DecisionCount is how often one thing was decided.
type DecisionCount struct {
	Kind                  string
	Number, Undone, ByLaw int64
	ByFound               []int64 // in the order of FoundWays
}

// CountedKinds are the decisions that the page lists, in this order.
var CountedKinds = []string{"remove", "hold", "erase", "ban", "mute", "suspend", "ban-site", "refuse", "approve"}

// FoundWays are how something was found, in the order of the columns.
var FoundWays = []string{"person", "report", "notice", "rule"}

var countedLabels = map[string]locale.Text{"remove": "Posts and comments removed", "hold": "Posts and comments hidden until a decision",
	"erase": "Posts and comments erased for good", "ban": "Members banned from a community", "mute": "Members muted in a community",
	"suspend": "Accounts suspended", "ban-site": "Accounts banned", "refuse": "Newcomers refused", "approve": "Posts and comments approved"}

// medianText says how long half of the cases took.
func medianText(hours int64) locale.Text {
	switch {
	case hours >= 1000:
		return "Half of them took more than 30 days to decide."
	case hours > 24:
		return locale.With("Half of them were decided within {} day.|Half of them were decided within {} days.", hours/24)
	}
	return locale.With("Half of them were decided within {} hour.|Half of them were decided within {} hours.", hours)
}

// Transparency is the page of a TransparencyPage.
func Transparency(p TransparencyPage) g.Node {
	title := locale.With("First half of {}", p.Year)
	if p.Second {
		title = locale.With("Second half of {}", p.Year)
	}
	empty := len(p.Counts) == 0
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T("Transparency")), h.H2(ui.T(title)),
		h.P(h.Class("lead"), ui.T("How much was reported and decided here, how it was found, and how long it took. Half-years in UTC. "+
			"Who decided what is in the logs.")),
		g.If(p.Present, h.P(h.Class("muted"), ui.T("Decisions are counted once a day."))),
		g.If(empty, h.P(h.Class("muted"), ui.T("Nothing was reported or decided in this half-year."))),
		g.Iff(len(p.Decisions) > 0, func() g.Node { return decisionTable(p.Decisions) }),
		g.Iff(!empty, func() g.Node {
			return h.Div(
				outcomeList("Cases of the moderators' queue", p.Cases),
				outcomeList("Notices by people without an account", p.LegalNotices),
				outcomeList("Objections to decisions about notices", p.Objections),
				outcomeList("Appeals of members", p.Appeals))
		}),
		g.If(!empty, h.Details(h.Summary(ui.T("All numbers of {}", p.Half)), countTable(p.Counts))),
		h.P(h.A(h.Href(p.TableURL), ui.T("All numbers as CSV")), ui.Dot, h.A(h.Href("/log"), ui.T("Moderation log"))),
		g.If(p.EarlierURL != "" || p.LaterURL != "", h.Nav(h.Class("row"), ui.Attr("aria-label", "Half-years"),
			g.If(p.EarlierURL != "", h.A(h.Class("button quiet"), h.Rel("prev"), h.Href(p.EarlierURL), ui.T("Earlier"))),
			g.If(p.LaterURL != "", h.A(h.Class("button quiet"), h.Rel("next"), h.Href(p.LaterURL), ui.T("Later")))))))
}

// decisionTable has a row for each kind of decision.
func decisionTable(list []DecisionCount) g.Node {
	head := []locale.Text{"Decision", "Number", "Undone since", "By law", "Found by a person", "After a report", "After a notice", "By a rule"}
	number := func(n int64) g.Node { return h.Td(h.Class("r"), ui.Component(func(m *ui.Markup) { m.Say("{}", n) })) }
	return h.Div(h.Class("tb"), h.TabIndex("0"), h.Role("region"), ui.Attr("aria-label", "Decisions"), h.Table(
		h.THead(h.Tr(g.Map(head, func(t locale.Text) g.Node { return h.Th(h.Scope("col"), ui.T(t)) }))),
		h.TBody(g.Map(list, func(d DecisionCount) g.Node {
			return h.Tr(h.Th(h.Scope("row"), ui.T(countedLabels[d.Kind])), number(d.Number), number(d.Undone), number(d.ByLaw),
				g.Map(d.ByFound, number))
		}))))
}

// countTable shows the counts as the API returns them, in the API's own words.
func countTable(list []TransparencyCount) g.Node {
	head := []string{"what", "kind", "ground", "found", "within_hours", "number", "undone"}
	return h.Div(h.Class("tb"), h.TabIndex("0"), h.Role("region"), ui.Attr("aria-label", "Numbers"), h.Table(
		h.THead(h.Tr(g.Map(head, func(name string) g.Node { return h.Th(h.Scope("col"), h.Code(g.Text(name))) }))),
		h.TBody(g.Map(list, func(c TransparencyCount) g.Node {
			return h.Tr(g.Map([]string{c.What, c.Kind, c.Ground, c.Found}, func(text string) g.Node { return h.Td(g.Text(text)) }),
				g.Map([]int64{c.Within, c.Number, c.Undone}, func(n int64) g.Node {
					return h.Td(h.Class("r"), g.Text(strconv.FormatInt(n, 10)))
				}))
		}))))
}

// outcomeList is nil where nothing came and nothing was decided.
func outcomeList(title locale.Text, o OutcomeCount) g.Node {
	var lines []g.Node
	for _, line := range []struct {
		n    int64
		says locale.Text
	}{{o.Came, "Received: {}"}, {o.Removed, "Removed: {}"}, {o.Stayed, "Stayed: {}"}, {o.Gone, "Deleted by its author meanwhile: {}"},
		{o.Upheld, "Upheld: {}"}, {o.Overturned, "Taken back: {}"}} {
		if line.n > 0 {
			lines = append(lines, h.Li(ui.T(line.says, line.n)))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return h.Section(h.H3(ui.T(title)), h.Ul(g.Group(lines),
		g.Iff(o.Median > 0, func() g.Node { return h.Li(ui.T(medianText(o.Median))) })))
}
