package inbox

import (
	"context"
	"crypto/hmac"
	"net/http"
	"net/url"
	"strconv"

	"plaza/data"
	"plaza/data/events/inbox"
	"plaza/data/events/mails"
	"plaza/locale"
	"plaza/protocol/mail"
	accountpages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/decision"
	"plaza/worker/request"
)

// mailItems is how many entries a mail has. The inbox has the others.
const mailItems = 20

// InboxMail returns the mail about a member's unread inbox entries: those of one thread, or a digest.
func (h *Handlers) InboxMail(ctx context.Context, m *mails.Waiting) (*mail.Content, error) {
	items, err := h.Inbox.FindToMail(ctx, m.Mail, mailItems+1)
	if err != nil || len(items) == 0 || m.Username == "" {
		return nil, err
	}
	more := len(items) > mailItems
	items = items[:min(len(items), mailItems)]
	say := m.Language.Say
	l := &mail.Content{Language: m.Language.Tag, Unsubscribe: h.unsubscribeURL(m.User, m.Kind)}
	if m.Kind == inbox.MailOfThread {
		l.Subject = say(headline(items[0])) + ": " + say(decision.Title(items[0]))
		if len(items) > 1 {
			l.Subject = say(locale.With("{} new in: {}", len(items), decision.Title(items[0])))
		}
	} else {
		l.Subject = say(locale.With("News from your inbox at {}", h.SiteName()))
	}
	for _, i := range items {
		what := locale.With("{}:", headline(i))
		if m.Kind == inbox.MailOfAll {
			what = locale.With("{} in “{}”:", headline(i), decision.Title(i))
		}
		l.Parts = append(l.Parts, mail.Paragraph(say(what)))
		if i.Excerpt != "" {
			l.Parts = append(l.Parts, mail.Quote(say(decision.Excerpt(i))))
		}
		l.Parts = append(l.Parts, mail.Button{Label: say("Read it"), URL: h.SiteURL + i.URL()})
	}
	if more {
		l.Parts = append(l.Parts, mail.Button{Label: say("See all that is new"), URL: h.SiteURL + "/inbox/unread"})
	}
	l.Why = say(locale.With("You get this mail because of your choices at {}. To stop these mails: {}", h.SiteURL+"/settings/notifications",
		l.Unsubscribe))
	return l, nil
}

// headline is the sentence about who has done what.
func headline(i *inbox.Item) locale.Text {
	who := locale.Verbatim(i.Author)
	if who == "" {
		who = "Somebody"
	}
	switch {
	case i.Event != "":
		return decision.EventText(i)
	case i.Kind == "reply":
		return locale.With("{} replied to you", who)
	case i.Kind == "mention":
		return locale.With("{} mentioned you", who)
	}
	return locale.With("{} commented", who)
}

// unsubscribeURL is the address that ends a member's mails of one kind. It needs no login and does not expire.
func (h *Handlers) unsubscribeURL(member data.ID, kind mails.Kind) string {
	return h.SiteURL + "/unsubscribe?" + url.Values{"member": {member.Text()}, "kind": {string(kind)},
		"key": {h.unsubscribeKey(member, kind)}}.Encode()
}

func (h *Handlers) unsubscribeKey(member data.ID, kind mails.Kind) string {
	return h.Key.Signature("unsubscribe\x00" + member.Text() + "\x00" + string(kind))
}

// parseUnsubscribe returns the member and the kind of mails in such an address. ok is false if its key is wrong.
func (h *Handlers) parseUnsubscribe(c *request.Call) (member data.ID, kind mails.Kind, ok bool) {
	q := c.R.URL.Query()
	member, err := data.ParseID(q.Get("member"))
	kind = mails.Kind(q.Get("kind"))
	ok = err == nil && hmac.Equal([]byte(q.Get("key")), []byte(h.unsubscribeKey(member, kind)))
	return member, kind, ok
}

// ShowUnsubscribe asks whether to end mails. Opening the link does not end them, because mail programs open links by themselves.
func (h *Handlers) ShowUnsubscribe(c *request.Call) error {
	if err := c.Run(c.Read()); err != nil {
		return err
	}
	_, kind, ok := h.parseUnsubscribe(c)
	p := accountpages.UnsubscribePage{Frame: c.Frame("Stop mails"), Unknown: !ok, Digest: kind == inbox.MailOfAll}
	if ok {
		p.URL = c.R.URL.RequestURI()
	}
	return request.Show(c, http.StatusOK, accountpages.Unsubscribe, p)
}

// Unsubscribe ends a member's mails of one kind. Mail programs call it by themselves (RFC 8058), without a cookie.
func (h *Handlers) Unsubscribe(c *request.Call) error {
	member, kind, ok := h.parseUnsubscribe(c)
	if !ok {
		return &data.Error{Code: data.Invalid, Message: "This link is incomplete. Please open it exactly as it is in the mail, or choose under " +
			"Settings which mails you get."}
	}
	if err := h.Inbox.EndMails(c.R.Context(), member, kind); err != nil {
		return err
	}
	if c.WantsJSON() {
		return c.JSON(http.StatusOK, map[string]any{"ok": true})
	}
	p := accountpages.UnsubscribePage{Frame: c.Frame("Stop mails"), Done: true, Digest: kind == inbox.MailOfAll}
	return request.Show(c, http.StatusOK, accountpages.Unsubscribe, p)
}

// ShowNotifications is the page on which members choose what notifies them by mail and on which devices.
func (h *Handlers) ShowNotifications(c *request.Call) error {
	if saved, has := c.R.URL.Query()["saved"]; has {
		switch saved[0] {
		case "device":
			c.Flash = "This device shows notifications from now on."
		case "removed":
			c.Flash = "That device shows no notifications any more."
		default:
			c.Flash = "Your choices are saved."
		}
	}
	return h.notificationsPage(c, http.StatusOK, ui.Form{Errors: map[string]locale.Text{}})
}

// notificationsPage shows the page with the stored choices, or with the values of f.
func (h *Handlers) notificationsPage(c *request.Call, status int, f ui.Form) error {
	r := c.Read()
	choices, account := h.Inbox.FindMailChoices(r, c.ViewerID()), h.Credentials.FindAccount(r, *c.Actor)
	shown := h.Pushes.FindChoices(r, c.ViewerID())
	devices := h.Pushes.Find(r, c.ViewerID())
	if err := c.Run(r); err != nil {
		return err
	}
	if f.Values == nil {
		f.Values = map[string]string{"replies": choices.Replies, "mentions": choices.Mentions, "threads": choices.Threads,
			"days": strconv.Itoa(choices.Days)}
	}
	p := accountpages.NotificationsPage{Frame: c.Frame("Notifications"), Form: f,
		Mail: h.Mail != nil, NoAddress: account.Email == "", Unconfirmed: account.Email != "" && !account.Confirmed}
	if h.PushKeys != nil {
		p.Push = &accountpages.Push{Key: h.PushKeys.Public, Replies: shown.Replies, Mentions: shown.Mentions, Threads: shown.Threads}
		for _, d := range *devices {
			p.Push.Devices = append(p.Push.Devices, accountpages.PushDevice{ID: d.ID.Text(), Name: d.Name, Mark: deviceMark(d.Endpoint),
				CreatedAt: d.CreatedAt, LastPushAt: d.LastSentAt})
		}
	}
	return request.Show(c, status, accountpages.Notifications, p)
}

func (h *Handlers) UpdateNotifications(c *request.Call) error {
	days, _ := strconv.Atoi(c.Value("days"))
	choices := inbox.MailChoices{Replies: c.Value("replies"), Mentions: c.Value("mentions"), Threads: c.Value("threads"), Days: days}
	if err := h.Inbox.ChooseMail(c.R.Context(), *c.Actor, choices); err != nil {
		return h.RefuseNotifications(c, err)
	}
	return c.Done("/settings/notifications?saved", map[string]any{"ok": true})
}

// RefuseNotifications shows the page again, with what was typed into the form for mails.
func (h *Handlers) RefuseNotifications(c *request.Call, err error) error {
	return request.RefuseMember(c, err, func(c *request.Call, status int, f ui.Form) error {
		if c.Value("days") == "" { // another form of the page was refused
			f = request.WithError(ui.Form{Errors: map[string]locale.Text{}}, err)
		}
		return h.notificationsPage(c, status, f)
	}, []string{"replies", "mentions", "threads", "days"})
}
