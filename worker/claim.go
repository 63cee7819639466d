package worker

import (
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/people"
	"plaza/render"
)

// showClaim tells how an account that came by an import is claimed. Nothing is kept of it: each page has another secret.
func (a *App) showClaim(c *call) error {
	r := c.read()
	user := a.users.FindByName(r, c.r.URL.Query().Get("user"))
	if err := c.run(r); err != nil {
		return err
	}
	if user.ID == 0 || !user.Unclaimed {
		return people.ErrNotClaimable
	}
	site, name := user.Elsewhere()
	secret := newToken()
	p := render.ClaimPage{Frame: c.frame("Claim "+user.Username, "", ""), Name: user.Username, Site: site, Elsewhere: name, Proof: linkHash(secret), LinkURL: a.SiteURL + "/link?token=" + secret}
	p.NoIndex = true
	p.Form = c.withToken(render.Form{Values: map[string]string{"body": "I claim the account " + user.Username + ". I am " + name + " at " + site + ", and show there: " + p.Proof + "\n\nIt is at this address: "},
		Errors: map[string]string{}})
	return show(c, http.StatusOK, render.Claim, p)
}

// showLetClaim is where administrators let somebody have an account that came by an import.
func (a *App) showLetClaim(c *call) error {
	if c.r.URL.Query().Has("let") {
		c.notice = "The link of the claim works now, for 14 days."
	}
	return a.letClaimPage(c, http.StatusOK, render.Form{Values: map[string]string{"user": c.r.URL.Query().Get("user")}, Errors: map[string]string{}})
}

func (a *App) letClaimPage(c *call, status int, f render.Form) error {
	if err := c.run(c.read()); err != nil {
		return err
	}
	p := render.LetClaimPage{Frame: c.frame("Claimed accounts", "", ""), Form: f}
	p.NoIndex = true
	return show(c, status, render.LetClaim, p)
}

func (a *App) letClaim(c *call) error {
	err := a.users.LetClaim(c.r.Context(), *c.actor, strings.TrimSpace(c.value("user")), strings.TrimSpace(c.value("proof")))
	if err == nil {
		return c.done(claimURL+"?let", map[string]any{"ok": true})
	}
	if c.wantsJSON() || data.ErrorCode(err) != data.Invalid && data.ErrorCode(err) != data.NotFound {
		return err
	}
	return a.letClaimPage(c, formStatus(err), wrong(c.typed("user", "proof"), err))
}
