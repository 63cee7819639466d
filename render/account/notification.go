package account

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// NotificationsPage is /settings/notifications. Fields: replies, mentions, threads, days.
type NotificationsPage struct {
	ui.Frame
	Form        ui.Form
	Mail        bool  // the site sends mails
	NoAddress   bool  // the member has given no address
	Unconfirmed bool  // no mails are sent to the member's address yet
	Push        *Push // nil if the site has no notifications on devices
}

// Push is what a member's devices show of the inbox.
type Push struct {
	Key                        string // of the site, for PushManager.subscribe
	Devices                    []PushDevice
	Replies, Mentions, Threads bool // what they show
}

// PushDevice is one of a member's devices.
type PushDevice struct {
	ID, Name   string
	Mark       string // with which the script finds its own device: the beginning of the SHA-256 of its endpoint, in hex
	CreatedAt  time.Time
	LastPushAt time.Time // zero for never
}

// Notifications is the page of a NotificationsPage.
func Notifications(p NotificationsPage) g.Node {
	how := []ui.Option{{Value: "now", Label: "At once"}, {Value: "digest", Label: "In the digest"}, {Value: "none", Label: "Not by mail"}}
	return ui.SettingsPage(p.Frame, "/settings/notifications",
		ui.FormError(p.Form),
		h.Form(h.Class("sheet form-rows"), ui.PostTo("/settings/notifications"),
			h.H2(ui.T("Mail")),
			g.If(!p.Mail, h.P(h.Class("hint"), ui.T("This site sends no mail at present; your inbox shows everything. Your choices here "+
				"count once the site sends mail."))),
			g.If(p.Mail && p.NoAddress, h.P(h.Class("hint"), ui.T("You have no email address, so you get no mails. Your inbox shows "+
				"everything."), g.Text(" "), h.A(h.Href("/settings/account"), ui.T("Add an address")))),
			g.If(p.Mail && p.Unconfirmed, h.P(h.Class("hint"), ui.T("Your address is not confirmed yet, so you get no mails. Your inbox "+
				"shows everything."))),
			ui.Choice(p.Form, "replies", "Replies to you, and moderators' decisions", "", how),
			ui.Choice(p.Form, "mentions", "Mentions of your name", "", how),
			ui.Choice(p.Form, "threads", "Threads with “Notify me”", "", how),
			ui.Choice(p.Form, "days", "Digest", "“At once” is at most one mail per thread in ten minutes. Mails leave out what you have "+
				"read already.", []ui.Option{{Value: "1", Label: "Daily"}, {Value: "7", Label: "Weekly"}}),
			ui.Submit("Save"),
		),
		g.Iff(p.Push != nil, func() g.Node { return pushSection(*p.Push, p.Now) }),
	)
}

// pushSection lists a member's devices. web/push.js sends its first form with what the browser gives it.
func pushSection(p Push, now time.Time) g.Node {
	return h.Section(h.Class("sheet"), h.ID("devices"), h.Aria("labelledby", "devices-title"), h.Data("push", p.Key),
		h.H2(h.ID("devices-title"), ui.T("On your devices")),
		h.P(h.Class("hint"), ui.T("A device can show at once what comes into your inbox, even while this site is closed. It stops when you "+
			"log out on it.")),
		ui.Rows(p.Devices, func(d PushDevice) g.Node { return pushDevice(d, now) }),
		h.Form(h.Class("do"), h.ID("add-device"), ui.PostTo("/settings/devices"),
			ui.Hidden("endpoint", ""), ui.Hidden("key", ""), ui.Hidden("secret", ""),
			ui.Submit("Notify this device"),
			h.P(h.Class("wrong"), h.Role("alert")),
			h.NoScript(h.P(h.Class("hint"), ui.T("This needs JavaScript: browsers show notifications only with it."))),
			h.Script(ui.Src(ui.PushJS), h.Defer()),
		),
		g.Iff(len(p.Devices) > 0, func() g.Node {
			return h.Form(h.Class("sheet form-rows"), ui.PostTo("/settings/devices/choices"),
				h.FieldSet(h.Class("field marks"), h.Legend(ui.T("Your devices show")),
					shownKind("replies", "Replies to you, and moderators' decisions", p.Replies),
					shownKind("mentions", "Mentions of your name", p.Mentions),
					shownKind("threads", "Threads with “Notify me”", p.Threads),
				),
				ui.Submit("Save"),
			)
		}),
	)
}

func shownKind(name string, label locale.Text, on bool) g.Node {
	return h.Label(h.Input(h.Type("checkbox"), h.Name(name), h.Value("1"), g.If(on, h.Checked())), h.Span(ui.T(label)))
}

func pushDevice(d PushDevice, now time.Time) g.Node {
	says := ui.T("added {}\u00a0· nothing shown yet", ui.Since(d.CreatedAt, now))
	if !d.LastPushAt.IsZero() {
		says = ui.T("added {}\u00a0· last shown something {}", ui.Since(d.CreatedAt, now), ui.Since(d.LastPushAt, now))
	}
	return ui.Row(ui.T(deviceName(d.Name)), g.Group{h.Strong(h.Hidden(""), ui.T("This device"), ui.Dot), says},
		removal("/settings/devices/remove", d.ID, deviceName(d.Name)), h.Data("mark", d.Mark))
}

// UnsubscribePage is /unsubscribe, the target of the links in mails that stop such mails.
type UnsubscribePage struct {
	ui.Frame
	URL     string // the page's own, which is posted to
	Digest  bool   // the mails are digests; else those that are sent at once
	Done    bool
	Unknown bool // the link is not one of this site's
}

// Unsubscribe is the page of an UnsubscribePage.
func Unsubscribe(p UnsubscribePage) g.Node {
	ask, done := locale.Text("Do you want to stop mails about replies, mentions and threads?"),
		locale.Text("You get no more mails about replies, mentions and threads. You can choose again in your settings.")
	if p.Digest {
		ask, done = "Do you want to stop digests?", "You get no more digests. You can choose again in your settings."
	}
	var main g.Node
	switch {
	case p.Unknown:
		main = h.P(ui.T("This link is incomplete. Please open it exactly as it is in the mail, " +
			"or choose in your settings which mails you get."))
	case p.Done:
		main = h.P(h.Role("status"), ui.T(done))
	default:
		main = h.Form(ui.PostTo(p.URL), h.P(ui.T(ask)), h.Div(h.Class("row"), ui.Submit("Stop these mails")))
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T("Stop mails")), main,
		g.If(p.Unknown || p.Done, h.P(h.A(h.Href("/settings/notifications"), ui.T("Notification settings"))))))
}
