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

// ModQueuePage is the queue of a community, or of all that the viewer moderates. Fields: target (several), text, and for each item text-
// and its id. The buttons are one (a decision, an item, and for removals a rule), ticked and all (a decision, and for removals a rule).
// all is about the ids in the field shown, or for removals in written: the items that can be removed.
type ModQueuePage struct {
	ui.Frame
	Nav       ui.ModNav
	Community ui.Community // zero for all
	Filters   []ui.Tab
	Orders    []ui.Tab // empty if there is only one
	Items     []QueueItem
	Rules     []string // for which something can be removed
	Action    string   // where the form is sent
	FirstURL  string   // "" on page one
	NextURL   string
	Form      ui.Form
	CanBan    bool     // the viewer can ban the authors of selected items
	Authors   []ui.Tab // links to the page that bans several authors, for each community on the page
	Undo      []string // ids of what the viewer has just decided
}

// QueueItem is one item of the queue.
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
	Block          []string // which of these two are selected: community, site
}

// QueueReason is how many reports give a reason.
type QueueReason struct {
	Title   string
	Reports int64
}

// ModQueue is the page of a ModQueuePage.
func ModQueue(p ModQueuePage) g.Node {
	nothing := ui.Nothing(nothingWaits, "Front page", "/")
	switch {
	case p.Partial:
		nothing = ui.Nothing(ui.NothingElsewhere, "Try again", p.Action)
	case p.Community.Name != "":
		nothing.Next = ui.Tab{Label: ui.CommunityLabel(p.Community.Name), URL: ui.CommunityURL(p.Community.Name)}
	}
	return ui.ModPage(p.Frame, p.Nav,
		h.Div(h.Class("modhead"), h.H1(ui.T("Queue")), ui.ChoiceMenu("Show", p.Filters), ui.ChoiceMenu("Order", p.Orders)),
		g.Iff(len(p.Undo) > 0, func() g.Node { return undoFlash(p) }),
		queueError(p.Form),
		g.If(len(p.Items) == 0, ui.EmptyState(nothing)),
		g.Iff(len(p.Items) > 0, func() g.Node { return queueForm(p) }),
		ui.Pager(p.FirstURL, p.NextURL),
		queueScript(),
	)
}

// queueScript is for pages whose form has the class queue (web/queue.js).
func queueScript() g.Node { return h.Script(ui.Src(ui.QueueJS), h.Defer()) }

const nothingWaits locale.Text = "Nothing waits for a decision."

// undoFlash says how much was decided, with a button to undo it.
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

// selected has the actions for all selected items.
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

// removal is the choice of the rule for which an item is removed. A click on a rule removes the item.
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

// caseProblem shows the error of a case, with the focus.
func caseProblem(i QueueItem) g.Node {
	return h.P(h.Class("wrong whole"), h.Role("alert"), h.TabIndex("-1"), ui.AutoFocus(), ui.T(i.Problem))
}

// queueError is the error of the whole form. It gets the focus, because the button may be far below it.
func queueError(f ui.Form) g.Node {
	problem := cmp.Or(f.Errors[""], f.Errors["target"], f.Errors["rule"], f.Errors["text"])
	if problem == "" {
		return nil
	}
	return h.P(h.Class("wrong whole"), h.Role("alert"), h.TabIndex("-1"), ui.AutoFocus(), ui.T(problem))
}

// noDefault is an invisible button that decides nothing. Enter in a field or a checkbox presses the first button of its form: this
// one instead of one that decides. Then the page is shown again, with what was selected and typed. With the script nothing happens.
func noDefault() g.Node { return h.Button(h.Name("decision"), h.Value(""), g.Attr("hidden")) }

// wholePage has the decisions about all items of a page. Each asks for confirmation, with their number.
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

// pick is a button that opens a question; only the answer does something. One question of a page is open at a time.
func pick(label locale.Text, class string, inside ...g.Node) g.Node {
	return h.Details(h.Class("pick"), g.Attr("name", "pick"), h.Summary(h.Class(class), ui.T(label)), h.Div(inside...))
}
