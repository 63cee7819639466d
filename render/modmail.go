package render

import (
	"cmp"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// ConversationsPage is a list of conversations between members and moderators: of a community's moderators, of the administrators, or the
// viewer's own.
type ConversationsPage struct {
	Frame
	Community Community // none for administrators, and for the viewer's own
	Own       bool
	Tabs      []Tab
	Lines     []ConversationLine
	FirstURL  string // on later pages
	NextURL   string
}

// ConversationLine is a conversation in a list.
type ConversationLine struct {
	URL       string
	Community string // "" for the administrators
	Member    string // "" when the account is gone
	Subject   string
	Status    string // open, answered or closed
	Left      bool   // the member has closed it
	TakenBy   string // the moderator who has answered last
	At        time.Time
	Appeal    bool
	Verdict   string // of an appeal; "" while nobody has decided
}

// ConversationPage is a conversation. Fields: text, do; verdict of the form that decides about an appeal.
type ConversationPage struct {
	Frame
	Community   Community // name and colour; none for the administrators
	URL         string
	ListURL     string
	CardURL     string // of what the community knows of the member; "" for the member, and for administrators
	Subject     string
	Member      string // "" when the account is gone
	AboutURL    string // of the post or comment; "" none
	Status      string
	Left        bool   // the member has closed it
	Own         bool   // the viewer is the member
	Verdict     string // upheld or overturned; "" while nobody has decided
	DecisionURL string // of the decision
	JudgeURL    string // where the viewer decides about the appeal; "" for others, and when it is decided
	Messages    []ConversationMessage
	Form        Form
}

// ConversationMessage is one message of a conversation.
type ConversationMessage struct {
	ID     string
	Side   string // member, moderators or note
	Author string // "" for a moderator whom the viewer is not told, or when the account is gone
	Text   string
	At     time.Time
}

// NewMessagePage is the form that begins a conversation. Fields: community, user, target, title, text.
type NewMessagePage struct {
	Frame
	Community Community // name and colour; none for the administrators
	To        string    // the member to whom a moderator writes
	Target    string    // text id of the post or comment that it is about
	Title     string    // of that post
	URL       string    // of the post or comment
	Form      Form
}

// moderatorsOf names those who read a message to a community, or to the site.
func moderatorsOf(community string) string {
	if community == "" {
		return "The administrators"
	}
	return "The moderators of c/" + community
}

// Conversations is the page of a ConversationsPage.
func Conversations(p ConversationsPage) g.Node {
	c := p.Community
	label, side, heading, empty := "", g.Node(nil), "Messages to the administrators", "Nothing here."
	if c.Name != "" {
		label, side, heading = "About c/"+c.Name, communitySide(c), "Messages to the moderators"
	}
	if p.Own {
		heading, empty = "Messages", "You have written to no moderators yet."
	}
	return page(p.Frame, label, side,
		g.If(c.Name != "", h.P(h.Class("crumb"), h.A(h.Href(communityURL(c.Name)), icon(c.Name, c.Colour), g.Text(placeName(c.Name))))),
		g.If(c.Name == "" && !p.Own, h.P(h.Class("crumb"), h.A(h.Href("/admin"), g.Text("Administration")))),
		h.Div(h.Class("head"), h.Div(h.H1(g.Text(heading))),
			g.If(p.Own, h.Div(h.Class("do"), h.A(h.Class("button quiet"), h.Href("/messages/new"), g.Text("Write to the administrators"))))),
		g.If(len(p.Tabs) > 0, tabs("What to show", p.Tabs)),
		g.If(len(p.Lines) == 0, h.Div(h.Class("empty quiet"), logo(), h.P(g.Text(empty)))),
		g.If(len(p.Lines) > 0, h.Ul(h.Class("decided"), g.Map(p.Lines, func(l ConversationLine) g.Node {
			return h.Li(h.A(h.Href(l.URL), g.Text(named(l.Subject))), g.Text(" "), h.P(h.Class("muted"),
				g.If(p.Own, g.Text(moderatorsOf(l.Community))),
				g.If(!p.Own && l.Member != "", author(l.Member)), g.If(!p.Own && l.Member == "", h.Span(h.Class("gone"), g.Text("[deleted]"))),
				g.If(l.Appeal, g.Text(" · appeal")), g.Text(" · "+cmp.Or(l.Verdict, l.Status)), g.If(!p.Own && l.Left, g.Text(" by the member")), g.If(!p.Own && !l.Left && l.TakenBy != "", g.Text(" · taken by "+l.TakenBy)), g.Text(" · "), ago(l.At, p.Now)))
		}))),
		turning(p.FirstURL, p.NextURL),
	)
}

// Conversation is the page of a ConversationPage.
func Conversation(p ConversationPage) g.Node {
	c := p.Community
	with := moderatorsOf(c.Name)
	if !p.Own {
		with = "With " + named(p.Member)
	}
	return page(p.Frame, "", nil,
		g.If(c.Name != "", h.P(h.Class("crumb"), h.A(h.Href(communityURL(c.Name)), icon(c.Name, c.Colour), g.Text(placeName(c.Name))))),
		h.H1(g.Text(named(p.Subject))),
		h.P(h.Class("lead"), g.Text(with+" · "+p.Status), g.If(p.AboutURL != "", g.Group{g.Text(" · "), h.A(h.Href(p.AboutURL), g.Text("what it is about"))}),
			g.If(p.DecisionURL != "", g.Group{g.Text(" · "), h.A(h.Href(p.DecisionURL), g.Text("the decision"))}),
			g.If(p.CardURL != "", g.Group{g.Text(" · "), h.A(h.Href(p.CardURL), g.Text("about the member"))}),
			g.Text(" · "), h.A(h.Href(p.ListURL), g.Text("all messages"))),
		formError(p.Form),
		g.If(p.Verdict != "", h.P(h.Class("notice"), h.Role("status"), g.Text(verdicts[p.Verdict]))),
		g.If(p.Status == "closed" && p.Verdict == "", h.P(h.Class("notice"), h.Role("status"), g.Text(closedBy(p)))),
		h.Div(h.Class("cases"), g.Map(p.Messages, func(m ConversationMessage) g.Node { return conversationMessage(m, c.Name, p.Now) }),
			g.Iff(!p.Own || p.Status != "closed" || p.Left, func() g.Node {
				return h.Form(h.Class("case"), sentTo(p.URL),
					field(p.Form, input{name: "text", label: "Your message", hint: "At most 2,000 characters. Nobody can change it later.", kind: "textarea", attrs: g.Group{h.Rows("5"), h.MaxLength("2000")}}),
					g.If(!p.Own, h.P(h.Class("hint"), g.Text("The member reads messages without your name. Only moderators read notes."))),
					h.Div(h.Class("decide"), g.If(p.Own || !p.Left || p.DecisionURL != "", submit("Send")),
						g.If(!p.Own, h.Button(h.Class("button quiet"), h.Name("do"), h.Value("note"), g.Text("Add as a note"))),
						g.If(p.Status != "closed" && (p.DecisionURL == "" || p.Verdict != ""), h.Button(h.Class("button quiet"), h.Name("do"), h.Value("close"), g.Text("Close")))),
					g.If(p.JudgeURL != "", g.Group{h.P(h.Class("hint"), g.Text("It is an appeal. Your message says why, if you write one. The verdict is final and closes the conversation.")),
						h.Div(h.Class("decide"), judge(p.JudgeURL, "overturned", "Take the decision back"), judge(p.JudgeURL, "upheld", "Let it stand"))}))
			})),
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

// verdicts say what became of an appeal.
var verdicts = map[string]string{"upheld": "The decision was looked at again, and stands.", "overturned": "The decision was looked at again, and taken back."}

// judge is a button of the form of a conversation that decides about the appeal.
func judge(url, verdict, label string) g.Node {
	return h.Button(h.Class("button quiet"), h.FormAction(url), h.Name("verdict"), h.Value(verdict), g.Text(label))
}

func conversationMessage(m ConversationMessage, community string, now time.Time) g.Node {
	who := author(m.Author)
	if m.Author == "" {
		who = h.Span(h.Class("gone"), g.Text("[deleted]"))
	}
	switch {
	case m.Side == "note":
		who = g.Group{who, g.Text(" · note")}
	case m.Side == "moderators" && m.Author == "":
		who = g.Text(moderatorsOf(community))
	case m.Side == "moderators":
		who = g.Group{who, g.Text(" · for " + lowerFirst(moderatorsOf(community)))}
	}
	return h.Article(h.Class("case"), h.ID("m-"+m.ID), h.P(h.Class("muted"), who, g.Text(" · "), ago(m.At, now)), h.P(h.Class("quoted"), g.Text(m.Text)))
}

// NewMessage is the page of a NewMessagePage.
func NewMessage(p NewMessagePage) g.Node {
	f := p.Form
	heading, reads := "Write to the administrators", "The administrators of this site read it."
	if p.Community.Name != "" {
		heading, reads = "Write to the moderators of c/"+p.Community.Name, "All moderators of the community read it."
	}
	if p.To != "" {
		heading, reads = "Write to "+p.To, "You write for "+lowerFirst(moderatorsOf(p.Community.Name))+". All of them read it, and the answers."
	}
	return page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(g.Text(heading)),
		g.If(p.URL != "", placeOf(p.Community, p.URL, p.Title)),
		h.Form(h.Class("sheet"), sentTo("/messages"), formError(f),
			h.P(h.Class("hint"), g.Text(reads)),
			g.If(p.Community.Name != "", hidden("community", p.Community.Name)), g.If(p.To != "", hidden("user", p.To)), g.If(p.Target != "", hidden("target", p.Target)),
			field(f, input{name: "title", label: "Subject", kind: "text", attrs: g.Group{h.Required(), h.MaxLength("150"), h.AutoComplete("off")}}),
			field(f, input{name: "text", label: "Message", hint: "At most 2,000 characters. Nobody can change it later.", kind: "textarea", attrs: g.Group{h.Required(), h.Rows("7"), h.MaxLength("2000")}}),
			h.Div(h.Class("row"), submit("Send"), cancel("/messages")))))
}

func lowerFirst(s string) string { return "t" + s[1:] }
