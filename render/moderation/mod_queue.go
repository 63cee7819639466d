package moderation

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// ModQueuePage is what waits for moderators: in a community, or in all that the viewer moderates. Fields: target (several), text, and for
// each thing text- and its id. The buttons are one (a decision, a thing, and for removals a rule), ticked and all (a decision, and for
// removals a rule), which is about all things of the page: shown, or written (those that can be removed, where that are not all).
type ModQueuePage struct {
	ui.Frame
	Nav       ui.ModNav
	Community ui.Community // none for all
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
	Undo      []string // ids of what the viewer has decided right before
}

// QueueItem is one thing that waits.
type QueueItem struct {
	ID         string
	Community  string // "" for a member
	URL        string
	Title      string // of the post
	Author     string // or the member
	Reputation string // of the author in the community: new, known or trusted; "" for a member
	Comment    bool
	Link       string // of a post
	Excerpt    string
	Reports    int64
	Weight     int64    // of the reports, by the reputation of the reporters
	Held       bool     // it is not shown before it is decided
	Rules      []string // automatic rules that have hit it
	Reasons    []QueueReason
	Words      []string // what reporters have added
	At         time.Time
	Ticked     bool
	BanURL     string      // of the form that bans its author; "" if they can't be banned
	CardURL    string      // of the card of its author; "" without an author
	Offered    []string    // rules for which it can be removed; none for a member
	Problem    locale.Text // why a decision about it alone was not carried out
	Note       string      // that was typed with it
	// Pictures are the pictures of a post.
	Pictures       []ui.PostPicture
	CanBlock       bool     // its pictures, in its community
	CanBlockOnSite bool     // its pictures, on the whole site
	Block          []string // what was ticked of that: community, site
}

// QueueReason is how many reports give a reason.
type QueueReason struct {
	Title   string
	Reports int64
}

// ModQueue is the page of a ModQueuePage.
func ModQueue(p ModQueuePage) g.Node {
	nothing := nothingWaits
	if p.Partial {
		nothing = ui.NothingElsewhere
	}
	return ui.ModPage(p.Frame, p.Nav,
		h.Div(h.Class("modhead"), h.H1(ui.T("Queue")), ui.ChoiceMenu("Show", p.Filters), ui.ChoiceMenu("Order", p.Orders)),
		g.Iff(len(p.Undo) > 0, func() g.Node { return undoFlash(p) }),
		queueError(p.Form),
		g.If(len(p.Items) == 0, h.Div(h.Class("empty quiet"), ui.Logo(), h.P(ui.T(nothing)))),
		g.Iff(len(p.Items) > 0, func() g.Node { return queueForm(p) }),
		ui.Pager(p.FirstURL, p.NextURL),
		queueScript(),
	)
}

// queueScript stands on pages whose form has the class queue (web/queue.js).
func queueScript() g.Node { return h.Script(ui.Src(ui.QueueJS), h.Defer()) }

const nothingWaits locale.Text = "Nothing waits for a decision."

// undoFlash says how much was decided, and takes it back.
func undoFlash(p ModQueuePage) g.Node {
	return h.Form(h.Class("notice row undone"), ui.PostTo(p.Action), ui.Hidden("shown", strings.Join(p.Undo, " ")),
		h.Span(h.Role("status"), ui.T("{} decided.", len(p.Undo))),
		h.Button(h.Class("button quiet"), h.Name("all"), h.Value("undo"), ui.T("Undo")))
}

func queueForm(p ModQueuePage) g.Node {
	return g.Group{
		h.Form(h.Class("queue"), h.ID("queue"), ui.PostTo(p.Action),
			noDefault(),
			h.Div(h.Class("cases"), h.Role("group"), ui.Attr("aria-label", "Cases"),
				g.Map(p.Items, func(i QueueItem) g.Node { return queueCase(i, p.Community.Name == "", p.Now) })),
			h.P(h.Class("all-done hint"), g.Attr("hidden"), ui.T(nothingWaits)),
			wholePage(p),
			selected(p),
		),
		g.Map(p.Authors, func(t ui.Tab) g.Node { return h.P(h.Class("authors-of"), h.A(h.Href(t.URL), ui.T(t.Label))) }),
		h.Details(h.Class("later"), h.Summary(ui.T("What the buttons do")),
			h.P(h.Class("hint"), ui.T("Approve: it stays, or is shown if it was held, and new reports bring it back. Ignore: it stays, and "+
				"further reports don't bring it back. In the order “Most reported”, a report by a known member counts 2, by a trusted member 5.")),
			h.P(h.Class("hint keys"), ui.T("Keys: j and k go to the next and the previous case, a approves, i ignores, r offers the rules for a "+
				"removal and 1 to 9 choose one, Escape closes them, u takes the last decision back, x selects, o shows the rest, v shows the "+
				"pictures clearly, Enter opens, b leads to a ban of the author."))),
	}
}

// selected has what can be done about all that is ticked.
func selected(p ModQueuePage) g.Node {
	ticked := 0
	for _, i := range p.Items {
		if i.Ticked {
			ticked++
		}
	}
	return h.FieldSet(h.Class("selected"),
		h.Legend(h.Span(ui.T("Selected"), h.Span(h.Class("keys"), g.Text(" ("), h.B(g.Text(strconv.Itoa(ticked))), g.Text(")")))),
		g.If(p.CanBan, h.Button(h.Class("button quiet authors"), h.Name("decision"), h.Value("authors"), ui.T("Ban authors…"))),
		h.Div(h.Class("do"),
			h.Button(h.Class("button quiet"), h.Name("ticked"), h.Value("approve"), ui.T("Approve")),
			pick("Remove", "button quiet remove", removal{"ticked", "remove ", p.Rules, "text", p.Form.Values["text"],
				"Their authors and the public log get the rule.", "Message to the authors", nil}.panel()),
			h.Button(h.Class("button quiet"), h.Name("ticked"), h.Value("ignore"), ui.T("Ignore"))),
	)
}

// removal is the choice of the rule for which something is removed. Choosing one removes it.
type removal struct {
	button, value string // the name of the buttons, and the beginning of their values
	rules         []string
	field, note   string // the name of the field of the message, and what was typed
	says, label   locale.Text
	more          g.Node // nil for nothing
}

func (r removal) panel() g.Node {
	return g.Group{
		h.P(h.Class("hint"), ui.T("Which rule does it break?"), g.Text(" "), ui.T(r.says)),
		h.Ol(g.Map(r.rules, func(rule string) g.Node {
			return h.Li(h.Button(h.Name(r.button), h.Value(r.value+rule), ui.T(kept.Text(rule))))
		})),
		r.more,
		h.Input(h.Type("text"), h.Name(r.field), h.Value(r.note), ui.Attr("placeholder", r.label), ui.Attr("aria-label", r.label),
			h.MaxLength("1000"), h.AutoComplete("off")),
	}
}

// caseProblem says at a case what is wrong, where it gets the focus.
func caseProblem(i QueueItem) g.Node {
	return h.P(h.Class("wrong whole"), h.Role("alert"), h.TabIndex("-1"), ui.AutoFocus(), ui.T(i.Problem))
}

// queueError is what is wrong with the form as a whole. It gets the focus, because the button may stand far below it.
func queueError(f ui.Form) g.Node {
	problem := cmp.Or(f.Errors[""], f.Errors["target"], f.Errors["rule"], f.Errors["text"])
	if problem == "" {
		return nil
	}
	return h.P(h.Class("wrong whole"), h.Role("alert"), h.TabIndex("-1"), ui.AutoFocus(), ui.T(problem))
}

// noDefault is an invisible button that decides nothing. Enter in a field or at a tick presses the first button of its form: this one
// instead of the first that decides. The page is there again then, with what was ticked and typed. With the script nothing happens.
func noDefault() g.Node { return h.Button(h.Name("decision"), h.Value(""), g.Attr("hidden")) }

// wholePage has the decisions about all that a page shows. Each asks once, with their number.
func wholePage(p ModQueuePage) g.Node {
	var shown, written []string
	for _, i := range p.Items {
		shown = append(shown, i.ID)
		if i.Community != "" {
			written = append(written, i.ID)
		}
	}
	count := func(ids []string) g.Node {
		return h.B(g.Text(strconv.Itoa(len(ids))))
	}
	return h.Div(h.Class("do whole-page"),
		ui.Hidden("shown", strings.Join(shown, " ")),
		ui.Hidden("written", strings.Join(written, " ")),
		pick("Approve all of this page", "button quiet",
			h.P(h.Class("hint"), ui.T("They stay, or are shown if they were held.")),
			h.Button(h.Class("button"), h.Name("all"), h.Value("approve"), ui.T("Approve all {}", count(shown)))),
		g.Iff(len(written) > 0, func() g.Node {
			return pick("Remove all of this page", "button quiet",
				h.P(h.Strong(ui.T("Remove all {}", count(written)))),
				removal{"all", "remove ", p.Rules, "all-text", "", "Their authors and the public log get the rule.",
					"Message to the authors", nil}.panel())
		}),
	)
}

// pick is a button that opens a question, which has to be answered before something is done. One of a page is open.
func pick(label locale.Text, class string, inside ...g.Node) g.Node {
	return h.Details(h.Class("pick"), g.Attr("name", "pick"), h.Summary(h.Class(class), ui.T(label)), h.Div(inside...))
}
