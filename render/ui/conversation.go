package ui

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/markdown"
)

// ConversationMessage is one message of a conversation.
type ConversationMessage struct {
	ID     string        `json:"id" as:"id"` // Id of the message.
	Side   string        `json:"side"`       // `member`, `moderators`, or `note` for one among moderators.
	Author string        `json:"author"`     // Username; empty for a moderator whom the viewer is not told, and for a deleted account.
	Text   string        `json:"text"`       // What it says, as typed; empty when it was erased.
	HTML   markdown.HTML `json:"text_html"`  // What it says, as safe HTML.
	At     time.Time     `json:"created_at"` // When it was written.
	// EraseURL is where administrators erase it; "" for others.
	EraseURL string `json:"-"`
}

// Verdicts are the texts for the verdicts of appeals.
var Verdicts = map[string]locale.Text{"upheld": "The decision was reviewed and upheld.",
	"overturned": "The decision was reviewed and overturned."}

// MessageRow is one message. A text that the site wrote is in the reader's language.
func MessageRow(m ConversationMessage, community string, now time.Time) g.Node {
	who := Author(m.Author)
	if m.Author == "" {
		who = h.Span(h.Class("gone"), T("[deleted]"))
	}
	switch {
	case m.Side == "note":
		who = g.Group{who, Dot, T("note¦between moderators")}
	case m.Side == "moderators" && m.Author == "":
		who = T(ModeratorsOf(community))
	case m.Side == "moderators":
		who = g.Group{who, Dot, T("for {}", TheModeratorsOf(community))}
	}
	text := quotedText(m.HTML)
	if m.Text == "" {
		text = h.P(h.Class("gone"), T("[erased]"))
	} else if stored := kept.Text(m.Text); stored != locale.Verbatim(m.Text) {
		text = h.P(T(stored))
	}
	return h.Article(h.Class("case"), h.ID("m-"+m.ID), h.P(h.Class("muted"), who, Dot, Ago(m.At, now),
		g.If(m.EraseURL != "", g.Group{Dot, h.A(h.Href(m.EraseURL), T("Erase…"))})), text)
}

// quotedText is PageText as a quotation.
func quotedText(s markdown.HTML) g.Node {
	return Component(func(m *Markup) {
		from := len(m.b)
		m.Lit(`<div class="md whole quoted">`).rendered(s).raise(from).Lit(`</div>`)
	})
}

// ModeratorsOf names those who read a message to a community, or to the site.
func ModeratorsOf(community string) locale.Text {
	if community == "" {
		return "The administrators"
	}
	return locale.With("The moderators of c/{}", community)
}

// TheModeratorsOf is ModeratorsOf inside a sentence.
func TheModeratorsOf(community string) locale.Text {
	if community == "" {
		return "the administrators"
	}
	return locale.With("the moderators of c/{}", community)
}
