package account

import (
	"errors"
	"net/http"

	"plaza/data/accounts/sessions"
	"plaza/worker/request"
	"plaza/worker/view"
)

// suspended responds to a member whose login failed with err. If the member is suspended, it shows the reason and a link to appeal. It
// returns err if err has another reason, and for programs.
func (h *Handlers) suspended(c *request.Call, err error) error {
	s := (*sessions.Suspension)(nil)
	if !errors.As(err, &s) || c.WantsJSON() {
		return err
	}
	p := view.SuspensionView(s)
	if s.Decision != 0 {
		p.AppealURL = h.SuspensionLink(s.Member, s.Decision)
	}
	return h.SuspensionPage(c, http.StatusForbidden, p)
}
