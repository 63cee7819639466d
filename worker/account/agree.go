package account

import (
	"net/http"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/accounts"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/request/session"
)

var agreeFields = []string{"born", "terms", "next"}

// ShowAgree asks for the year of birth and the acceptance of the terms, if the site requires them before the member writes.
func (h *Handlers) ShowAgree(c *request.Call) error {
	if err := c.Parse(); err != nil {
		return err
	}
	return h.agreePage(c, http.StatusOK, c.Typed(agreeFields...))
}

func (h *Handlers) agreePage(c *request.Call, status int, f ui.Form) error {
	if err := c.Run(c.Read()); err != nil {
		return err
	}
	set := h.Settings.Now()
	required := h.Requires(set, c.Viewer.Agreed)
	if !required.Any() {
		return c.Redirect(request.Back(f.Values["next"]))
	}
	p := pages.AgreePage{Frame: c.Frame("Before you write"), Age: required.Age, Terms: required.Terms, Young: required.Young,
		Again: c.Viewer.Agreed.Terms > 0, Changed: set.Changed, MinAge: set.MinAge, BackURL: request.Back(f.Values["next"]),
		Version: strconv.FormatInt(set.Terms, 10), Form: f}
	return request.Show(c, status, pages.Agree, p)
}

// Agree stores the accepted terms and the stated year, in the directory and in the cookie of the session.
func (h *Handlers) Agree(c *request.Call) error {
	r := c.Read()
	if err := c.Run(r); err != nil {
		return err
	}
	set := h.Settings.Now()
	required := h.Requires(set, c.Viewer.Agreed)
	var to data.Consent
	var badAge, badTerms error
	if required.Age {
		to.Born, _ = strconv.ParseInt(strings.TrimSpace(c.Value("born")), 10, 64)
		badAge = accounts.CheckBirthYear(to.Born, h.Source.Now())
	}
	if required.Terms {
		to.Terms = set.Terms
		badTerms = data.MistakeIf(!c.Flag("terms"), "terms", "Please read the terms and accept them.")
		if v := c.Value("version"); badTerms == nil && v != "" && v != strconv.FormatInt(set.Terms, 10) {
			c.Form.Del("terms")
			badTerms = data.Mistake("terms", "The terms have changed while you read. Please read them again and accept them.")
		}
	}
	if err := data.AllMistakes(badAge, badTerms); err != nil {
		return h.RefuseAgree(c, err)
	}
	agreed, err := h.Accounts.Agree(c.R.Context(), *c.Actor, to)
	if err != nil {
		return h.RefuseAgree(c, err)
	}
	actor := *c.Actor
	actor.Agreed = agreed
	h.SendSession(c, session.Session{Actor: actor, UsedAt: c.UsedAt})
	next := request.Back(c.Value("next"))
	if h.Requires(set, agreed).Any() {
		next = request.AgreeURL
	}
	return c.Done(next, map[string]any{"terms": agreed.Terms})
}

// RefuseAgree shows the form again.
func (h *Handlers) RefuseAgree(c *request.Call, err error) error {
	if c.Actor == nil || !h.Requires(h.Settings.Now(), c.Actor.Agreed).Any() {
		return err // there is no form to come back to
	}
	return request.RefuseMember(c, err, h.agreePage, agreeFields)
}
