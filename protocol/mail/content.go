// Package mail writes mails and sends them by the HTTP API of a provider. It does not use accounts or databases: package worker writes
// the text of each kind of mail, and data/events/mails stores mails until they are sent.
package mail

import (
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Content is the content of a mail. Its text and its HTML are equivalent.
type Content struct {
	Language string // BCP 47
	Subject  string
	Parts    []Part // in their order
	Why      string // the reason for the mail, in small print at the end
	// Unsubscribe is the address that ends such mails by a POST (RFC 8058); "" if they can't be ended.
	Unsubscribe string
}

// Part is a part of a mail.
type Part interface {
	text() string // without a line break at the end
	html() g.Node
}

// Paragraph is a text of one paragraph.
type Paragraph string

// Button is a prominent link. In the plain text it is the label and the address.
type Button struct{ Label, URL string }

// Quote is a quoted text. Its lines stay as they are.
type Quote string

func (p Paragraph) text() string { return string(p) }
func (p Paragraph) html() g.Node { return h.P(style("margin:0 0 16px"), g.Text(string(p))) }

func (b Button) text() string { return b.Label + ":\n" + b.URL }
func (b Button) html() g.Node {
	return g.Group{
		h.P(style("margin:24px 0"), h.A(h.Href(b.URL), g.Text(b.Label),
			style("display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;"+
				"color:#ffffff;text-decoration:none;font-weight:600"))),
		h.P(style("margin:0 0 16px;font-size:13px;word-break:break-all"), h.A(h.Href(b.URL), g.Text(b.URL))),
	}
}

func (q Quote) text() string { return "> " + strings.ReplaceAll(string(q), "\n", "\n> ") }
func (q Quote) html() g.Node {
	return h.BlockQuote(style("margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #9aa0a6;white-space:pre-line"), g.Text(string(q)))
}

// style is an attribute: many mail programs ignore style sheets.
func style(css string) g.Node { return g.Attr("style", css) }

// headers are the headers that let mail programs offer to unsubscribe.
func (l *Content) headers() map[string]string {
	if l.Unsubscribe == "" {
		return nil
	}
	return map[string]string{"List-Unsubscribe": "<" + l.Unsubscribe + ">", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
}

// Text returns the plain text of the mail. Each paragraph is one line, which mail programs wrap.
func (l *Content) Text() string {
	var b strings.Builder
	for _, p := range l.Parts {
		b.WriteString(p.text())
		b.WriteString("\n\n")
	}
	b.WriteString("-- \n") // RFC 3676, 4.3: what follows is the signature
	b.WriteString(l.Why)
	b.WriteString("\n")
	return b.String()
}

// HTML returns the mail as a page. It loads nothing, and sets no colours of text and background except for buttons.
func (l *Content) HTML() string {
	var b strings.Builder
	_ = h.Doctype(h.HTML(h.Lang(l.Language),
		h.Head(h.Meta(h.Charset("utf-8")), h.Meta(h.Name("viewport"), h.Content("width=device-width")),
			h.Meta(h.Name("color-scheme"), h.Content("light dark")), h.TitleEl(g.Text(l.Subject))),
		h.Body(style("margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif"),
			h.Div(style("max-width:560px;margin:0 auto"),
				g.Map(l.Parts, Part.html),
				h.P(style("margin:32px 0 0;font-size:13px;opacity:.7"), g.Text(l.Why)),
			)),
	)).Render(&b)
	return b.String()
}
