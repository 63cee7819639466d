package moderation

import (
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// AuthorsPage lists the authors of what waits in a community's queue, to ban several at once. Fields of the filter: younger, network,
// domain. Fields of the form: member (several), rule, days, clear, text, decision.
type AuthorsPage struct {
	ui.Frame
	Nav       ui.ModNav
	Lines     []AuthorLine
	Ticked    int  // how many are selected
	Most      int  // how many can be banned at once
	More      bool // the queue has more than was read
	Younger   []ui.Option
	Networks  []ui.Option
	Domains   []ui.Option
	Filter    map[string]string // what is chosen
	Filtered  bool
	AllURL    string // address without filters
	Rules     []string
	Days      []int
	ClearDays []int
	Action    string
	Form      ui.Form
}

// AuthorLine is a line with an author.
type AuthorLine struct {
	ID       string
	Name     string
	CardURL  string
	JoinedAt time.Time
	Cases    int64    // that wait
	Reports  int64    // about them
	URL      string   // of the newest case
	Title    string   // of its post
	Hosts    []string // to which they link
	Network  string   // a label, where others in the list have the same network; else ""
	Ticked   bool
}

// Authors is the page of an AuthorsPage.
func Authors(p AuthorsPage) g.Node {
	return ui.ModPage(p.Frame, p.Nav,
		h.H1(ui.T("Authors in the queue")),
		h.P(h.Class("lead"), ui.T("Ban several members at once: the authors of what waits in the queue, without those who are banned already. "+
			"Filters show and select the authors who match.")),
		queueError(p.Form),
		authorsFilter(p),
		g.If(p.More, h.P(h.Class("muted"), ui.T("Only the authors of the newest 250 items of the queue are listed."))),
		g.If(len(p.Lines) == 0, ui.EmptyState(p.empty())),
		g.Iff(len(p.Lines) > 0, func() g.Node { return authorsForm(p) }),
		queueScript(),
	)
}

func (p *AuthorsPage) empty() ui.Empty {
	if p.Filtered {
		return ui.Nothing("No author matches the filters.", "All authors", p.AllURL)
	}
	return ui.Nothing("Nobody in the queue can be banned.", "Queue", ui.CommunityURL(p.Nav.Community.Name)+"/mod/queue")
}

func authorsFilter(p AuthorsPage) g.Node {
	field := func(name string, label, none locale.Text, options []ui.Option) g.Node {
		return h.Div(h.Class("field"), h.Label(h.For(name), ui.T(label)),
			h.Select(h.ID(name), h.Name(name), h.Option(h.Value(""), ui.T(none)), g.Map(options, func(o ui.Option) g.Node {
				return h.Option(h.Value(o.Value), g.If(o.Value == p.Filter[name], h.Selected()), ui.T(o.Label))
			})))
	}
	return h.Form(h.Class("case choose"), h.Method("get"), h.Action(p.AllURL),
		field("younger", "Account", "of any age", p.Younger),
		field("network", "Logged in from", "any network", p.Networks),
		field("domain", "Links to", "anything", p.Domains),
		h.Div(h.Class("decide"), h.Button(h.Class("button quiet"), ui.T("Filter")),
			g.If(p.Filtered, h.A(h.Class("button quiet"), h.Href(p.AllURL), ui.T("All authors")))))
}

func authorsForm(p AuthorsPage) g.Node {
	f := p.Form
	return h.Form(h.Class("queue authors"), ui.PostTo(p.Action),
		noDefault(),
		h.P(h.Role("status"), ui.T("{} of {} author selected; at most {} at once|{} of {} authors selected; at most {} at once",
			h.Strong(h.Class("ticked"), g.Text(strconv.Itoa(p.Ticked))), len(p.Lines), p.Most)),
		h.Div(h.Role("group"), ui.Attr("aria-label", "Authors"), ui.Rows(p.Lines, func(l AuthorLine) g.Node { return authorLine(l, p.Now) })),
		h.FieldSet(h.Class("form-rows"),
			h.Legend(ui.T("Selected members")),
			banFields(f, p.Rules, p.Days, p.ClearDays, "Message to the members"),
			h.P(h.Class("hint"), ui.T("The log gets an entry for each member. On the next page you can lift them all again.")),
			h.Div(h.Class("decide"),
				h.Button(h.Class("button danger"), h.Name("decision"), h.Value("ban"), ui.T("Ban selected")),
				h.Button(h.Class("button quiet"), h.Name("decision"), h.Value("mute"), ui.T("Mute selected"))),
		))
}

func authorLine(l AuthorLine, now time.Time) g.Node {
	return ui.Row(selectable(l.ID, l.Name, l.CardURL, l.Ticked), g.Group{
		ui.T("account made {}", ui.Since(l.JoinedAt, now)),
		ui.Dot, ui.T("{} case|{} cases", l.Cases), g.Text(", "), ui.T("{} report|{} reports", l.Reports),
		g.If(l.Network != "", g.Group{ui.Dot, h.Span(h.Class("mark"), ui.T("network {}", l.Network))}),
		ui.Dot, ui.T("Newest: {}", h.A(h.Href(l.URL), ui.DisplayName(l.Title))),
		g.If(len(l.Hosts) > 0, g.Group{ui.Dot, ui.T("links to {}", strings.Join(l.Hosts[:min(len(l.Hosts), 5)], ", "))}),
	}, nil)
}
