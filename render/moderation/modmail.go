package moderation

import (
	"cmp"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// ConversationsPage is a list of conversations between members and moderators: of a community's moderators, of the administrators, or the
// viewer's own.
type ConversationsPage struct {
	ui.Frame
	Nav       ui.ModNav          `json:"-"`
	Community ui.Community       `json:"-"` // zero for administrators, and for the viewer's own
	Own       bool               `json:"-"`
	Tabs      []ui.Tab           `json:"-"`
	Lines     []ConversationLine `json:"items"` // The conversations, the one with the newest message first.
	FirstURL  string             `json:"-"`     // "" on page one
	NextURL   string             `as:"following"`
	Handled   *Handled           `json:"-"` // the conversation that the moderator has just answered or closed; nil for none
}

// ConversationLine is a conversation in a list.
type ConversationLine struct {
	URL            string    `json:"permalink"`       // Address of the conversation.
	Subject        string    `json:"subject"`         // What it is about.
	Community      string    `json:"community"`       // Name of the community; empty for the administrators.
	Member         string    `json:"member"`          // Username of the member; empty for a deleted account.
	Status         string    `json:"status"`          // `open`, `answered` or `closed`.
	ClosedByMember bool      `json:"left"`            // Whether the member has closed it.
	TakenBy        string    `json:"taken_by"`        // Username of the moderator who has answered last, for moderators.
	Appeal         bool      `json:"appeal"`          // Whether it is an appeal.
	Verdict        string    `json:"verdict"`         // Of an appeal: `upheld`, `overturned`, or empty while nobody has decided.
	At             time.Time `json:"updated_at"`      // When the newest message was written.
	AboutURL       string    `json:"about" as:"text"` // Address of the post or comment that it is about; null for none.
	Said           string    `json:"excerpt"`         // The first characters of the newest message.
	Unread         bool      `json:"unread"`          // Whether you were told of a message and have not read it.
}

// ConversationPage is a conversation. Fields: text, do; verdict of the form that decides about an appeal.
type ConversationPage struct {
	ui.Frame
	Community ui.Community `json:"-"`         // name and colour; zero for the administrators
	URL       string       `json:"permalink"` // Address of the conversation.
	ListURL   string       `json:"-"`
	// Of the member's card; "" for the member, and for administrators.
	CardURL        string `json:"-"`
	Subject        string `json:"subject"`            // What it is about.
	Member         string `json:"member"`             // Username of the member; empty for a deleted account.
	AboutURL       string `json:"about" as:"text"`    // Address of the post or comment that it is about; null for none.
	DecisionURL    string `json:"decision" as:"text"` // Address of the decision that it is about; null for none.
	Status         string `json:"status"`             // `open`, `answered` or `closed`.
	ClosedByMember bool   `json:"left"`               // Whether the member has closed it.
	Own            bool   `json:"own"`                // Whether the viewer is the member.
	// Of an appeal: `upheld`, `overturned`, or empty while nobody has decided.
	Verdict  string                   `json:"verdict"`
	JudgeURL string                   `json:"-"`     // where the viewer decides about the appeal; "" for others, and when it is decided
	Messages []ui.ConversationMessage `json:"items"` // The messages, oldest first.
	Form     ui.Form                  `json:"-"`

	// For moderators.
	Nav     ui.ModNav `json:"-"`
	Case    *MailCase `json:"-"` // what it is about; nil for nothing
	Ban     *BanLine  `json:"-"` // the member's ban or mute; nil for none
	BansURL string    `json:"-"` // where it is changed
	NextURL string    `json:"-"` // of the next open conversation; "" for none
	Onward  string    `json:"-"` // where the page leads after the moderator has answered or closed this one
	Handled *Handled  `json:"-"` // the conversation that they have just answered or closed; nil for none
}

// NewMessagePage is the form that begins a conversation. Fields: community, user, target, title, text.
type NewMessagePage struct {
	ui.Frame
	Community ui.Community // name and colour; zero for the administrators
	To        string       // the member to whom a moderator writes
	Target    string       // text id of the post or comment that it is about
	Title     string       // of that post; "" for a comment of the viewer in a thread that is gone
	URL       string       // of the post or comment
	Form      ui.Form
}

// Conversations is the page of a ConversationsPage.
func Conversations(p ConversationsPage) g.Node {
	heading, empty := locale.Text("Messages to the administrators"), ui.Nothing("No messages.", "Administration", "/admin")
	if p.Community.Name != "" {
		heading = "Messages to the moderators"
		empty.Next = ui.Tab{Label: "Queue", URL: ui.CommunityURL(p.Community.Name) + "/mod/queue"}
	}
	if p.Own {
		heading, empty = "Messages", ui.Nothing("You have not written to moderators yet.", "Write to the administrators", "/messages/new")
	}
	return ui.ModPage(p.Frame, p.Nav,
		h.Div(h.Class("head"), h.Div(h.H1(ui.T(heading))),
			g.If(p.Own, h.Div(h.Class("do"), h.A(h.Class("button quiet"), h.Href("/messages/new"), ui.T("Write to the administrators"))))),
		g.If(len(p.Tabs) > 0, ui.Tabs("Show", p.Tabs)),
		g.Iff(p.Handled != nil, func() g.Node { return p.Handled.flash() }),
		g.If(len(p.Lines) == 0, ui.EmptyState(empty)),
		h.Div(h.Class("talks"), ui.Rows(p.Lines, func(l ConversationLine) g.Node {
			return ui.Row(g.Group{h.A(h.Href(l.URL), ui.DisplayName(l.Subject)), g.If(l.Unread, h.Span(h.Class("vh"), ui.T("unread"))),
				g.If(l.Said != "", h.P(h.Class("ex"), ui.T(kept.Text(l.Said))))}, g.Group{
				g.If(p.Own, ui.T(ui.ModeratorsOf(l.Community))),
				g.If(!p.Own, member(l.Member)),
				g.If(l.Appeal, g.Group{ui.Dot, ui.T("appeal")}),
				g.If(l.AboutURL != "" && !l.Appeal, g.Group{ui.Dot, ui.T(kindOf(l.AboutURL))}), ui.Dot, lineState(l, p.Own),
				g.If(!p.Own && !l.ClosedByMember && l.TakenBy != "", g.Group{ui.Dot, ui.T("taken by {}", l.TakenBy)}), ui.Dot,
				ui.Ago(l.At, p.Now),
			}, nil, g.If(l.Unread, h.Class("unread")))
		})),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

// states are the labels of states and verdicts of conversations.
var states = map[string]locale.Text{"open": "open", "answered": "answered", "closed": "closed", "upheld": "upheld",
	"overturned": "overturned"}

// lineState is the label of a conversation's state. own means that the viewer is the member.
func lineState(l ConversationLine, own bool) g.Node {
	state := states[cmp.Or(l.Verdict, l.Status)]
	if l.ClosedByMember && !own {
		return ui.T("{} by the member", state)
	}
	return ui.T(state)
}

// kindOf says whether a conversation is about a post or a comment, by the address.
func kindOf(url string) locale.Text {
	if strings.Count(url, "/") == 5 || strings.HasPrefix(url, "/p/") && strings.Count(url, "/") == 3 {
		return "about a comment"
	}
	return "about a post"
}

// Conversation is the page of a ConversationPage.
func Conversation(p ConversationPage) g.Node {
	if !p.Own {
		return modConversation(p)
	}
	c := p.Community
	return ui.Page(p.Frame, "", nil,
		g.If(c.Name != "", h.P(h.Class("crumb"), ui.CommunityLink(c))),
		h.H1(ui.DisplayName(p.Subject)),
		h.P(h.Class("lead"), ui.T(ui.ModeratorsOf(c.Name)), ui.Dot, ui.T(states[p.Status]),
			g.If(p.AboutURL != "", g.Group{ui.Dot, h.A(h.Href(p.AboutURL), ui.T("what it is about"))}),
			g.If(p.DecisionURL != "", g.Group{ui.Dot, h.A(h.Href(p.DecisionURL), ui.T("the decision"))}),
			ui.Dot, h.A(h.Href(p.ListURL), ui.T("all messages"))),
		ui.FormError(p.Form),
		g.If(p.Verdict != "", h.P(h.Class("notice"), h.Role("status"), ui.T(ui.Verdicts[p.Verdict]))),
		g.If(p.Status == "closed" && p.Verdict == "", h.P(h.Class("notice"), h.Role("status"), ui.T(closedBy(p)))),
		h.Div(h.Class("cases"), g.Map(p.Messages, func(m ui.ConversationMessage) g.Node { return ui.MessageRow(m, c.Name, p.Now) }),
			g.Iff(p.Status != "closed" || p.ClosedByMember, func() g.Node {
				return h.Form(h.Class("case"), ui.PostTo(p.URL), p.messageField(),
					h.Div(h.Class("decide"), ui.Submit("Send"), g.If(p.closes(), h.Button(h.Class("button quiet"), h.Name("do"), h.Value("close"),
						ui.T("Close")))))
			})),
		ui.DraftScript(p.Viewer),
	)
}

func (p *ConversationPage) messageField() g.Node {
	return ui.FormField(p.Form, ui.Input{Name: "text", Label: "Your message",
		Hint: "Markdown, at most 2,000 characters. It can't be edited later.",
		Kind: "textarea", Attrs: g.Group{h.Rows("5"), h.MaxLength("2000")}})
}

// closes reports whether it can be closed: a verdict closes an appeal.
func (p *ConversationPage) closes() bool {
	return p.Status != "closed" && (p.DecisionURL == "" || p.Verdict != "")
}

// modConversation is the page of a conversation for its moderators. What it is about is at the top, with the buttons that decide about it.
// A bar answers or closes the conversation and leads to the next one. On phones the bar is at the lower edge, within reach of the thumb.
func modConversation(p ConversationPage) g.Node {
	return ui.ModPage(p.Frame, p.Nav,
		g.Iff(p.Handled != nil, func() g.Node { return p.Handled.flash() }),
		h.H1(ui.DisplayName(p.Subject)),
		h.P(h.Class("lead beside"), ui.T("With {}", called(p.Member)), ui.Dot, ui.T(states[p.Status]),
			g.If(p.CardURL != "", g.Group{ui.Dot, h.A(h.Href(p.CardURL), ui.T("about the member"))}),
			g.If(p.Case == nil && p.AboutURL != "", g.Group{ui.Dot, h.A(h.Href(p.AboutURL), ui.T("what it is about"))})),
		ui.FormError(p.Form),
		g.If(p.Verdict != "", h.P(h.Class("notice"), h.Role("status"), ui.T(ui.Verdicts[p.Verdict]))),
		g.If(p.Status == "closed" && p.Verdict == "", h.P(h.Class("notice"), h.Role("status"), ui.T(closedBy(p)))),
		h.Div(h.Class("cases"),
			g.Iff(p.Case != nil, func() g.Node { return mailCase(p.Case, p.URL, p.DecisionURL, p.Now) }),
			g.Iff(p.Ban != nil, func() g.Node { return banForms(p.Ban, p.BansURL, p.URL) }),
			g.Map(p.Messages, func(m ui.ConversationMessage) g.Node { return ui.MessageRow(m, p.Community.Name, p.Now) }),
			p.replyForm()),
		p.bar(),
		ui.DraftScript(p.Viewer), queueScript(),
	)
}

// SavedReplies are messages that moderators can send with one click. They are stored in English, and each reader sees them in their own
// language.
var SavedReplies = []string{"Thank you. We will look into it.", "Thank you. We have taken care of it.", "Please tell us more about it.",
	"Please read the rules of the community."}

// canReply reports whether moderators can write to the member.
func (p *ConversationPage) canReply() bool { return !p.ClosedByMember || p.DecisionURL != "" }

func (p *ConversationPage) replyForm() g.Node {
	return h.Form(h.Class("case"), h.ID("mail"), ui.PostTo(p.URL), ui.Hidden("onward", p.Onward),
		g.If(p.JudgeURL != "", h.P(h.Class("hint"), ui.T("This is an appeal. Your message, if you write one, gives the reason. The verdict is "+
			"final and closes the conversation."))),
		p.messageField(),
		h.P(h.Class("hint"), ui.T("The member reads messages without your name. Only moderators read notes.")),
		h.Div(h.Class("decide"), g.If(p.canReply(), ui.Submit("Send")),
			h.Button(h.Class("button quiet"), h.Name("do"), h.Value("note"), ui.T("Add as a note"))),
		g.Iff(p.canReply() && p.JudgeURL == "", func() g.Node {
			return h.Div(h.Class("saved-replies"), h.P(h.Class("hint"), ui.T("Or send one of these:")),
				h.Ul(g.Map(SavedReplies, func(text string) g.Node {
					return h.Li(h.Button(h.Name("reply"), h.Value(text), ui.T(kept.Text(text))))
				})))
		}))
}

// bar has the buttons that lead to the reply form, close the conversation or decide about the appeal.
func (p *ConversationPage) bar() g.Node {
	button := func(name, value string, label locale.Text, more ...g.Node) g.Node {
		return h.Button(h.Class("button quiet"), h.FormAttr("mail"), h.Name(name), h.Value(value), g.Group(more), ui.T(label))
	}
	return h.Div(h.Class("mailbar"),
		g.If(p.canReply(), h.A(h.Class("button quiet to-reply"), h.Href("#mail"), ui.T("Reply¦verb"))),
		g.If(p.closes(), button("do", "close", "Close")),
		g.If(p.JudgeURL != "", g.Group{button("verdict", "overturned", "Overturn", h.FormAction(p.JudgeURL)),
			button("verdict", "upheld", "Uphold", h.FormAction(p.JudgeURL))}),
		g.If(p.NextURL != "", h.A(h.Class("button quiet next"), h.Href(p.NextURL), ui.T("Next"))))
}

// closedBy says who has closed a conversation, and what that means.
func closedBy(p ConversationPage) locale.Text {
	switch {
	case p.ClosedByMember && p.Own:
		return "You have closed this conversation. If you write again, it is open again."
	case p.ClosedByMember:
		return "The member has closed this conversation. You can add notes."
	case p.Own:
		return "The moderators have closed this conversation. You can begin another one."
	}
	return "This conversation is closed. If you write again, it is open again."
}

// NewMessage is the page of a NewMessagePage.
func NewMessage(p NewMessagePage) g.Node {
	f := p.Form
	heading, reads := locale.Text("Write to the administrators"), locale.Text("The administrators of this site read it.")
	if p.Community.Name != "" {
		heading, reads = locale.With("Write to the moderators of c/{}", p.Community.Name), "All moderators of the community read it."
	}
	if p.To != "" {
		heading = locale.With("Write to {}", p.To)
		reads = locale.With("You write as {}. All of them can read the conversation.", ui.TheModeratorsOf(p.Community.Name))
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T(heading)),
		g.If(p.URL != "", placeOf(p)),
		h.Form(h.Class("sheet form-rows"), ui.PostTo("/messages"), ui.FormError(f),
			h.P(h.Class("hint"), ui.T(reads)),
			g.If(p.Community.Name != "", ui.Hidden("community", p.Community.Name)), g.If(p.To != "", ui.Hidden("user", p.To)),
			g.If(p.Target != "", ui.Hidden("target", p.Target)),
			ui.FormField(f, ui.Input{Name: "title", Label: "Subject", Kind: "text", Attrs: g.Group{h.Required(), h.MaxLength("150"),
				h.AutoComplete("off")}}),
			ui.FormField(f, ui.Input{Name: "text", Label: "Message",
				Hint: "Markdown, at most 2,000 characters. It can't be edited later.", Kind: "textarea",
				Attrs: g.Group{h.Required(), h.Rows("7"), h.MaxLength("2000")}}),
			h.Div(h.Class("row"), ui.Submit("Send"), ui.Cancel("/messages"))),
		ui.DraftScript(p.Viewer)))
}

// placeOf links to what a message is about.
func placeOf(p NewMessagePage) g.Node {
	if p.Title != "" || p.Community.Name == "" {
		return ui.TargetLink(p.Community, p.URL, p.Title)
	}
	return h.Div(
		h.P(h.Class("crumb"), ui.CommunityLink(p.Community)),
		h.P(h.A(h.Class("place"), h.Href(p.URL), ui.T("Your comment"))),
	)
}
