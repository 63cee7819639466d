package worker

import (
	"net/http"

	"plaza/render"
)

// showSecuritySettings is the page of the ways in which a member logs in.
func (a *App) showSecuritySettings(c *call) error {
	switch c.r.URL.Query().Get("done") {
	case "passkey":
		c.notice = "Your passkey is added."
	case "identity":
		c.notice = "The account at the other site is added. You can log in with it from now on."
	case "known":
		c.notice = "That account is added already. You can log in with it."
	case "app-off":
		c.notice = "The second step is off. You log in without a code from now on."
	case "named":
		c.notice = "The name is changed."
	case "ended":
		c.notice = "That session is logged out."
	case "others":
		c.notice = "You are logged out everywhere else."
	case "removed":
		c.notice = "That way to log in is removed. It doesn't work any more."
	}
	return a.securityPage(c, http.StatusOK, c.typed("name"))
}

func (a *App) securityPage(c *call, status int, f render.Form) error {
	r := c.read()
	keys := a.passkeys.Find(r, c.actor.UserID)
	sessions := a.sessions.FindList(r, c.actor.UserID)
	linked := a.identities.Find(r, c.actor.UserID)
	factor := a.factors.Find(r, c.actor.UserID)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.SecurityPage{Frame: c.frame("Security", "", ""), Form: f, SSOOnly: a.SSOOnly, Providers: a.providerLinks(""), Factor: factorItem(factor)}
	p.NoIndex, p.Sessions = true, sessionItems(c, *sessions)
	for _, k := range *keys {
		p.Passkeys = append(p.Passkeys, render.PasskeyItem{ID: k.ID, Name: k.Name, CreatedAt: k.CreatedAt, UsedAt: k.UsedAt, Copied: !k.CopiedAt.IsZero()})
	}
	for _, i := range *linked {
		p.Identities = append(p.Identities, render.IdentityItem{ID: i.ID.Text(), Provider: a.labelOf(i.Issuer), Name: i.Name, CreatedAt: i.CreatedAt, UsedAt: i.UsedAt})
	}
	return show(c, status, render.Security, p)
}

func (a *App) refuseSecurity(c *call, err error) error {
	if c.actor == nil || c.wantsJSON() || !formCanSay(err) {
		return err
	}
	f := wrong(c.typed("name", "code"), err)
	f.Values["code"] = "" // it may be used up
	return a.securityPage(c, formStatus(err), f)
}

// securityDone leads back to the page, which says what was done.
func (c *call) securityDone(what string) error {
	return c.done("/settings/security?done="+what, map[string]any{"ok": true})
}
