package moderation

import (
	"cmp"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
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
	Title     string       // of that post; "" for a comment of the viewer in a thread that is gone
	URL       string       // of the post or comment
	Form      ui.Form
}

// Conversations is the page of a ConversationsPage.
func Conversations(p ConversationsPage) g.Node {
	heading, empty := locale.Text("Messages to the administrators"), locale.Text("No messages.")
	if p.Community.Name != "" {
		heading = "Messages to the moderators"
	}
	if p.Own {
		heading, empty = "Messages", "You have not written to moderators yet."
	}
	return ui.ModPage(p.Frame, p.Nav,
		h.Div(h.Class("head"), h.Div(h.H1(ui.T(heading))),
			g.If(p.Own, h.Div(h.Class("do"), h.A(h.Class("button quiet"), h.Href("/messages/new"), ui.T("Write to the administrators"))))),
		g.If(len(p.Tabs) > 0, ui.Tabs("Show", p.Tabs)),
		g.If(len(p.Lines) == 0, h.Div(h.Class("empty quiet"), ui.Logo(), h.P(ui.T(empty)))),
		g.If(len(p.Lines) > 0, h.Ul(h.Class("decided"), g.Map(p.Lines, func(l ConversationLine) g.Node {
			return h.Li(h.A(h.Href(l.URL), ui.DisplayName(l.Subject)), g.Text(" "), h.P(h.Class("muted"),
				g.If(p.Own, ui.T(ui.ModeratorsOf(l.Community))),
				g.If(!p.Own, member(l.Member)),
				g.If(l.Appeal, g.Group{g.Text(" · "), ui.T("appeal")}), g.Text(" · "), lineState(l, p.Own),
				g.If(!p.Own && !l.Left && l.TakenBy != "", g.Group{g.Text(" · "), ui.T("taken by {}", l.TakenBy)}), g.Text(" · "),
				ui.Ago(l.At, p.Now)))
		}))),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

// states are the labels of states and verdicts of conversations.
var states = map[string]locale.Text{"open": "open", "answered": "answered", "closed": "closed", "upheld": "upheld",
	"overturned": "overturned"}

// lineState says how far a conversation is. own tells that the viewer is the member.
func lineState(l ConversationLine, own bool) g.Node {
	state := states[cmp.Or(l.Verdict, l.Status)]
	if l.Left && !own {
		return ui.T("{} by the member", state)
	}
	return ui.T(state)
}

// Conversation is the page of a ConversationPage.
func Conversation(p ConversationPage) g.Node {
	c := p.Community
	with := ui.ModeratorsOf(c.Name)
	if !p.Own {
		with = locale.With("With {}", called(p.Member))
	}
	return ui.Page(p.Frame, "", nil,
		g.If(c.Name != "", h.P(h.Class("crumb"), h.A(h.Href(ui.CommunityURL(c.Name)), ui.Icon(c.Name, c.Colour), ui.T(ui.PlaceName(c.Name))))),
		h.H1(ui.DisplayName(p.Subject)),
		h.P(h.Class("lead"), ui.T(with), g.Text(" · "), ui.T(states[p.Status]),
			g.If(p.AboutURL != "", g.Group{g.Text(" · "), h.A(h.Href(p.AboutURL), ui.T("what it is about"))}),
			g.If(p.DecisionURL != "", g.Group{g.Text(" · "), h.A(h.Href(p.DecisionURL), ui.T("the decision"))}),
			g.If(p.CardURL != "", g.Group{g.Text(" · "), h.A(h.Href(p.CardURL), ui.T("about the member"))}),
			g.Text(" · "), h.A(h.Href(p.ListURL), ui.T("all messages"))),
		ui.FormError(p.Form),
		g.If(p.Verdict != "", h.P(h.Class("notice"), h.Role("status"), ui.T(ui.Verdicts[p.Verdict]))),
		g.If(p.Status == "closed" && p.Verdict == "", h.P(h.Class("notice"), h.Role("status"), ui.T(closedBy(p)))),
		h.Div(h.Class("cases"), g.Map(p.Messages, func(m ui.ConversationMessage) g.Node { return ui.MessageRow(m, c.Name, p.Now) }),
			g.Iff(!p.Own || p.Status != "closed" || p.Left, func() g.Node {
				return h.Form(h.Class("case"), ui.PostTo(p.URL),
					ui.FormField(p.Form, ui.Input{Name: "text", Label: "Your message", Hint: "At most 2,000 characters. It can't be edited later.",
						Kind: "textarea", Attrs: g.Group{h.Rows("5"), h.MaxLength("2000")}}),
					g.If(!p.Own, h.P(h.Class("hint"), ui.T("The member reads messages without your name. Only moderators read notes."))),
					h.Div(h.Class("decide"), g.If(p.Own || !p.Left || p.DecisionURL != "", ui.Submit("Send")),
						g.If(!p.Own, h.Button(h.Class("button quiet"), h.Name("do"), h.Value("note"), ui.T("Add as a note"))),
						g.If(p.Status != "closed" && (p.DecisionURL == "" || p.Verdict != ""), h.Button(h.Class("button quiet"), h.Name("do"),
							h.Value("close"), ui.T("Close")))),
					g.If(p.JudgeURL != "", g.Group{h.P(h.Class("hint"), ui.T("This is an appeal. Your message, if you write one, gives the reason. The "+
						"verdict is final and closes the conversation.")),
						h.Div(h.Class("decide"), ui.VerdictButton(p.JudgeURL, "overturned", "Overturn"),
							ui.VerdictButton(p.JudgeURL, "upheld", "Uphold"))}))
			})),
		ui.WrittenScript(p.Viewer),
	)
}

// closedBy says who has closed a conversation, and what that means.
func closedBy(p ConversationPage) locale.Text {
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
		h.Form(h.Class("sheet"), ui.PostTo("/messages"), ui.FormError(f),
			h.P(h.Class("hint"), ui.T(reads)),
			g.If(p.Community.Name != "", ui.Hidden("community", p.Community.Name)), g.If(p.To != "", ui.Hidden("user", p.To)),
			g.If(p.Target != "", ui.Hidden("target", p.Target)),
			ui.FormField(f, ui.Input{Name: "title", Label: "Subject", Kind: "text", Attrs: g.Group{h.Required(), h.MaxLength("150"),
				h.AutoComplete("off")}}),
			ui.FormField(f, ui.Input{Name: "text", Label: "Message", Hint: "At most 2,000 characters. It can't be edited later.", Kind: "textarea",
				Attrs: g.Group{h.Required(), h.Rows("7"), h.MaxLength("2000")}}),
			h.Div(h.Class("row"), ui.Submit("Send"), ui.Cancel("/messages"))),
		ui.WrittenScript(p.Viewer)))
}

// placeOf leads to what a message is about.
func placeOf(p NewMessagePage) g.Node {
	if p.Title != "" || p.Community.Name == "" {
		return ui.PlaceOf(p.Community, p.URL, p.Title)
	}
	c := p.Community
	return h.Div(
		h.P(h.Class("crumb"), h.A(h.Href(ui.CommunityURL(c.Name)), ui.Icon(c.Name, c.Colour), ui.T(ui.PlaceName(c.Name)))),
		h.P(h.A(h.Class("place"), h.Href(p.URL), ui.T("Your comment"))),
	)
}
