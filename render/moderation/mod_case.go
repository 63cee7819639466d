package moderation

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/markdown"
	"plaza/render/ui"
)

// queueCase is one open case with its actions. It names its community if named is true.
func queueCase(i QueueItem, named bool, now time.Time) g.Node {
	title := "t-" + i.ID
	act := func(decision string, label locale.Text) g.Node {
		return h.Button(h.Class("button quiet "+decision), h.Name("one"), h.Value(decision+" "+i.ID), h.Aria("describedby", title), ui.T(label))
	}
	return h.Article(h.Class("case q"), h.ID("q-"+i.ID), h.TabIndex("-1"), h.Aria("labelledby", title), // the focus goes there
		h.Label(h.Class("tick"), h.Input(h.Type("checkbox"), h.Name("target"), h.Value(i.ID), ui.Attr("aria-label", "Select {}", i.about()),
			g.If(i.Ticked, h.Checked()))),
		i.what(title),
		caseFacts(i, named, now),
		i.why(),
		ui.BlurredPictures(i.Pictures),
		h.Div(h.Class("do"),
			act("approve", "Approve"),
			g.Iff(len(i.Offered) > 0, func() g.Node { return removeFor(i, title) }),
			g.If(!i.Held, act("ignore", "Ignore")),
			caseRest(i, title)),
		g.If(len(i.Offered) == 0 && i.Problem != "", caseProblem(i)),
	)
}

// what is the title of a post and the beginning of its text, or the text of a comment.
func (i *QueueItem) what(id string) g.Node {
	link := func(text g.Node) g.Node { return h.H2(h.A(h.ID(id), h.Href(i.URL), text)) }
	if i.Comment && strings.TrimSpace(i.Excerpt) != "" {
		return h.Div(h.Class("what said"), link(g.Text(i.Excerpt)))
	}
	return h.Div(h.Class("what"), link(ui.T(i.about())), g.If(i.Excerpt != "", g.Group{g.Text(" "), h.P(g.Text(i.Excerpt))}))
}

func caseFacts(i QueueItem, named bool, now time.Time) g.Node {
	return ui.Component(func(m *ui.Markup) {
		m.Lit(`<p class="facts">`).Mark(i.Held, " hot", "held")
		if named && i.Community != "" {
			m.Lit(`<a href="`).Text(ui.CommunityURL(i.Community)).Lit(`/mod/queue">`).Say(ui.CommunityLabel(i.Community)).Lit(`</a>`)
		}
		if i.Author != "" && i.Community != "" {
			m.Lit(`<span>`).Node(ui.Author(i.Author)).Lit(` `).Mark(i.Reputation == "new", "", "new").Mark(i.Reputation == "known", "", "known").
				Mark(i.Reputation == "trusted", " op", "trusted").Lit(`</span>`)
		}
		m.TimeAgo(i.At, now)
		if i.Comment {
			m.Lit(`<span>`).Say("on {}¦comment", i.about()).Lit(`</span>`)
		}
		if link := markdown.SafeURL(i.Link); link != "" {
			m.Lit(`<a href="`).Text(link).Lit(`" rel="nofollow ugc">`).Text(ui.PlainAddress(link)).Lit(`</a>`)
		}
		m.Lit(`</p>`)
	})
}

// why lists the reasons of reports, and the automatic rules that have hit the item.
func (i *QueueItem) why() g.Node {
	return ui.Component(func(m *ui.Markup) {
		m.Lit(`<p class="why">`)
		if i.Reports > 0 {
			m.Lit(`<span><b>`).Count(i.Reports, "{} report|{} reports").Lit(`</b>: `)
			for n, r := range i.Reasons {
				m.When(n > 0, `, `).Say(kept.Text(r.Title))
				if r.Reports > 1 {
					m.Lit(` (`).Node(ui.Exact(r.Reports)).Lit(`)`)
				}
			}
			m.Lit(`</span>`)
		}
		if len(i.Rules) > 0 {
			m.Lit(`<span><b>`).Say("Automatic rules").Lit(`</b>: `)
			for n, rule := range i.Rules {
				m.When(n > 0, `, `).Say(kept.Text(rule))
			}
			m.Lit(`</span>`)
		}
		if len(i.Words) > 0 {
			m.Lit(`<q>`).Text(i.Words[0]).Lit(`</q>`)
		}
		m.Lit(`</p>`)
	})
}

// removeFor offers the rules for which an item can be removed.
func removeFor(i QueueItem, title string) g.Node {
	r := removal{"one", "remove " + i.ID + " ", i.Offered, "text-" + i.ID, i.Note, "The author and the public log get it.",
		"Message to the author", blockChoice("block-"+i.ID, i.Community, i.Block, i.CanBlock, i.CanBlockOnSite)}
	return h.Details(h.Class("pick"), g.Attr("name", "pick"), g.If(i.Problem != "", g.Attr("open")),
		h.Summary(h.Class("button quiet remove"), h.Aria("describedby", title), ui.T("Remove")),
		h.Div(g.If(i.Problem != "", caseProblem(i)), r.panel()),
	)
}

// caseRest is the menu of what does not fit into three lines.
func caseRest(i QueueItem, title string) g.Node {
	return h.Details(h.Class("pick rest"), g.Attr("name", "pick"),
		h.Summary(h.Class("button quiet"), ui.Attr("aria-label", "More"), h.Aria("describedby", title), g.Text("⋯")),
		h.Div(
			g.If(i.Held, h.P(h.Class("hint"), ui.T("Held: nobody sees it before you approve it."))),
			g.If(i.Weight > i.Reports, h.P(h.Class("hint"), ui.T("Weight of the reports: {}", i.Weight))),
			g.If(len(i.Words) > 0, h.Ul(h.Class("words"), g.Map(i.Words, func(text string) g.Node { return h.Li(ui.T("“{}”", text)) }))),
			h.A(h.Href(i.URL), ui.T("Open¦verb")),
			g.If(i.CardURL != "", h.A(h.Href(i.CardURL), ui.T("Notes and history of {}", i.Author))),
			g.If(i.BanURL != "", h.A(h.Class("ban"), h.Href(i.BanURL), ui.T("Ban {}…", i.Author))),
		),
	)
}

// about names the item: a member, or the title of a post.
func (i *QueueItem) about() locale.Text {
	if i.Community == "" {
		return locale.Verbatim("u/" + i.Author)
	}
	return called(i.Title)
}

// DecidedCase replaces a case that was decided.
type DecidedCase struct {
	ID    string
	Words locale.Text // what was decided
}

// DecidedCases replace cases that were decided. Each has a button to undo the decision.
func DecidedCases(list []DecidedCase) g.Node {
	return g.Map(list, func(c DecidedCase) g.Node {
		return h.Article(h.Class("case q done"), h.ID("q-"+c.ID), h.TabIndex("-1"), h.P(h.Strong(ui.T(c.Words)), g.Text(" "), h.Span()),
			h.Button(h.Class("button quiet undo"), h.Name("one"), h.Value("undo "+c.ID), ui.T("Undo"), h.Span(h.Class("keys"), g.Text(" (u)"))))
	})
}
