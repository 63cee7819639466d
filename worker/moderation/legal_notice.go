package moderation

import (
	"context"
	"crypto/hmac"
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
	"plaza/data/events/mails"
	"plaza/data/moderation/legalnotices"
	"plaza/locale"
	"plaza/protocol/mail"
	pages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/request"
)

var legalNoticeFields = []string{"url", "kind", "text", "name", "email", "faith"}

// ShowLegalNotice is the form to send a legal notice, also without an account.
func (h *Handlers) ShowLegalNotice(c *request.Call) error {
	f := ui.Form{Values: map[string]string{"url": c.R.URL.Query().Get("url")}, Errors: map[string]locale.Text{}}
	if c.R.URL.Query().Has("sent") {
		c.Flash = "Please check your mail. The notice counts once you have confirmed your address. If no mail comes within an hour, open " +
			"the link in a mail about another notice that is not confirmed yet: its page may list this one, too. Or write to the administrators."
	}
	return h.legalNoticeForm(c, http.StatusOK, f)
}

func (h *Handlers) legalNoticeForm(c *request.Call, status int, f ui.Form) error {
	if err := c.Run(c.Read()); err != nil {
		return err
	}
	p := pages.LegalNoticePage{Frame: c.PublicFrame("Report illegal content",
		"Tell the site what is illegal, infringes your rights or is about you.",
		"/notice"),
		Form: f, Mails: h.Mail != nil}
	return request.Show(c, status, pages.LegalNotice, p)
}

// SendLegalNotice stores a notice, which its sender has to confirm.
func (h *Handlers) SendLegalNotice(c *request.Call) error {
	if h.Mail == nil {
		return h.RefuseLegalNotice(c, &data.Error{Code: data.Conflict, Message: "This site sends no mails. Please write to the administrators."})
	}
	var err error
	if !c.Flag("faith") {
		err = data.Mistake("faith", "Please confirm that you believe this to be true.")
	}
	n := legalnotices.Notice{Kind: c.Value("kind"), Text: c.Value("text"), Name: c.Value("name"), Email: c.Value("email")}
	place, noPlace := h.placeOf(c.Value("url"))
	if noPlace != nil {
		err = data.AllMistakes(noPlace, n.Validate(), err)
	}
	if err == nil {
		_, err = h.LegalNotices.Send(c.R.Context(), n, place, c.LanguageToKeep(), h.NetworkKey(c))
	}
	if err != nil {
		return h.RefuseLegalNotice(c, err)
	}
	return c.Done("/notice?sent", map[string]any{"ok": true})
}

// RefuseLegalNotice shows the form again, with what was typed.
func (h *Handlers) RefuseLegalNotice(c *request.Call, err error) error {
	return request.Refuse(c, err, h.legalNoticeForm, legalNoticeFields)
}

// placeOf parses an address of this site, with or without its host. The queue has no items for a community or one of its pages, so a
// notice can't be about those.
func (h *Handlers) placeOf(address string) (legalnotices.Place, error) {
	none := data.Mistake("url", "There is no such post, comment or profile on this site. Please copy its address.")
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host != "" && !strings.EqualFold(u.Scheme+"://"+u.Host, h.SiteURL) {
		return legalnotices.Place{}, none
	}
	p, ok := legalnotices.ParsePlace(u.Path)
	switch {
	case ok:
		return p, nil
	case strings.HasPrefix(u.Path, "/c/"):
		return p, data.Mistake("url", "A notice is about a post, a comment or a profile. Please write to the administrators about a "+
			"community or one of its pages.")
	}
	return p, none
}

func (h *Handlers) legalNoticeKey(id data.ID) string {
	return h.Key.Signature("notice\x00" + id.String())
}

// legalNoticePath is the path of a notice's page for its sender, who needs no account.
func (h *Handlers) legalNoticePath(id data.ID) string {
	return "/notice/" + id.Text() + "?key=" + url.QueryEscape(h.legalNoticeKey(id))
}

func (h *Handlers) legalNoticeOf(c *request.Call) (data.ID, error) {
	id, err := data.ParseID(c.R.PathValue("notice"))
	if err != nil || !hmac.Equal([]byte(c.R.URL.Query().Get("key")), []byte(h.legalNoticeKey(id))) {
		return 0, legalnotices.ErrNone
	}
	return id, nil
}

// ShowLegalNoticeStatus shows the sender of a notice its status.
func (h *Handlers) ShowLegalNoticeStatus(c *request.Call) error {
	return h.legalNoticeStatusPage(c, http.StatusOK, ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) legalNoticeStatusPage(c *request.Call, status int, f ui.Form) error {
	id, err := h.legalNoticeOf(c)
	if err != nil {
		return err
	}
	r := c.Read()
	n, others := h.LegalNotices.Find(r, id), h.LegalNotices.FindOthers(r, id)
	if err := c.Run(r); err != nil {
		return err
	}
	if n.ID == 0 {
		return legalnotices.ErrNone
	}
	p := pages.LegalNoticeStatusPage{Frame: c.Frame("Your notice"), Kind: legalnotices.Reasons[n.Kind], Said: n.Text, At: n.At(),
		Status: n.Status, Decision: n.Decision, Stays: n.Kept(), DecidedAt: n.DecidedAt, FormURL: c.R.URL.RequestURI(), Form: f}
	for _, o := range *others {
		p.Others = append(p.Others, pages.OtherLegalNotice{URL: h.legalNoticePath(o.ID), Said: o.Text, At: o.At()})
	}
	return request.Show(c, status, pages.LegalNoticeStatus, p)
}

// UpdateLegalNotice confirms a notice, or objects to the decision about it.
func (h *Handlers) UpdateLegalNotice(c *request.Call) error {
	id, err := h.legalNoticeOf(c)
	if err != nil {
		return err
	}
	if c.Value("do") == "confirm" {
		err = h.LegalNotices.Confirm(c.R.Context(), id)
	} else {
		err = h.LegalNotices.Object(c.R.Context(), id, c.Value("text"))
	}
	if err != nil {
		return h.RefuseLegalNoticeUpdate(c, err)
	}
	return c.Done(c.R.URL.RequestURI(), map[string]any{"id": id})
}

// RefuseLegalNoticeUpdate shows the page of a notice again with what was typed. If the address belongs to no notice, it returns the error.
func (h *Handlers) RefuseLegalNoticeUpdate(c *request.Call, err error) error {
	if _, none := h.legalNoticeOf(c); none != nil {
		return err
	}
	return request.Refuse(c, err, h.legalNoticeStatusPage, []string{"text"})
}

// LegalNoticeMail asks the sender of a notice to confirm it.
func (h *Handlers) LegalNoticeMail(ctx context.Context, m *mails.Waiting) (*mail.Content, error) {
	n, err := h.legalNoticeInMail(ctx, m)
	if err != nil || n.Status != "unconfirmed" {
		return nil, err
	}
	if ok, err := h.AllowMail(ctx, m, 0); err != nil || !ok {
		return nil, err
	}
	say := m.Language.Say
	return &mail.Content{
		Language: m.Language.Tag,
		Subject:  say(locale.With("Confirm your notice to {}", h.SiteName())),
		Parts: []mail.Part{
			mail.Paragraph(say(locale.With("Somebody sent {} a notice about something on the site, and gave this address.",
				h.SiteName()))),
			mail.Paragraph(say("Nobody looks at the notice before you have confirmed it. Later you can read the decision at the same address.")),
			mail.Paragraph(say("If you have sent another notice and got no mail about it, look for it on the page of this one.")),
			mail.Button{Label: say("Confirm the notice"), URL: h.SiteURL + h.legalNoticePath(n.ID)},
		},
		Why: say("If it was not you, you need not do anything: two days from now the notice is deleted."),
	}, nil
}

// LegalNoticeDecidedMail sends the decision to the sender of a notice, and says how to object.
func (h *Handlers) LegalNoticeDecidedMail(ctx context.Context, m *mails.Waiting) (*mail.Content, error) {
	n, err := h.legalNoticeInMail(ctx, m)
	if err != nil || n.Status != "decided" && n.Status != "closed" {
		return nil, err
	}
	m.To = n.Email
	say := m.Language.Say
	return &mail.Content{
		Language: m.Language.Tag,
		Subject:  say(locale.With("Decision about your notice to {}", h.SiteName())),
		Parts: []mail.Part{
			mail.Paragraph(say(pages.LegalNoticeDecision(n.Decision))),
			mail.Paragraph(say("The page of your notice has the decision. If you can object to it, the form is there. You can also go to " +
				"court or, in the European Union, to a certified out-of-court dispute settlement body.")),
			mail.Button{Label: say("Your notice"), URL: h.SiteURL + h.legalNoticePath(n.ID)},
		},
		Why: say(locale.With("You get this mail because you have given notice to {}.", h.SiteName())),
	}, nil
}

func (h *Handlers) legalNoticeInMail(ctx context.Context, m *mails.Waiting) (*legalnotices.Notice, error) {
	id, err := data.ParseID(m.About["notice"])
	if err != nil {
		return nil, err
	}
	r := h.DB.Read()
	n := h.LegalNotices.Find(r, id)
	return n, r.Run(ctx)
}
