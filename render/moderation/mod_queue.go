package moderation

import (
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/markdown"
	"plaza/render/ui"
)

// ModQueuePage is what waits for moderators: in a community, or in all that the viewer moderates. Fields: target (several), decision, one
// (a decision, a thing, and for removals a rule), shown (all things of the page), written (those that can be removed, where that are not
// all), rule, text, and for each thing text- and its id.
type ModQueuePage struct {
	ui.Frame
	Community ui.Community // none for all
	Tabs      []ui.Tab
	Filters   []ui.Tab
	Orders    []ui.Tab // empty where there is one
	Items     []QueueItem
	Rules     []string // for which something can be removed
	Action    string   // where the form is sent
	FirstURL  string   // on later pages
	NextURL   string
	Form      ui.Form
	CanBan    bool     // the authors of what is ticked
	Authors   []ui.Tab // lead to where authors are banned, of each community that the page has something of
}

// QueueItem is one thing that waits.
type QueueItem struct {
	ID        string
	Community string // "" for a member
	URL       string
	Title     string // of the post
	Author    string // or the member
	Comment   bool
	Link      string // of a post
	Excerpt   string
	Reports   int64
	Weight    int64    // of the reports, by the standing of the reporters
	Held      bool     // it is not shown before it is decided
	Rules     []string // automatic rules that have hit it
	Reasons   []QueueReason
	Words     []string // what reporters have added
	At        time.Time
	Ticked    bool
	BanURL    string   // of the form that bans its author; "" where nobody can be
	CardURL   string   // of what the community knows of its author; "" for nobody's
	Offered   []string // rules for which it can be removed; none for a member
	Problem   string   // why a decision about it alone was not carried out
	Note      string   // that was typed with it
}

// QueueReason is how many reports give a reason.
type QueueReason struct {
	Title   string
	Reports int64
}

// ModQueue is the page of a ModQueuePage.
func ModQueue(p ModQueuePage) g.Node {
	c := p.Community
	label, side := "", g.Node(nil)
	if c.Name != "" {
		label, side = "About c/"+c.Name, ui.CommunitySide(c)
	}
	return ui.Page(p.Frame, label, side,
		g.If(c.Name != "", h.P(h.Class("crumb"), h.A(h.Href(ui.CommunityURL(c.Name)), ui.Icon(c.Name, c.Colour), g.Text(ui.PlaceName(c.Name))))),
		h.H1(g.Text("Queue")),
		g.If(c.Name != "", h.P(h.Class("lead"), h.A(h.Href("/mod/queue"), g.Text("The queue of all communities that you moderate")))),
		ui.Tabs("Kinds of cases", p.Tabs),
		ui.Tabs("What to show", p.Filters),
		queueError(p.Form),
		g.If(len(p.Items) == 0, h.Div(h.Class("empty quiet"), ui.Logo(), h.P(g.Text("Nothing waits for a decision.")))),
		g.Iff(len(p.Items) > 0, func() g.Node { return queueForm(p) }),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

func queueForm(p ModQueuePage) g.Node {
	f := p.Form
	return g.Group{
		g.If(len(p.Orders) > 0, ui.Tabs("Order", p.Orders)),
		h.Form(h.Class("queue"), h.ID("queue"), ui.PostTo(p.Action),
			noDefault(),
			h.Div(h.Class("cases"), g.Map(p.Items, func(i QueueItem) g.Node { return queueItem(i, p.Now) })),
			h.FieldSet(h.Class("case"),
				h.Legend(g.Text("About all that is ticked")),
				ui.Control(f, ui.Input{Name: "rule", Label: "Rule for removals"}, func(attrs g.Group) g.Node {
					return h.Select(attrs, h.Option(h.Value(""), g.Text("Choose a rule")), g.Map(p.Rules, func(rule string) g.Node {
						return h.Option(h.Value(rule), g.If(rule == f.Values["rule"], h.Selected()), g.Text(rule))
					}))
				}),
				ui.FormField(f, ui.Input{Name: "text", Label: "Message to the authors", Hint: "For removals. May be empty.", Kind: "text",
					Attrs: g.Group{h.MaxLength("1000"), h.AutoComplete("off")}}),
				h.Div(h.Class("decide"),
					ui.Decision("decision", "approve", "button quiet", "Approve", "what is ticked"),
					ui.Decision("decision", "ignore", "button quiet", "Ignore", "what is ticked"),
					ui.Decision("decision", "remove", "button danger", "Remove", "what is ticked")),
				g.If(p.CanBan, h.Div(h.Class("decide"), h.Button(h.Class("button quiet"), h.Name("decision"), h.Value("authors"),
					g.Text("Ban their authors…")))),
				g.Map(p.Authors, func(t ui.Tab) g.Node { return h.P(h.A(h.Href(t.URL), g.Text(t.Label))) }),
				wholePage(p.Items),
				h.P(h.Class("hint"), g.Text("Approved: it stays, or is shown if it was held, and new reports bring it back. Ignored: it stays, and "+
					"further reports don't bring it back. In the order “Most reported”, a report by a known member counts 2, by a trusted member 5.")),
				h.P(h.Class("hint keys"), g.Text("Keys: j and k go to the next and the previous item, Enter opens it, x ticks it, a approves, i "+
					"ignores, r offers the rules for a removal and 1 to 9 choose one, Escape closes them, b leads to a ban of its author.")),
			),
		),
	}
}

// shownItems are the ids of things, with a space between them.
func shownItems(items []QueueItem) string {
	ids := make([]string, len(items))
	for n, i := range items {
		ids[n] = i.ID
	}
	return strings.Join(ids, " ")
}

func queueItem(i QueueItem, now time.Time) g.Node {
	about := i.about()
	return h.Article(h.Class("case"), h.ID("q-"+i.ID), h.TabIndex("-1"), // so that it has the focus when the page opens at it
		h.H2(
			h.Input(h.Type("checkbox"), h.Name("target"), h.Value(i.ID), h.Aria("label", "Tick "+about), g.If(i.Ticked, h.Checked())),
			g.Text(" "), h.A(h.Href(i.URL), g.Text(about))),
		h.P(h.Class("muted"), g.If(i.Community != "",
			g.Group{h.A(h.Href(ui.CommunityURL(i.Community)+"/mod/queue"), g.Text(ui.PlaceName(i.Community))), g.Text(" · ")}),
			g.If(i.Comment, g.Text("a comment ")), g.If(i.Author != "" && i.Community != "", g.Group{g.Text("by "), ui.Author(i.Author),
				g.Text(" · ")}), g.Text("added "), ui.Ago(i.At, now)),
		g.If(i.Excerpt != "", h.BlockQuote(h.Class("answered"), h.P(h.Class("quoted"), g.Text(i.Excerpt)))),
		g.Iff(markdown.SafeURL(i.Link) != "", func() g.Node {
			return h.P(h.A(h.Href(markdown.SafeURL(i.Link)), h.Rel("nofollow ugc"), g.Text(ui.PlainAddress(i.Link))))
		}),
		g.If(i.Held, h.P(h.Span(h.Class("mark hot"), g.Text("held")), g.Text(" Nobody sees it before you approve it."))),
		g.If(len(i.Rules) > 0, h.P(h.Strong(g.Text("Automatic rules")), g.Text(": "+strings.Join(i.Rules, ", ")))),
		g.If(i.Reports > 0, h.P(h.Strong(ui.Component(func(m *ui.Markup) { m.Plural(i.Reports, "report", "reports") })), g.Text(": "),
			g.Map(indexed(i.Reasons), func(r indexedReason) g.Node {
				return g.Group{g.If(r.n > 0, g.Text(", ")), g.Text(r.Title), g.If(r.Reports > 1, g.Text(" ("+ui.Exact(r.Reports)+")"))}
			}), g.If(i.Weight > i.Reports, g.Text(" · weight "+ui.Exact(i.Weight))))),
		g.If(len(i.Words) > 0, h.Ul(h.Class("words"), g.Map(i.Words, func(text string) g.Node { return h.Li(g.Text("“" + text + "”")) }))),
		h.Div(h.Class("decide"),
			ui.Decision("one", "approve "+i.ID, "button quiet approve", "Approve", about),
			g.If(!i.Held, ui.Decision("one", "ignore "+i.ID, "button quiet ignore", "Ignore", about)),
			g.Iff(len(i.Offered) > 0, func() g.Node { return removeFor(i, about) }),
			g.If(i.BanURL != "", h.A(h.Class("button quiet ban"), h.Href(i.BanURL), g.Text("Ban…"))),
			g.If(i.CardURL != "", h.A(h.Class("button quiet"), h.Href(i.CardURL), g.Text("About its author"))),
		),
		g.If(len(i.Offered) == 0 && i.Problem != "", caseProblem(i)),
	)
}

// removeFor offers the rules for which a thing can be removed. Choosing one removes it.
func removeFor(i QueueItem, about string) g.Node {
	return h.Details(h.Class("pick"), g.If(i.Problem != "", g.Attr("open")),
		h.Summary(h.Class("button quiet remove"), g.Text("Remove…"), h.Span(h.Class("vh"), g.Text(" "+about))),
		h.Div(
			g.If(i.Problem != "", caseProblem(i)),
			h.P(h.Class("hint"), g.Text("Which rule does it break? The author and the public log get it.")),
			h.Ol(g.Map(i.Offered, func(rule string) g.Node {
				return h.Li(h.Button(h.Class("button quiet"), h.Name("one"), h.Value("remove "+i.ID+" "+rule), g.Text(rule)))
			})),
			h.Div(h.Class("field"), h.Label(h.For("text-"+i.ID), g.Text("Message to the author")), h.P(h.Class("hint"), h.ID("text-"+i.ID+"-hint"),
				g.Text("May be empty. Only they and the moderators see it.")),
				h.Textarea(h.ID("text-"+i.ID), h.Name("text-"+i.ID), h.Rows("2"), h.MaxLength("1000"), h.Aria("describedby", "text-"+i.ID+"-hint"),
					g.Text(ui.NewlineSafe(i.Note)))),
		),
	)
}

// caseProblem says at a case what is wrong, where it gets the focus.
func caseProblem(i QueueItem) g.Node {
	return h.P(h.Class("wrong whole"), h.Role("alert"), h.TabIndex("-1"), ui.AutoFocus(), g.Text(i.Problem))
}

// queueError is what is wrong with the form as a whole. It gets the focus, because the button may stand far below it.
func queueError(f ui.Form) g.Node {
	if f.Errors[""] == "" {
		return nil
	}
	return h.P(h.Class("wrong whole"), h.Role("alert"), h.TabIndex("-1"), ui.AutoFocus(), g.Text(f.Errors[""]))
}

// noDefault is a button that decides nothing and nobody sees. Enter in a field or at a tick presses the first button of its form: this one
// instead of the first that decides. The page is there again then, with what was ticked and typed. With the script nothing happens.
func noDefault() g.Node { return h.Button(h.Name("decision"), h.Value(""), g.Attr("hidden")) }

// wholePage has the decisions about all that a page shows. A second button asks first, with their number.
func wholePage(items []QueueItem) g.Node {
	var written []QueueItem
	for _, i := range items {
		if i.Community != "" {
			written = append(written, i)
		}
	}
	all := func(n int, one string) string {
		if n == 1 {
			return one + " this one"
		}
		return one + " all " + strconv.Itoa(n)
	}
	return g.Group{
		ui.Hidden("shown", shownItems(items)),
		g.If(len(written) < len(items), ui.Hidden("written", shownItems(written))),
		h.Div(h.Class("decide"),
			pick("Approve all of this page…", "button quiet",
				h.P(g.Text("They stay, or are shown if they were held: "+ui.Many(int64(len(items)), "case")+".")),
				h.Button(h.Class("button"), h.Name("decision"), h.Value("approve all"), g.Text(all(len(items), "Approve")))),
			g.Iff(len(written) > 0, func() g.Node {
				return pick("Remove all of this page…", "button quiet",
					h.P(g.Text("They are removed by the rule that is chosen above, and their authors are told: "+ui.Many(int64(len(written)), "case")+
						".")),
					h.Button(h.Class("button danger"), h.Name("decision"), h.Value("remove all"), g.Text(all(len(written), "Remove"))))
			}),
		),
	}
}

// pick is a button that opens a question, which has to be confirmed before something is done.
func pick(label, class string, inside ...g.Node) g.Node {
	return h.Details(h.Class("pick"), h.Summary(h.Class(class), g.Text(label)), h.Div(inside...))
}

type indexedReason struct {
	QueueReason
	n int
}

func indexed(reasons []QueueReason) []indexedReason {
	list := make([]indexedReason, len(reasons))
	for n, r := range reasons {
		list[n] = indexedReason{r, n}
	}
	return list
}

// about names the thing.
func (i *QueueItem) about() string {
	if i.Community == "" {
		return "u/" + i.Author
	}
	return ui.DisplayName(i.Title)
}
