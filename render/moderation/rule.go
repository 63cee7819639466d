package moderation

import (
	"slices"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// RulesPage lists the automatic rules of a community, or of the site. Fields: do (on, off or delete, and a rule; or add), text.
type RulesPage struct {
	ui.Frame
	Community *ui.Community // nil for the site
	Rules     []RuleLine
	Text      string // all rules in their text form
	Action    string
	NewURL    string // of the form of a new rule
	Nav       ui.ModNav
	Ready     []ReadyRule
	Form      ui.Form
}

// ReadyRule links to the form of a new rule that is already filled in.
type ReadyRule struct {
	Title, URL string
	Says       locale.Text // what it does
}

// RuleLine is one rule of a list.
type RuleLine struct {
	ID     string
	URL    string // of its form
	Title  string
	Active bool
	Hits   int64
	LastAt time.Time // of the last hit
}

// RulePage is the form of an automatic rule. Fields: rule, title, kinds (several), words, pattern, domains, links, younger, karma,
// accepted, hourly, standing (several), reports, do (several), reason, flair, answer, active, then (try or save).
type RulePage struct {
	ui.Frame
	Nav       ui.ModNav
	Community *ui.Community // nil for the site
	Kinds     []RuleChoice
	Actions   []RuleChoice
	Levels    []RuleChoice // of authors
	Reasons   []string     // for removals
	Flairs    []string     // of the community
	Tried     []RuleDryRun
	Text      string // its text form, when it was tried
	Action    string
	ListURL   string
	Begin     string // the condition with which a ready rule begins; "" for none
	Form      ui.Form
}

// RuleChoice is a kind of post, a level of reputation or an action, and whether the rule has it.
type RuleChoice struct {
	Value  string
	Chosen bool
}

// RuleDryRun is what a rule would have hit.
type RuleDryRun struct {
	Of         string // posts or comments
	Tried, Hit int64
	Things     []TriedThing // the first of them
	Stopped    bool         // its pattern took too long
}

// TriedThing is a post or comment that a rule would have hit.
type TriedThing struct {
	Title, URL string
	Removed    bool // or held
}

// AutomaticRules is the page of a RulesPage.
func AutomaticRules(p RulesPage) g.Node {
	lead := locale.Text("They check everything that members write here before it is shown. Moderators are exempt.")
	if p.Community == nil {
		lead = "They check everything that members write on this site before it is shown. Administrators are exempt."
	}
	return ui.ModPage(p.Frame, p.Nav,
		h.Div(h.Class("modhead"), h.H1(ui.T("Automatic rules")), h.A(h.Class("button"), h.Href(p.NewURL), ui.T("New rule"))),
		h.P(h.Class("lead"), ui.T(lead)),
		ui.FormError(p.Form),
		g.If(len(p.Rules) == 0, h.P(h.Class("muted"), ui.T("No rules yet."))),
		g.If(len(p.Rules) > 0, h.Form(ui.PostTo(p.Action), ui.Rows(p.Rules, func(r RuleLine) g.Node { return ruleLine(r, p.Now) }))),
		h.P(h.Class("muted"), ui.T("Or begin with one of these:")),
		h.Ul(h.Class("cards deck"), g.Map(p.Ready, func(r ReadyRule) g.Node {
			return h.Li(h.Class("card"), h.A(h.Href(r.URL), g.Text(r.Title)), h.P(h.Class("muted"), ui.T(r.Says)))
		})),
		h.Form(h.Class("sheet"), ui.PostTo(p.Action),
			h.H2(ui.T("As text")),
			ui.FormField(p.Form, ui.Input{Name: "text", Label: "Rules to add", Hint: "Each begins with a line “rule: ” and its title. New rules " +
				"are off until you switch them on.", Kind: "textarea", Attrs: g.Group{h.Rows("6")}}),
			h.Button(h.Class("button"), h.Name("do"), h.Value("add"), ui.T("Add the rules")),
			g.If(p.Text != "", h.Details(h.Class("later"), h.Summary(ui.T("The rules of this page as text")), h.Pre(g.Text(p.Text))))),
	)
}

func ruleLine(r RuleLine, now time.Time) g.Node {
	title := locale.Verbatim(r.Title)
	turn := ui.Decision("do", "on "+r.ID, "plain", "Switch on", title)
	if r.Active {
		turn = ui.Decision("do", "off "+r.ID, "plain", "Switch off", title)
	}
	return ui.Row(h.A(h.Href(r.URL), g.Text(r.Title)), g.Group{ui.Component(func(m *ui.Markup) {
		m.Mark(r.Active, " op", "on").Mark(!r.Active, "", "off").Text(" ").Count(r.Hits, "{} hit|{} hits")
	}), g.If(!r.LastAt.IsZero(), g.Group{g.Text(", "), ui.T("the last {}", ui.Since(r.LastAt, now))})}, g.Group{
		turn,
		h.Details(h.Class("pick"), h.Summary(h.Class("plain"), ui.T("Delete…"), h.Span(h.Class("vh"), g.Text(" "+r.Title))),
			h.Div(h.P(r.deletion()), ui.Decision("do", "delete "+r.ID, "button danger", "Delete the rule", title, ui.WithUndo("Rule deleted")))),
	})
}

// deletion says what would be deleted.
func (r RuleLine) deletion() g.Node {
	says := locale.Text("No hits yet.")
	if r.Hits > 0 {
		says = locale.With("It has hit one post or comment. What it did to it stays.|"+
			"It has hit {} posts and comments. What it did to them stays.", r.Hits)
	}
	return g.Group{ui.T(says), g.Text(" "), g.If(r.Active, g.Group{ui.T("It is on, and would stop at once."), g.Text(" ")}),
		ui.T("A deleted rule can't be brought back.")}
}

// ruleLabels are the labels of kinds, levels of reputation and actions.
var ruleLabels = map[string]locale.Text{
	"text": "texts", "link": "links", "image": "images", "comment": "comments",
	"new": "new", "known": "known", "trusted": "trusted",
	"hold": "hold it until a moderator has decided", "remove": "remove it", "report": "show it, and report it to the moderators",
	"lock": "lock the thread of a post", "nsfw": "mark a post as NSFW", "spoiler": "mark a post as a spoiler",
	"answer": "show the answer below it, to everybody", "flair": "give a post a flair",
}

func ruleChoices(f ui.Form, name string, legend locale.Text, list []RuleChoice) g.Node {
	problem := f.Errors[name]
	return h.FieldSet(h.Class("field marks"), g.If(problem != "", h.Aria("describedby", name+"-error")), h.Legend(ui.T(legend)),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID(name+"-error"), ui.T(problem))),
		h.Div(g.Map(list, func(c RuleChoice) g.Node {
			return h.Label(h.Input(h.Type("checkbox"), h.Name(name), h.Value(c.Value), g.If(c.Chosen, h.Checked())), ui.T(ruleLabels[c.Value]))
		})))
}

// AutomaticRule is the page of a RulePage.
func AutomaticRule(p RulePage) g.Node {
	f := p.Form
	titles := func(name string, label, hint locale.Text, list []string, says func(string) locale.Text) g.Node {
		options := []ui.Option{{Label: "None¦rule or flair"}}
		for _, title := range list {
			options = append(options, ui.Option{Value: title, Label: says(title)})
		}
		return ui.Choice(f, name, label, hint, options)
	}
	chosen, rest := g.Group{}, g.Group{}
	for _, c := range ruleConditions(p.Community != nil) {
		node := ui.FormField(f, c)
		if c.Name == "standing" {
			node = ruleChoices(f, c.Name, c.Label, p.Levels)
		}
		if c.Name == p.Begin || f.Values[c.Name] != "" || f.Errors[c.Name] != "" ||
			c.Name == "standing" && slices.ContainsFunc(p.Levels, isChosen) {
			chosen = append(chosen, node)
		} else {
			rest = append(rest, h.Details(h.Class("later"), h.Summary(ui.T(c.Label)), node))
		}
	}
	return ui.ModPage(p.Frame, p.Nav,
		h.H1(ui.T("Automatic rule")),
		h.Div(h.Class("rule-editor"),
			h.Form(h.Class("sheet form-rows"), ui.PostTo(p.Action),
				ui.FormError(f), ui.Hidden("rule", f.Values["rule"]), ui.Hidden("revision", f.Values["revision"]),
				ui.FormField(f, ui.Input{Name: "title", Label: "Title", Hint: "Shown to moderators in the queue.", Kind: "text",
					Attrs: g.Group{h.AutoComplete("off")}}),
				h.FieldSet(h.Class("sentence"), h.Legend(ui.T("When¦condition")),
					ruleChoices(f, "kinds", "Applies to (none ticked: all)", p.Kinds),
					chosen,
					g.If(len(rest) > 0, h.Details(h.Class("later"), h.Summary(ui.T("+ Condition")), rest))),
				h.FieldSet(h.Class("sentence"), h.Legend(ui.T("then")),
					ruleChoices(f, "do", "Actions", p.Actions),
					titles("reason", "Rule for removals", "", p.Reasons, kept.Text),
					g.If(p.Community != nil, titles("flair", "Flair", "For posts. It replaces the flair that the author chose.",
						p.Flairs, locale.Verbatim)),
					ui.FormField(f, ui.Input{Name: "answer", Label: "Answer", Kind: "text", Attrs: g.Group{h.AutoComplete("off"), h.Placeholder(" ")},
						Hint: "One line. The author of what is held or removed reads it as it is. If the rule shows it to everybody, " +
							"it stands below the post or comment, and Markdown works."})),
				h.Div(h.Class("marks"), h.Label(h.Input(h.Type("checkbox"), h.Name("active"), h.Value("1"),
					g.If(f.Values["active"] != "", h.Checked())), ui.T("The rule is on"))),
				h.Div(h.Class("row"),
					h.Button(h.Class("button quiet"), h.Name("then"), h.Value("try"), ui.T("Try it")),
					h.Button(h.Class("button"), h.Name("then"), h.Value("save"), ui.T("Save the rule")), ui.Cancel(p.ListURL)),
			),
			g.If(len(p.Tried) > 0 || p.Text != "", h.Div(h.Class("tried"), h.Role("status"),
				g.Map(p.Tried, func(t RuleDryRun) g.Node { return ruleDryRun(t) }),
				g.If(p.Text != "", h.Details(h.Class("later"), h.Summary(ui.T("This rule as text")), h.Pre(g.Text(p.Text)))))),
		),
	)
}

// ruleConditions are the fields of the conditions. The form shows those that a rule has, and the names of the others.
func ruleConditions(inCommunity bool) []ui.Input {
	hourly := locale.Text("Posts and comments in this community.")
	if !inCommunity {
		hourly = "Posts and comments on the whole site."
	}
	words, number := g.Group{h.AutoComplete("off")}, g.Group{g.Attr("inputmode", "numeric"), h.AutoComplete("off")}
	return []ui.Input{
		{Name: "words", Label: "has one of these words", Kind: "textarea", Attrs: g.Group{h.Rows("2")},
			Hint: "Separated by commas, in upper or lower case. “casino*” also finds “casinos”."},
		{Name: "domains", Label: "links to one of these domains", Kind: "text", Attrs: words,
			Hint: "Separated by commas. Subdomains count, too."},
		{Name: "links", Label: "has at least this many links", Kind: "text", Attrs: number},
		{Name: "pictures", Label: "has at least this many pictures", Kind: "text", Attrs: number, Hint: "Uploaded, or from another site."},
		{Name: "pattern", Label: "matches this pattern", Kind: "text", Attrs: words, Hint: "A regular expression (RE2) for the title and for " +
			"each line of the text: ^ is where it begins, $ where it ends. Begin with (?i) to ignore case."},
		{Name: "standing", Label: "is by a member who is (none ticked: all)"},
		{Name: "accepted", Label: "is by a member with fewer accepted posts and comments here than", Kind: "text", Attrs: number,
			Hint: "Accepted is what everybody can see. 1: it is their first."},
		{Name: "younger", Label: "is by an account younger than this many days", Kind: "text", Attrs: number},
		{Name: "karma", Label: "is by a member with less karma than", Kind: "text", Attrs: number},
		{Name: "hourly", Label: "is by a member who in the last hour has written more than", Kind: "text", Attrs: number, Hint: hourly},
		{Name: "reports", Label: "has at least this many reports", Kind: "text", Attrs: number,
			Hint: "The rule then checks what is reported, not what is new. It acts once on each post or comment."},
	}
}

func isChosen(c RuleChoice) bool { return c.Chosen }

func ruleDryRun(t RuleDryRun) g.Node {
	none, hit := locale.Text("There are no posts to try it on."),
		locale.Text("Of the last {} post, {} would have been hit.|Of the last {} posts, {} would have been hit.")
	if t.Of == "comments" {
		none = "There are no comments to try it on."
		hit = "Of the last {} comment, {} would have been hit.|Of the last {} comments, {} would have been hit."
	}
	if t.Tried == 0 {
		return h.Div(h.Class("notice"), h.P(ui.T(none)))
	}
	return h.Div(h.Class("notice"),
		h.P(ui.T(hit, t.Tried, h.Strong(ui.Exact(int64(t.Hit)))),
			g.If(t.Stopped, g.Group{g.Text(" "), ui.T("The pattern is slow, so no more were checked.")})),
		g.If(len(t.Things) > 0, h.Ul(g.Map(t.Things, func(x TriedThing) g.Node {
			return h.Li(h.A(h.Href(x.URL), ui.DisplayName(strings.TrimSpace(x.Title))),
				ui.Component(func(m *ui.Markup) { m.Mark(x.Removed, "", "removed") }))
		}))),
	)
}
