package moderation

import (
	"cmp"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// ConversationsPage is a list of conversations between members and moderators: of a community's moderators, of the administrators, or the
// viewer's own.
type ConversationsPage struct {
	ui.Frame
	Nav       ui.ModNav          `json:"-"`
	Community ui.Community       `json:"-"` // none for administrators, and for the viewer's own
	Own       bool               `json:"-"`
	Tabs      []ui.Tab           `json:"-"`
	Lines     []ConversationLine `json:"items"` // The conversations, the one with the newest message first.
	FirstURL  string             `json:"-"`     // on later pages
	NextURL   string             `as:"following"`
}

// ConversationLine is a conversation in a list.
type ConversationLine struct {
	URL       string    `json:"permalink"`  // Address of the conversation.
	Subject   string    `json:"subject"`    // What it is about.
	Community string    `json:"community"`  // Name of the community; empty for the administrators.
	Member    string    `json:"member"`     // Username of the member; empty for a deleted account.
	Status    string    `json:"status"`     // `open`, `answered` or `closed`.
	Left      bool      `json:"left"`       // Whether the member has closed it.
	TakenBy   string    `json:"taken_by"`   // Username of the moderator who has answered last, for moderators.
	Appeal    bool      `json:"appeal"`     // Whether it is an appeal.
	Verdict   string    `json:"verdict"`    // Of an appeal: `upheld`, `overturned`, or empty while nobody has decided.
	At        time.Time `json:"updated_at"` // When the newest message was written.
}

// ConversationPage is a conversation. Fields: text, do; verdict of the form that decides about an appeal.
type ConversationPage struct {
	ui.Frame
	Community ui.Community `json:"-"`         // name and colour; none for the administrators
	URL       string       `json:"permalink"` // Address of the conversation.
	ListURL   string       `json:"-"`
	// Of what the community knows of the member; "" for the member, and for administrators.
	CardURL     string `json:"-"`
	Subject     string `json:"subject"`            // What it is about.
	Member      string `json:"member"`             // Username of the member; empty for a deleted account.
	AboutURL    string `json:"about" as:"text"`    // Address of the post or comment that it is about; null for none.
	DecisionURL string `json:"decision" as:"text"` // Address of the decision that it is about; null for none.
	Status      string `json:"status"`             // `open`, `answered` or `closed`.
	Left        bool   `json:"left"`               // Whether the member has closed it.
	Own         bool   `json:"own"`                // Whether the viewer is the member.
	// Of an appeal: `upheld`, `overturned`, or empty while nobody has decided.
	Verdict  string                   `json:"verdict"`
	JudgeURL string                   `json:"-"`     // where the viewer decides about the appeal; "" for others, and when it is decided
	Messages []ui.ConversationMessage `json:"items"` // The messages, oldest first.
	Form     ui.Form                  `json:"-"`
}

// NewMessagePage is the form that begins a conversation. Fields: community, user, target, title, text.
type NewMessagePage struct {
	ui.Frame
	Community ui.Community // name and colour; none for the administrators
	To        string       // the member to whom a moderator writes
	Target    string       // text id of the post or comment that it is about
	Title     string       // of that post
	URL       string       // of the post or comment
	Form      ui.Form
}

// Conversations is the page of a ConversationsPage.
func Conversations(p ConversationsPage) g.Node {
	heading, empty := "Messages to the administrators", "No messages."
	if p.Community.Name != "" {
		heading = "Messages to the moderators"
	}
	if p.Own {
		heading, empty = "Messages", "You have not written to moderators yet."
	}
	return ui.ModPage(p.Frame, p.Nav,
		h.Div(h.Class("head"), h.Div(h.H1(g.Text(heading))),
			g.If(p.Own, h.Div(h.Class("do"), h.A(h.Class("button quiet"), h.Href("/messages/new"), g.Text("Write to the administrators"))))),
		g.If(len(p.Tabs) > 0, ui.Tabs("Show", p.Tabs)),
		g.If(len(p.Lines) == 0, h.Div(h.Class("empty quiet"), ui.Logo(), h.P(g.Text(empty)))),
		g.If(len(p.Lines) > 0, h.Ul(h.Class("decided"), g.Map(p.Lines, func(l ConversationLine) g.Node {
			return h.Li(h.A(h.Href(l.URL), g.Text(ui.DisplayName(l.Subject))), g.Text(" "), h.P(h.Class("muted"),
				g.If(p.Own, g.Text(ui.ModeratorsOf(l.Community))),
				g.If(!p.Own && l.Member != "", ui.Author(l.Member)), g.If(!p.Own && l.Member == "", h.Span(h.Class("gone"), g.Text("[deleted]"))),
				g.If(l.Appeal, g.Text(" · appeal")), g.Text(" · "+cmp.Or(l.Verdict, l.Status)), g.If(!p.Own && l.Left, g.Text(" by the member")),
				g.If(!p.Own && !l.Left && l.TakenBy != "", g.Text(" · taken by "+l.TakenBy)), g.Text(" · "), ui.Ago(l.At, p.Now)))
		}))),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

// Conversation is the page of a ConversationPage.
func Conversation(p ConversationPage) g.Node {
	c := p.Community
	with := ui.ModeratorsOf(c.Name)
	if !p.Own {
		with = "With " + ui.DisplayName(p.Member)
	}
	return ui.Page(p.Frame, "", nil,
		g.If(c.Name != "", h.P(h.Class("crumb"), h.A(h.Href(ui.CommunityURL(c.Name)), ui.Icon(c.Name, c.Colour), g.Text(ui.PlaceName(c.Name))))),
		h.H1(g.Text(ui.DisplayName(p.Subject))),
		h.P(h.Class("lead"), g.Text(with+" · "+p.Status),
			g.If(p.AboutURL != "", g.Group{g.Text(" · "), h.A(h.Href(p.AboutURL), g.Text("what it is about"))}),
			g.If(p.DecisionURL != "", g.Group{g.Text(" · "), h.A(h.Href(p.DecisionURL), g.Text("the decision"))}),
			g.If(p.CardURL != "", g.Group{g.Text(" · "), h.A(h.Href(p.CardURL), g.Text("about the member"))}),
			g.Text(" · "), h.A(h.Href(p.ListURL), g.Text("all messages"))),
		ui.FormError(p.Form),
		g.If(p.Verdict != "", h.P(h.Class("notice"), h.Role("status"), g.Text(ui.Verdicts[p.Verdict]))),
		g.If(p.Status == "closed" && p.Verdict == "", h.P(h.Class("notice"), h.Role("status"), g.Text(closedBy(p)))),
		h.Div(h.Class("cases"), g.Map(p.Messages, func(m ui.ConversationMessage) g.Node { return ui.MessageRow(m, c.Name, p.Now) }),
			g.Iff(!p.Own || p.Status != "closed" || p.Left, func() g.Node {
				return h.Form(h.Class("case"), ui.PostTo(p.URL),
					ui.FormField(p.Form, ui.Input{Name: "text", Label: "Your message", Hint: "At most 2,000 characters. It can't be edited later.",
						Kind: "textarea", Attrs: g.Group{h.Rows("5"), h.MaxLength("2000")}}),
					g.If(!p.Own, h.P(h.Class("hint"), g.Text("The member reads messages without your name. Only moderators read notes."))),
					h.Div(h.Class("decide"), g.If(p.Own || !p.Left || p.DecisionURL != "", ui.Submit("Send")),
						g.If(!p.Own, h.Button(h.Class("button quiet"), h.Name("do"), h.Value("note"), g.Text("Add as a note"))),
						g.If(p.Status != "closed" && (p.DecisionURL == "" || p.Verdict != ""), h.Button(h.Class("button quiet"), h.Name("do"),
							h.Value("close"), g.Text("Close")))),
					g.If(p.JudgeURL != "", g.Group{h.P(h.Class("hint"), g.Text("This is an appeal. Your message, if you write one, gives the reason. The "+
						"verdict is final and closes the conversation.")),
						h.Div(h.Class("decide"), ui.VerdictButton(p.JudgeURL, "overturned", "Overturn"),
							ui.VerdictButton(p.JudgeURL, "upheld", "Uphold"))}))
			})),
		ui.WrittenScript(p.Viewer),
	)
}

// closedBy says who has closed a conversation, and what that means.
func closedBy(p ConversationPage) string {
	switch {
	case p.Left && p.Own:
		return "You have closed this conversation. If you write again, it is open again."
	case p.Left:
		return "The member has closed this conversation. You can add notes."
	case p.Own:
		return "The moderators have closed this conversation. You can begin another one."
	}
	return "This conversation is closed. If you write again, it is open again."
}

// NewMessage is the page of a NewMessagePage.
func NewMessage(p NewMessagePage) g.Node {
	f := p.Form
	heading, reads := "Write to the administrators", "The administrators of this site read it."
	if p.Community.Name != "" {
		heading, reads = "Write to the moderators of c/"+p.Community.Name, "All moderators of the community read it."
	}
	if p.To != "" {
		heading, reads = "Write to "+p.To, "You write as "+ui.LowerFirst(ui.ModeratorsOf(p.Community.Name))+
			". All of them can read the conversation."
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(g.Text(heading)),
		g.If(p.URL != "", ui.PlaceOf(p.Community, p.URL, p.Title)),
		h.Form(h.Class("sheet"), ui.PostTo("/messages"), ui.FormError(f),
			h.P(h.Class("hint"), g.Text(reads)),
			g.If(p.Community.Name != "", ui.Hidden("community", p.Community.Name)), g.If(p.To != "", ui.Hidden("user", p.To)),
			g.If(p.Target != "", ui.Hidden("target", p.Target)),
			ui.FormField(f, ui.Input{Name: "title", Label: "Subject", Kind: "text", Attrs: g.Group{h.Required(), h.MaxLength("150"),
				h.AutoComplete("off")}}),
			ui.FormField(f, ui.Input{Name: "text", Label: "Message", Hint: "At most 2,000 characters. It can't be edited later.", Kind: "textarea",
				Attrs: g.Group{h.Required(), h.Rows("7"), h.MaxLength("2000")}}),
			h.Div(h.Class("row"), ui.Submit("Send"), ui.Cancel("/messages"))),
		ui.WrittenScript(p.Viewer)))
}
