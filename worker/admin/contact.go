package admin

import (
	"net/http"

	"plaza/data"
	"plaza/data/site"
	"plaza/locale"
	pages "plaza/render/admin"
	"plaza/render/markdown"
	"plaza/render/ui"
	"plaza/worker/request"
)

// ShowContact is the form by which anybody writes to the administrators.
func (h *Handlers) ShowContact(c *request.Call) error {
	if c.R.URL.Query().Has("sent") {
		c.Flash = "Your message was sent. Thank you."
	}
	return h.contactPage(c, http.StatusOK, ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) contactPage(c *request.Call, status int, f ui.Form) error {
	r := c.Read()
	text := h.Settings.FindPage(r, "contact")
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.ContactPage{
		Frame: c.PublicFrame(pageTitles["contact"], locale.With("Write to the administrators of {}.", h.SiteName()), "/contact"),
		Text:  pageText(text), Form: c.WithToken(f)}
	if c.Viewer != nil && c.Viewer.Admin {
		p.EditURL = ui.EditSitePageURL("contact")
	}
	return request.Show(c, status, pages.Contact, p)
}

func (h *Handlers) SendContact(c *request.Call) error {
	token, err := c.Token()
	if err == nil {
		err = h.Settings.Send(c.R.Context(), c.Actor, site.Message{Name: c.Value("name"), Email: c.Value("email"), Body: c.Value("body")}, token)
	}
	if err != nil {
		return h.RefuseContact(c, err)
	}
	return c.Done("/contact?sent", map[string]any{"ok": true})
}

// Forms returns the contact form, by its name.
func (h *Handlers) Forms() map[string]request.Form {
	show := func(c *request.Call, _ *ui.Preview) error {
		return h.contactPage(c, http.StatusOK, c.Typed(contactFields...))
	}
	return map[string]request.Form{"contact": {Show: show, Refuse: h.RefuseContact}}
}

var contactFields = []string{"name", "email", "body"}

func (h *Handlers) RefuseContact(c *request.Call, err error) error {
	return request.Refuse(c, err, h.contactPage, contactFields, data.Unauthenticated)
}

// messagesPage is how many messages a page lists.
const messagesPage = 50

// ShowMessages lists the messages of the contact form.
func (h *Handlers) ShowMessages(c *request.Call) error {
	before, err := request.OptionalID(c.R.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	answered := c.R.URL.Query().Has("answered")
	r := c.Read()
	list := h.Settings.FindMessages(r, answered, before, messagesPage)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.MessagesPage{Frame: c.Frame("Contact messages"), Tabs: []ui.Tab{
		{Label: "Open¦state", URL: request.MessagesURL, Active: !answered}, {Label: "Answered", URL: request.MessagesURL + "?answered",
			Active: answered}}}
	base, separator := request.MessagesURL, "?"
	if answered {
		base, separator = request.MessagesURL+"?answered", "&"
	}
	if before != 0 {
		p.FirstURL = base
	}
	if next := list.Next(); !next.IsZero() {
		p.NextURL = base + separator + "before=" + next.ID.Text()
	}
	for _, m := range list.Items() {
		p.Messages = append(p.Messages, pages.Message{ID: m.ID.Text(), Name: m.Name, Member: m.Member, Email: m.Email,
			Body: markdown.Plain(m.Body), At: m.At(), Answered: m.Answered})
	}
	return request.Show(c, http.StatusOK, pages.Messages, p)
}

// MarkMessage marks a message as answered or as open.
func (h *Handlers) MarkMessage(c *request.Call) error {
	if err := c.Run(c.Read()); err != nil {
		return err
	}
	id, err := data.ParseID(c.Value("id"))
	if err != nil {
		return err
	}
	answered := false
	switch c.Value("action") {
	case "answered":
		answered = true
	case "open":
	default:
		return &data.Error{Code: data.Invalid, Field: "action", Message: "A message is answered or open."}
	}
	if err := h.Settings.SetAnswered(c.R.Context(), *c.Actor, id, answered); err != nil {
		return err
	}
	return c.Done(c.CameFromPage(0, request.MessagesURL), map[string]any{"id": id, "answered": answered})
}
