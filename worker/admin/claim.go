package admin

import (
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/accounts/signup"
	"plaza/locale"
	accountpages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
)

// ShowClaim explains how to claim an imported account. Nothing is stored: each page has another secret.
func (h *Handlers) ShowClaim(c *request.Call) error {
	r := c.Read()
	user := h.Accounts.FindByName(r, c.R.URL.Query().Get("user"))
	if err := c.Run(r); err != nil {
		return err
	}
	if user.ID == 0 || !user.Unclaimed {
		return signup.ErrNotClaimable
	}
	site, name := user.Elsewhere()
	secret := request.NewToken()
	p := accountpages.ClaimPage{Frame: c.Frame(locale.With("Claim {}", user.Username)), Name: user.Username, Site: site,
		Elsewhere: name,
		Proof:     request.LinkHash(secret), LinkURL: h.SiteURL + "/link?token=" + secret}
	say := c.Language().Say
	p.Form = c.WithToken(ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{
		"body": say(locale.With("I claim the account {}. I am {} at {}, and show there: {}", user.Username, name, site, p.Proof)) +
			"\n\n" + say("It is at this address:") + " "}})
	return request.Show(c, http.StatusOK, accountpages.Claim, p)
}

// ShowLetClaim is the page on which administrators grant the claim to an imported account.
func (h *Handlers) ShowLetClaim(c *request.Call) error {
	if c.R.URL.Query().Has("let") {
		c.Flash = "The link of the claim works now, for 14 days."
	}
	return h.letClaimPage(c, http.StatusOK, ui.Form{Values: map[string]string{"user": c.R.URL.Query().Get("user")},
		Errors: map[string]locale.Text{}})
}

func (h *Handlers) letClaimPage(c *request.Call, status int, f ui.Form) error {
	if err := c.Run(c.Read()); err != nil {
		return err
	}
	p := accountpages.LetClaimPage{Frame: c.Frame("Claimed accounts"), Form: f}
	return request.Show(c, status, accountpages.LetClaim, p)
}

func (h *Handlers) GrantClaim(c *request.Call) error {
	err := h.Signup.LetClaim(c.R.Context(), *c.Actor, strings.TrimSpace(c.Value("user")), strings.TrimSpace(c.Value("proof")))
	if err == nil {
		return c.Done(request.ClaimURL+"?let", map[string]any{"ok": true})
	}
	if c.WantsJSON() || data.ErrorCode(err) != data.Invalid && data.ErrorCode(err) != data.NotFound {
		return err
	}
	return h.letClaimPage(c, request.FormStatus(err), request.WithError(c.Typed("user", "proof"), err))
}
