package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/site"
	"plaza/render"
)

// showContact is the form by which anybody writes to the administrators.
func (a *App) showContact(c *call) error {
	if c.r.URL.Query().Has("sent") {
		c.notice = "Your message was sent. Thank you."
	}
	return a.contactPage(c, http.StatusOK, render.Form{Values: map[string]string{}, Errors: map[string]string{}})
}

func (a *App) contactPage(c *call, status int, f render.Form) error {
	r := c.read()
	text := a.settings.FindPage(r, "contact")
	if err := c.run(r); err != nil {
		return err
	}
	p := render.ContactPage{Frame: c.frame(pageTitles["contact"], "Write to the administrators of "+a.siteName()+".", "/contact"), Text: pageText(text), Form: c.withToken(f)}
	if c.viewer != nil && c.viewer.Admin {
		p.EditURL = editPageURL("contact")
	}
	return show(c, status, render.Contact, p)
}

func (a *App) sendContact(c *call) error {
	token, err := c.token()
	if err == nil {
		err = a.settings.Send(c.r.Context(), c.actor, site.Message{Name: c.value("name"), Email: c.value("email"), Body: c.value("body")}, token)
	}
	if err != nil {
		return a.refuseContact(c, err)
	}
	return c.done("/contact?sent", map[string]any{"ok": true})
}

// contactForms is the form by which people write to the administrators.
func (a *App) contactForms() map[string]form {
	again := func(c *call, _ *render.Preview) error {
		return a.contactPage(c, http.StatusOK, c.typed("name", "email", "body"))
	}
	return map[string]form{"contact": {again, a.refuseContact}}
}

func (a *App) refuseContact(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) || data.ErrorCode(err) == data.Unauthenticated {
		return err
	}
	return a.contactPage(c, formStatus(err), wrong(c.typed("name", "email", "body"), err))
}

// messagesPage is how many messages a page lists.
const messagesPage = 50

// showMessages lists what was written to the administrators.
func (a *App) showMessages(c *call) error {
	before, err := optionalID(c.r.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	answered := c.r.URL.Query().Has("answered")
	r := c.read()
	found := a.settings.FindMessages(r, answered, before, messagesPage+1)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.MessagesPage{Frame: c.frame("Contact messages", "", ""), Tabs: []render.Tab{
		{Label: "Open", URL: messagesURL, Active: !answered}, {Label: "Answered", URL: messagesURL + "?answered", Active: answered}}}
	p.NoIndex = true
	here, and := messagesURL, "?"
	if answered {
		here, and = messagesURL+"?answered", "&"
	}
	if before != 0 {
		p.FirstURL = here
	}
	list := *found
	if len(list) > messagesPage {
		list = list[:messagesPage]
		p.NextURL = here + and + "before=" + list[messagesPage-1].ID.Text()
	}
	for _, m := range list {
		p.Messages = append(p.Messages, render.Message{ID: m.ID.Text(), Name: m.Name, Member: m.Member, Email: m.Email, Body: render.RenderPlain(m.Body), At: m.At(), Answered: m.Answered})
	}
	return show(c, http.StatusOK, render.Messages, p)
}

// answerMessage notes that a message was answered, or that it waits again.
func (a *App) answerMessage(c *call) error {
	if err := c.run(c.read()); err != nil {
		return err
	}
	id, err := data.ParseID(c.value("id"))
	if err != nil {
		return err
	}
	answered := false
	switch c.value("action") {
	case "answered":
		answered = true
	case "open":
	default:
		return &data.Error{Code: data.Invalid, Field: "action", Message: "A message is answered or open."}
	}
	if err := a.settings.Answer(c.r.Context(), *c.actor, id, answered); err != nil {
		return err
	}
	return c.done(c.cameFromPage(0, messagesURL), map[string]any{"id": id, "answered": answered})
}
