package worker

import (
	"net/http"

	"plaza/render"
)

// showSecuritySettings is the page of the ways in which a member signs in.
func (a *App) showSecuritySettings(c *call) error {
	switch c.r.URL.Query().Get("done") {
	case "passkey":
		c.notice = "Your passkey is added."
	case "named":
		c.notice = "The name is changed."
	case "removed":
		c.notice = "It is removed. You can't sign in by it any more."
	}
	return a.securityPage(c, http.StatusOK, c.typed("name"))
}

func (a *App) securityPage(c *call, status int, f render.Form) error {
	r := c.read(a)
	keys := a.passkeys.Find(r, c.actor.UserID)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.SecurityPage{Frame: c.frame(a, "Security", "", ""), Form: f}
	p.NoIndex = true
	for _, k := range *keys {
		p.Passkeys = append(p.Passkeys, render.PasskeyItem{ID: k.ID, Name: k.Name, CreatedAt: k.CreatedAt, UsedAt: k.UsedAt, Copied: !k.CopiedAt.IsZero()})
	}
	return show(c, status, render.Security, p)
}

func (a *App) refuseSecurity(c *call, err error) error {
	if c.actor == nil || c.wantsJSON() || !formCanSay(err) {
		return err
	}
	return a.securityPage(c, formStatus(err), wrong(c.typed("name"), err))
}

// securityDone leads back to the page, which says what was done.
func (c *call) securityDone(what string) error {
	return c.done("/settings/security?done="+what, map[string]any{"ok": true})
}
