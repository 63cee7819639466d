package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// NotificationsPage is /settings/notifications. Fields: answers, mentions, threads, days.
type NotificationsPage struct {
	Frame
	Form        Form
	Mail        bool // the site sends mails
	NoAddress   bool // the member has given no address
	Unconfirmed bool // no mails are sent to the member's address yet
}

// Notifications is the form by which members choose what they are told of by mail.
func Notifications(p NotificationsPage) g.Node {
	how := []Option{{"now", "At once"}, {"digest", "In the digest"}, {"none", "Not by mail"}}
	return settingsPage(p.Frame, "/settings/notifications",
		h.Form(h.Class("sheet settings"), sentTo("/settings/notifications"),
			formError(p.Form),
			h.H2(g.Text("Mail")),
			g.If(!p.Mail, h.P(h.Class("hint"), g.Text("This site sends no mail at present. Your inbox on it shows everything. What you choose here counts once it sends some."))),
			g.If(p.Mail && p.NoAddress, h.P(h.Class("hint"), g.Text("You have given no address to which mails could be sent. Your inbox on this site shows everything all the same. "),
				h.A(h.Href("/settings/account"), g.Text("Add an address")))),
			g.If(p.Mail && p.Unconfirmed, h.P(h.Class("hint"), g.Text("Mails are sent to confirmed addresses only, and yours is not confirmed yet. Your inbox on this site shows everything all the same."))),
			choice(p.Form, "answers", "Answers to you", "", how),
			choice(p.Form, "mentions", "Mentions of your name", "", how),
			choice(p.Form, "threads", "Comments in threads you follow", "", how),
			choice(p.Form, "days", "The digest comes", "At once means at most one mail a thread in ten minutes. What you have read on the site is in no mail.", []Option{{"1", "Daily"}, {"7", "Weekly"}}),
			submit("Save the choices"),
		),
	)
}

// UnsubscribePage is /unsubscribe, where the links in mails lead that end such mails.
type UnsubscribePage struct {
	Frame
	URL     string // the page's own, which is posted to
	Digest  bool   // the mails are digests; else those that are sent at once
	Done    bool
	Unknown bool // the link is not one of this site's
}

// Unsubscribe is the page of an UnsubscribePage.
func Unsubscribe(p UnsubscribePage) g.Node {
	what := "mails about answers, mentions and threads"
	if p.Digest {
		what = "digests"
	}
	var main g.Node
	switch {
	case p.Unknown:
		main = h.P(g.Text("This link is not whole. Please open it as it is in the mail, or choose in your settings which mails you get."))
	case p.Done:
		main = h.P(h.Role("status"), g.Text("You get no more "+what+". You can choose again in your settings."))
	default:
		main = h.Form(sentTo(p.URL), h.P(g.Text("Do you want no more "+what+"?")), h.Div(h.Class("row"), submit("End these mails")))
	}
	return page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(g.Text("End mails")), main,
		g.If(p.Unknown || p.Done, h.P(h.A(h.Href("/settings/notifications"), g.Text("Your settings for notifications"))))))
}
