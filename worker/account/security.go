package account

import (
	"net/http"

	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
)

// ShowSecuritySettings is the page of a member's sign-in methods and sessions.
func (h *Handlers) ShowSecuritySettings(c *request.Call) error {
	switch c.R.URL.Query().Get("done") {
	case "passkey":
		c.Flash = "Your passkey is added."
	case "identity":
		c.Flash = "The account at the other site is added. You can log in with it from now on."
	case "known":
		c.Flash = "That account is added already. You can log in with it."
	case "app-off":
		c.Flash = "The second step is off. You log in without a code from now on."
	case "named":
		c.Flash = "The name is changed."
	case "ended":
		c.Flash = "That session is logged out."
	case "others":
		c.Flash = "You are logged out everywhere else."
	case "removed":
		c.Flash = "That way to log in is removed. It doesn't work any more."
	}
	return h.securityPage(c, http.StatusOK, c.Typed("name"))
}

func (h *Handlers) securityPage(c *request.Call, status int, f ui.Form) error {
	r := c.Read()
	keys := h.Passkeys.Find(r, c.Actor.UserID)
	sessions := h.Sessions.FindList(r, c.Actor.UserID)
	linked := h.Identities.Find(r, c.Actor.UserID)
	factor := h.TwoFactor.Find(r, c.Actor.UserID)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.SecurityPage{Frame: c.Frame("Security"), Form: f, SSOOnly: h.SSOOnly, Providers: h.providerLinks(""),
		Factor: factorItem(factor)}
	p.Sessions = sessionItems(c, *sessions)
	for _, k := range *keys {
		p.Passkeys = append(p.Passkeys, pages.PasskeyItem{ID: k.ID, Name: k.Name, CreatedAt: k.CreatedAt, UsedAt: k.UsedAt,
			Copied: !k.CopiedAt.IsZero()})
	}
	for _, i := range *linked {
		p.Identities = append(p.Identities, pages.IdentityItem{ID: i.ID.Text(), Provider: h.labelOf(i.Issuer), Name: i.Name,
			CreatedAt: i.CreatedAt, UsedAt: i.UsedAt})
	}
	return request.Show(c, status, pages.Security, p)
}

func (h *Handlers) RefuseSecurity(c *request.Call, err error) error {
	return request.RefuseMember(c, err, func(c *request.Call, status int, f ui.Form) error {
		f.Values["code"] = "" // it may be used up
		return h.securityPage(c, status, f)
	}, []string{"name", "code"})
}

// securityDone redirects to the page, which says what was done.
func securityDone(c *request.Call, what string) error {
	return c.Done("/settings/security?done="+what, map[string]any{"ok": true})
}
