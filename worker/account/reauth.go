package account

import (
	"cmp"
	"net/http"
	"time"

	"plaza/data"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/request/limit"
)

// Changes that could take an account away from its member, such as a new password, need reauthentication: a stranger may have found the
// browser open or copied its cookie. These routes have the access request.Reauthenticated.

// limitReauth is how often a password may be tried to reauthenticate.
var limitReauth = limit.Limit{Name: "proofs", Max: 10, Per: 30 * time.Minute, Network: true}

// reauthCookie has the halfReauth between the first and the second step of reauthentication.
const reauthCookie = "__Host-proof"

// halfReauth says in which session the first step of reauthentication was taken.
type halfReauth struct{ Session string }

// firstReauthStep is called after the caller has shown one factor. It asks for the second step if the member has one, as logging in does.
// So a stolen session and the password, or the mailbox, are not enough to change the sign-in methods of the account. secret is that of the
// member's second step (FindOwnSecret). Callers read it before they use up a link or a challenge, so that neither is lost if the read
// fails.
func (h *Handlers) firstReauthStep(c *request.Call, secret, next string) error {
	if secret == "" {
		return h.endReauth(c, next)
	}
	c.Form.Set("next", request.Back(next))
	request.SetSignedCookie(c, reauthCookie, halfReauth{c.Actor.SessionID.Text()}, secondLife)
	if c.WantsJSON() { // a program may send all at once
		return h.secondReauthStep(c)
	}
	return h.reauthCodePage(c, http.StatusOK, c.Typed("next"))
}

// ReauthByCode accepts the code of the caller's app, or a recovery code, as the second step of reauthentication.
func (h *Handlers) ReauthByCode(c *request.Call) error {
	half, _, ok := request.SignedCookie[halfReauth](c, reauthCookie)
	if !ok || half.Session != c.Actor.SessionID.Text() {
		return h.RefuseReauth(c, errHalfReauthOver)
	}
	if err := h.secondReauthStep(c); err != nil {
		return h.RefuseReauthCode(c, err)
	}
	return nil
}

var errHalfReauthOver = &data.Error{Code: data.Forbidden, Message: "That took too long, or it was begun in another browser. Please " +
	"begin again."}

// secondReauthStep uses up the code that was sent, and ends the reauthentication.
func (h *Handlers) secondReauthStep(c *request.Call) error {
	if err := h.checkOwnCode(c); err != nil {
		return err
	}
	if err := h.RenewSession(c); err != nil {
		return err
	}
	c.DropCookie(reauthCookie)
	return c.Done(request.Back(c.Value("next")), map[string]any{"ok": true})
}

func (h *Handlers) RefuseReauthCode(c *request.Call, err error) error {
	return request.RefuseMember(c, err, h.reauthCodePage, []string{"next"})
}

func (h *Handlers) reauthCodePage(c *request.Call, status int, f ui.Form) error {
	p := pages.SecondStepPage{Frame: c.Frame("Confirm that it is you: the second step"), Reauth: true, Form: f}
	return request.Show(c, status, pages.SecondStep, p)
}

// endReauth is called after the caller has reauthenticated. The session continues under a new id, so that a copy of the
// old cookie does not count as reauthenticated.
func (h *Handlers) endReauth(c *request.Call, next string) error {
	if err := h.RenewSession(c); err != nil {
		return err
	}
	return c.Done(request.Back(next), map[string]any{"ok": true})
}

// ShowReauth is the page that asks a member to reauthenticate.
func (h *Handlers) ShowReauth(c *request.Call) error {
	if err := c.Parse(); err != nil {
		return err
	}
	return h.reauthPage(c, http.StatusOK, c.Typed("next"))
}

func (h *Handlers) reauthPage(c *request.Call, status int, f ui.Form) error {
	r := c.Read()
	account := h.Credentials.FindAccount(r, *c.Actor)
	keys, linked := h.Passkeys.Find(r, c.Actor.UserID), h.Identities.Find(r, c.Actor.UserID)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.ReauthPage{Frame: c.Frame("Confirm that it is you"), Form: c.WithToken(f), Password: account.HasPassword && !h.SSOOnly,
		Mail:    h.Mail != nil && account.Confirmed,
		Passkey: len(*keys) > 0 && !h.SSOOnly, Providers: h.reauthLinks(*linked, f.Values["next"])}
	return request.Show(c, status, pages.Reauth, p)
}

// Reauth reauthenticates a member by the password.
func (h *Handlers) Reauth(c *request.Call) error {
	err := h.LimitTries(c, limitReauth, c.Actor.UserID.Text())
	if err == nil {
		err = h.Credentials.CheckOwnPassword(c.R.Context(), *c.Actor, c.Form.Get("password"))
	}
	if err != nil {
		return h.RefuseReauth(c, err)
	}
	secret, err := h.TwoFactor.FindOwnSecret(c.R.Context(), *c.Actor)
	if err != nil {
		return err
	}
	return h.firstReauthStep(c, secret, c.Value("next"))
}

// ReauthByMail mails a link that reauthenticates its member.
func (h *Handlers) ReauthByMail(c *request.Call) error {
	token, err := c.Token()
	if err == nil && h.Mail == nil {
		err = errNoMail
	}
	if err == nil {
		err = h.limitMails(c, c.Actor.UserID.Text())
	}
	if err == nil {
		err = h.Credentials.MailReauth(c.R.Context(), *c.Actor, cmp.Or(token, request.NewToken()), request.Back(c.Value("next")))
	}
	if err != nil {
		return h.RefuseReauth(c, err)
	}
	return h.mailedPage(c, http.StatusOK, "", ui.Form{})
}

func (h *Handlers) RefuseReauth(c *request.Call, err error) error {
	return request.RefuseMember(c, err, h.reauthPage, []string{"next"})
}
