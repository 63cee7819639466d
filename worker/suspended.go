package worker

import (
	"errors"
	"net/http"

	"plaza/data/people"
)

// suspended answers somebody who has shown who they are and can't log in, because of err: with why, and with the address at which they appeal.
// It returns err where that is not why they can't log in, and to programs.
func (a *App) suspended(c *call, err error) error {
	s := (*people.Suspension)(nil)
	if !errors.As(err, &s) || c.wantsJSON() {
		return err
	}
	p := suspensionView(s)
	if s.Decision != 0 {
		p.AppealURL = a.suspensionLink(s.Member, s.Decision)
	}
	return a.suspensionPage(c, http.StatusForbidden, p)
}
