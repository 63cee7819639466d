package worker

import (
	"crypto/rand"
	"net/http"

	"plaza/data"
	"plaza/render"
	"plaza/totp"
)

// showNewApp shows the secret for an authenticator app.
func (a *App) showNewApp(c *call) error {
	b := make([]byte, totp.SecretLen)
	_, _ = rand.Read(b)
	f := c.typed("code")
	f.Values["secret"] = totp.Text(b)
	return a.newAppPage(c, http.StatusOK, f)
}

// newAppPage shows the form, with the secret that it has. Nothing is stored before the app has shown that it knows the secret.
func (a *App) newAppPage(c *call, status int, f render.Form) error {
	r := c.read()
	if err := c.run(r); err != nil {
		return err
	}
	secret, err := totp.Parse(f.Values["secret"])
	if err != nil {
		return c.redirect("/settings/totp")
	}
	p := render.NewAppPage{Frame: c.frame("Set up an authenticator app", "", ""), Form: f, URL: totp.URL(a.siteName(), c.actor.Name, secret)}
	p.NoIndex = true
	return show(c, status, render.NewApp, p)
}

// turnOnApp checks the app's first code and turns the second step on.
func (a *App) turnOnApp(c *call) error {
	secret, err := totp.Parse(c.value("secret"))
	if err != nil {
		return a.refuseNewApp(c, data.Mistake("code", "The key was not sent whole. Please load this page again and scan the new code."))
	}
	code := totp.Typed(c.value("code"))
	step, ok := totp.Find(secret, code, a.Source.Now())
	if !ok {
		return a.refuseNewApp(c, data.Mistake("code", "That is not the code that your app should show now. Please type the current one, and check that your device's clock is right."))
	}
	codes, hashes := a.newRecoveryCodes(c.actor.UserID)
	if err := a.factors.TurnOn(c.r.Context(), *c.actor, totp.Text(secret), codeToken(c.actor.UserID, code, step), hashes); err != nil {
		return a.refuseNewApp(c, err)
	}
	return a.codesPage(c, codes)
}

func (a *App) refuseNewApp(c *call, err error) error {
	if c.actor == nil || c.wantsJSON() || !formCanSay(err) {
		return err
	}
	if _, broken := totp.Parse(c.value("secret")); broken != nil && data.ErrorCode(err) == data.RateLimited {
		return err // there is no key to show the form with
	}
	return a.newAppPage(c, formStatus(err), wrong(c.typed("code", "secret"), err))
}

// newRecoveryCodes makes recovery codes and their hashes.
func (a *App) newRecoveryCodes(member data.ID) (codes, hashes []string) {
	for range totp.RecoveryCodes {
		b := make([]byte, totp.RecoveryLen)
		_, _ = rand.Read(b)
		code := totp.RecoveryText(b)
		codes, hashes = append(codes, code), append(hashes, totp.RecoveryHash(member.Text(), code))
	}
	return codes, hashes
}

// codesPage shows recovery codes, which are stored nowhere.
func (a *App) codesPage(c *call, codes []string) error {
	if c.wantsJSON() {
		return c.json(http.StatusOK, map[string]any{"codes": codes})
	}
	r := c.read()
	if err := c.run(r); err != nil {
		return err
	}
	p := render.CodesPage{Frame: c.frame("Your recovery codes", "", ""), Codes: codes}
	p.NoIndex = true
	return show(c, http.StatusOK, render.Codes, p)
}

// checkOwnCode uses up a code of the caller's app, or a recovery code, so that a stolen session and its password are not enough to turn the
// second step off. It does nothing for accounts without a second step. Invalid, RateLimited, Unauthenticated.
func (a *App) checkOwnCode(c *call) error {
	secret, err := a.factors.FindOwnSecret(c.r.Context(), *c.actor) // a session that has ended uses up no code
	if err != nil || secret == "" {
		return err
	}
	if data.Blank(c.value("code")) {
		return data.Mistake("code", "Please type the code of your authenticator app, or a recovery code.")
	}
	err = a.checkCode(c, c.actor.UserID, c.value("code"))
	if data.ErrorCode(err) == data.Unauthenticated { // the session is not in question
		return data.Mistake("code", messageOf(err))
	}
	return err
}

// renewCodes makes the recovery codes anew.
func (a *App) renewCodes(c *call) error {
	if err := a.checkOwnCode(c); err != nil {
		return a.refuseSecurity(c, err)
	}
	codes, hashes := a.newRecoveryCodes(c.actor.UserID)
	if err := a.factors.RenewCodes(c.r.Context(), *c.actor, hashes); err != nil {
		return a.refuseSecurity(c, err)
	}
	return a.codesPage(c, codes)
}

// turnOffApp ends the second step.
func (a *App) turnOffApp(c *call) error {
	if err := a.checkOwnCode(c); err != nil {
		return a.refuseSecurity(c, err)
	}
	if err := a.factors.TurnOff(c.r.Context(), *c.actor); err != nil {
		return a.refuseSecurity(c, err)
	}
	return c.securityDone("app-off")
}
