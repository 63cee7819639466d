package moderation

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// MailCase is the post, comment or decision that a conversation is about. Moderators decide about it on the page of the conversation.
type MailCase struct {
	URL       string // of the post or comment; "" for a decision about the member
	Title     string // of the post
	Said      string // its first words
	Author    string
	Comment   bool
	Removed   bool
	Held      bool
	Target    string      // id of the post or comment, if it can be decided here; "" where the verdict of an appeal decides
	DecideURL string      // where the decision is sent
	Rules     []string    // the reasons to remove it
	Decided   locale.Text // what was decided; "" for no decision. The fields below belong to it
	Rule      string
	Note      string
	By        locale.Text
	At        time.Time
	Until     time.Time
	Undone    bool
}

// Handled is the conversation that a moderator has just answered, closed or judged.
type Handled struct {
	URL   string
	Words locale.Text // what was done
	Undo  bool        // it can be undone
}

// flash says what was done, links to the conversation, and offers to undo it.
func (p *Handled) flash() g.Node {
	return h.Form(h.Class("notice row undone"), ui.PostTo(p.URL), h.Span(h.Role("status"), ui.T(p.Words)),
		h.A(h.Class("button quiet"), h.Href(p.URL), ui.T("Show")),
		g.If(p.Undo, h.Button(h.Class("button quiet"), h.Name("do"), h.Value("reopen"), ui.T("Undo"))))
}

// mailCase shows what a conversation is about. back is the address to which its forms return.
func mailCase(v *MailCase, back, decisionURL string, now time.Time) g.Node {
	what := v.Title
	if v.Comment && v.Said != "" {
		what = v.Said
	}
	return h.Section(h.Class("case about"), ui.Attr("aria-label", "What it is about"),
		g.If(v.URL != "", h.H2(h.A(h.Href(v.URL), ui.DisplayName(what)))),
		g.If(v.URL != "", h.P(h.Class("muted"), g.If(v.Held, ui.T("held")), g.If(v.Removed, ui.T("removed")),
			g.If(!v.Held && !v.Removed, ui.T("shown¦not removed")), ui.Dot, member(v.Author),
			g.If(v.Comment, g.Group{ui.Dot, ui.T("on {}¦comment", called(v.Title))}))),
		g.If(v.Said != "" && !v.Comment, h.P(h.Class("words"), g.Text(v.Said))),
		g.Iff(v.Decided != "" && decisionURL != "", func() g.Node { return decidedBefore(v, decisionURL, now) }),
		g.Iff(v.Target != "", func() g.Node { return mailDecide(v, back) }),
	)
}

// decidedBefore shows the decision that an appeal is against.
func decidedBefore(v *MailCase, url string, now time.Time) g.Node {
	return g.Group{
		h.P(h.A(h.Href(url), h.Strong(ui.T(v.Decided))), g.If(v.Rule != "", g.Group{ui.Dot, ui.T("Rule: {}", kept.Text(v.Rule))})),
		h.P(h.Class("muted"), ui.Ago(v.At, now), ui.Dot, ui.T("by {}", v.By),
			g.If(!v.Until.IsZero(), g.Group{ui.Dot, ui.T("until {}", day(v.Until))})),
		g.If(v.Undone, h.P(h.Role("status"), ui.T("This was undone later."))),
		g.If(v.Note != "", h.P(h.Class("note"), ui.T("The moderators to the member: {}", v.Note))),
	}
}

// mailDecide has the buttons: Remove for what is shown or held, Approve for what is removed or held.
func mailDecide(v *MailCase, back string) g.Node {
	form := func(inside ...g.Node) g.Node {
		return h.Form(ui.PostTo(v.DecideURL), ui.Hidden("target", v.Target), ui.Hidden("return", back), g.Group(inside))
	}
	return h.Div(h.Class("decide"),
		g.If(v.Held || v.Removed, form(h.Button(h.Class("button quiet"), h.Name("decision"), h.Value("approve"), ui.T("Approve")))),
		g.If(v.Held || !v.Removed, form(ui.Hidden("decision", "remove"), pick("Remove", "button quiet remove",
			removal{"rule", "", v.Rules, "text", "", "The author and the public log get it.", "Message to the author", nil}.panel()))))
}
