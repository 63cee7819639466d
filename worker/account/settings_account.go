package account

import (
	"net/http"

	"plaza/locale"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
)

// accountFlashes has what /settings/account says after a change, by the parameter for it.
var accountFlashes = map[string]locale.Text{
	"mailed":      "A mail with a link is on its way. Your address changes when you open the link.",
	"password":    "Your password is changed, and you are logged out on all other devices.",
	"renamed":     "Your name is changed. It shows everywhere within a minute, and your old name leads to the new one.",
	"no-password": "Your password is removed.",
}

// ShowAccount is the page on which members change their name, address and password.
func (h *Handlers) ShowAccount(c *request.Call) error {
	for name := range c.R.URL.Query() {
		if flash := accountFlashes[name]; flash != "" {
			c.Flash = flash
		}
	}
	return h.accountPage(c, http.StatusOK, ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) accountPage(c *request.Call, status int, f ui.Form) error {
	r := c.Read()
	account := h.Credentials.FindAccount(r, *c.Actor)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.AccountPage{Frame: c.Frame("Settings"), Form: c.WithToken(f), Email: account.Email, Confirmed: account.Confirmed,
		HasPassword: account.HasPassword,
		Mail:        h.Mail != nil, SSOOnly: h.SSOOnly}
	return request.Show(c, status, pages.Account, p)
}

func (h *Handlers) RefuseAccount(c *request.Call, err error) error {
	return request.RefuseMember(c, err, h.accountPage, []string{"email", "username"})
}

// ChangeEmail mails a link that confirms a new address, or, with the field again, the one that is not confirmed yet.
func (h *Handlers) ChangeEmail(c *request.Call) error {
	if h.Mail == nil {
		return errNoMail
	}
	token, err := c.Token()
	if err != nil {
		return h.RefuseAccount(c, err)
	}
	email := c.RawValue("email")
	if c.Flag("again") {
		r := c.Read()
		account := h.Credentials.FindAccount(r, *c.Actor)
		if err := c.Run(r); err != nil {
			return err
		}
		email = account.Email
	}
	err = h.limitMails(c, c.Actor.UserID.Text())
	if err == nil { // several accounts can't fill one mailbox
		err = h.limitMails(c, h.mailKeyOf(email))
	}
	if err == nil {
		err = h.Credentials.ChangeEmail(c.R.Context(), *c.Actor, email, token)
	}
	if err != nil {
		return h.RefuseAccount(c, err)
	}
	return c.Done("/settings/account?mailed", map[string]any{"ok": true})
}

// ChangePassword gives the member a new password. A new session replaces the current one.
func (h *Handlers) ChangePassword(c *request.Call) error {
	next, err := h.Credentials.ChangePassword(c.R.Context(), *c.Actor, c.Form.Get("password"))
	if err != nil {
		return h.RefuseAccount(c, err)
	}
	if err := h.StartSession(c, next, "password", nil); err != nil {
		return err
	}
	return c.Done("/settings/account?password", map[string]any{"ok": true})
}

// DropPassword removes the member's password.
func (h *Handlers) DropPassword(c *request.Call) error {
	if err := h.Credentials.DropPassword(c.R.Context(), *c.Actor); err != nil {
		return h.RefuseAccount(c, err)
	}
	return c.Done("/settings/account?no-password", map[string]any{"ok": true})
}
