package account

import (
	"crypto/rand"
	"net/http"

	"plaza/data"
	"plaza/protocol/totp"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
)

// ShowNewApp shows the secret for an authenticator app.
func (h *Handlers) ShowNewApp(c *request.Call) error {
	b := make([]byte, totp.SecretLen)
	_, _ = rand.Read(b)
	f := c.Typed("code")
	f.Values["secret"] = totp.Text(b)
	return h.newAppPage(c, http.StatusOK, f)
}

// newAppPage shows the form with its secret. Nothing is stored before a code shows that the app knows the secret.
func (h *Handlers) newAppPage(c *request.Call, status int, f ui.Form) error {
	r := c.Read()
	if err := c.Run(r); err != nil {
		return err
	}
	secret, err := totp.Parse(f.Values["secret"])
	if err != nil {
		return c.Redirect("/settings/totp")
	}
	p := pages.NewAppPage{Frame: c.Frame("Set up an authenticator app"), Form: f, URL: totp.URL(h.SiteName(), c.Actor.Name, secret)}
	return request.Show(c, status, pages.NewApp, p)
}

// TurnOnApp checks the app's first code and turns the second step on.
func (h *Handlers) TurnOnApp(c *request.Call) error {
	secret, err := totp.Parse(c.Value("secret"))
	if err != nil {
		return h.RefuseNewApp(c, data.Mistake("code", "The key was not sent whole. Please load this page again and scan the new code."))
	}
	code := totp.Typed(c.Value("code"))
	step, ok := totp.Find(secret, code, h.Source.Now())
	if !ok {
		return h.RefuseNewApp(c, data.Mistake("code", "That is not the code that your app should show now. Please type the current one, and "+
			"check that your device's clock is right."))
	}
	codes, hashes := h.newRecoveryCodes(c.Actor.UserID)
	if err := h.TwoFactor.TurnOn(c.R.Context(), *c.Actor, totp.Text(secret), codeToken(c.Actor.UserID, code, step), hashes); err != nil {
		return h.RefuseNewApp(c, err)
	}
	return h.codesPage(c, codes)
}

func (h *Handlers) RefuseNewApp(c *request.Call, err error) error {
	if _, broken := totp.Parse(c.Value("secret")); broken != nil && data.ErrorCode(err) == data.RateLimited {
		return err // there is no key to show the form with
	}
	return request.RefuseMember(c, err, h.newAppPage, []string{"code", "secret"})
}

// newRecoveryCodes returns new recovery codes and their hashes.
func (h *Handlers) newRecoveryCodes(member data.ID) (codes, hashes []string) {
	for range totp.RecoveryCodes {
		b := make([]byte, totp.RecoveryLen)
		_, _ = rand.Read(b)
		code := totp.RecoveryText(b)
		codes, hashes = append(codes, code), append(hashes, totp.RecoveryHash(member.Text(), code))
	}
	return codes, hashes
}

// codesPage shows recovery codes, of which only hashes are stored.
func (h *Handlers) codesPage(c *request.Call, codes []string) error {
	if c.WantsJSON() {
		return c.JSON(http.StatusOK, map[string]any{"codes": codes})
	}
	r := c.Read()
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.CodesPage{Frame: c.Frame("Your recovery codes"), Codes: codes}
	return request.Show(c, http.StatusOK, pages.Codes, p)
}

// checkOwnCode uses up a code of the caller's app, or a recovery code, so that a stolen session and the password are not enough to turn the
// second step off. It does nothing for accounts without a second step. Invalid, RateLimited, Unauthenticated.
func (h *Handlers) checkOwnCode(c *request.Call) error {
	secret, err := h.TwoFactor.FindOwnSecret(c.R.Context(), *c.Actor) // a session that has ended uses up no code
	if err != nil || secret == "" {
		return err
	}
	if data.Blank(c.Value("code")) {
		return data.Mistake("code", "Please type the code of your authenticator app, or a recovery code.")
	}
	err = h.checkCode(c, c.Actor.UserID, c.Value("code"))
	if data.ErrorCode(err) == data.Unauthenticated { // which would mean that the session has ended
		return data.Mistake("code", request.MessageOf(err))
	}
	return err
}

// RenewCodes replaces the recovery codes.
func (h *Handlers) RenewCodes(c *request.Call) error {
	if err := h.checkOwnCode(c); err != nil {
		return h.RefuseSecurity(c, err)
	}
	codes, hashes := h.newRecoveryCodes(c.Actor.UserID)
	if err := h.TwoFactor.RenewCodes(c.R.Context(), *c.Actor, hashes); err != nil {
		return h.RefuseSecurity(c, err)
	}
	return h.codesPage(c, codes)
}

// TurnOffApp ends the second step.
func (h *Handlers) TurnOffApp(c *request.Call) error {
	if err := h.checkOwnCode(c); err != nil {
		return h.RefuseSecurity(c, err)
	}
	if err := h.TwoFactor.TurnOff(c.R.Context(), *c.Actor); err != nil {
		return h.RefuseSecurity(c, err)
	}
	return securityDone(c, "app-off")
}
