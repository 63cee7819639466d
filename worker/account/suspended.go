package account

import (
	"errors"
	"net/http"

	"plaza/data/accounts/sessions"
	"plaza/worker/request"
	"plaza/worker/view"
)

// suspended answers somebody who has shown who they are and can't log in, because of err: with why, and with the address at which they
// appeal. It returns err where that is not why they can't log in, and to programs.
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
