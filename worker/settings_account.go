package worker

import (
	"net/http"

	"plaza/render"
)

// accountNotices are what /settings/account says after something was changed, by the parameter that tells of it.
var accountNotices = map[string]string{
	"mailed":      "A mail with a link is on its way. Your address changes when you open the link.",
	"password":    "Your password is changed, and you are logged out on all other devices.",
	"renamed":     "Your name is changed. It shows everywhere within a minute, and your old name leads to the new one.",
	"no-password": "Your password is removed.",
}

// showAccount is the page on which members change how they get in.
func (a *App) showAccount(c *call) error {
	for name := range c.r.URL.Query() {
		if notice := accountNotices[name]; notice != "" {
			c.notice = notice
		}
	}
	return a.accountPage(c, http.StatusOK, render.Form{Values: map[string]string{}, Errors: map[string]string{}})
}

func (a *App) accountPage(c *call, status int, f render.Form) error {
	r := c.read()
	account := a.users.FindAccount(r, *c.actor)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.AccountPage{Frame: c.frame("Settings", "", ""), Form: c.withToken(f), Email: account.Email, Confirmed: account.Confirmed, HasPassword: account.HasPassword,
		Mail: a.Mail != nil, SSOOnly: a.SSOOnly}
	p.NoIndex = true
	return show(c, status, render.Account, p)
}

func (a *App) refuseAccount(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) || c.actor == nil {
		return err
	}
	return a.accountPage(c, formStatus(err), wrong(c.typed("email", "username"), err))
}

// changeEmail mails a link that confirms a new address, or, with the field again, the one that is not confirmed yet.
func (a *App) changeEmail(c *call) error {
	if a.Mail == nil {
		return errNoMail
	}
	token, err := c.token()
	if err != nil {
		return a.refuseAccount(c, err)
	}
	email := c.whole("email")
	if c.value("again") != "" {
		r := c.read()
		account := a.users.FindAccount(r, *c.actor)
		if err := c.run(r); err != nil {
			return err
		}
		email = account.Email
	}
	err = a.limitMails(c, c.actor.UserID.Text())
	if err == nil { // nobody's mailbox is filled by several accounts
		err = a.limitMails(c, a.mailKeyOf(email))
	}
	if err == nil {
		err = a.users.ChangeEmail(c.r.Context(), *c.actor, email, token)
	}
	if err != nil {
		return a.refuseAccount(c, err)
	}
	return c.done("/settings/account?mailed", map[string]any{"ok": true})
}

// changePassword gives the member a new password. Their session goes on as another one.
func (a *App) changePassword(c *call) error {
	next, err := a.users.ChangePassword(c.r.Context(), *c.actor, c.form.Get("password"))
	if err != nil {
		return a.refuseAccount(c, err)
	}
	if err := a.startSession(c, next, "password"); err != nil {
		return err
	}
	return c.done("/settings/account?password", map[string]any{"ok": true})
}

// dropPassword takes the member's password away.
func (a *App) dropPassword(c *call) error {
	if err := a.users.DropPassword(c.r.Context(), *c.actor); err != nil {
		return a.refuseAccount(c, err)
	}
	return c.done("/settings/account?no-password", map[string]any{"ok": true})
}
