package view

import (
	"plaza/data/accounts/sessions"
	"plaza/data/events/modlog"
	accountpages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/decision"
	"plaza/worker/request"
)

// SuspensionView makes the view of the page for a member who can't log in.
func SuspensionView(s *sessions.Suspension) accountpages.SuspensionPage {
	p := accountpages.SuspensionPage{Name: s.Name, Status: s.Status, Refused: s.Refused, Until: s.Until, Rule: s.Rule, Note: s.Note}
	if s.Status != "active" {
		p.Reasons = ui.Statement{Found: "A person decided this for the whole site.", Ground: decision.Ground(s.Rule),
			Lasts: decision.Lasts(modlog.Suspend, !s.Until.IsZero()), Elsewhere: true}
	}
	return p
}

// SuspensionPage shows the page for a member who can't log in.
func (v *Views) SuspensionPage(c *request.Call, status int, p accountpages.SuspensionPage) error {
	p.Frame = c.Frame(p.Heading())
	p.Frame.Path = "/" // not the link: who logs in on this page must not come back to it
	return request.Show(c, status, accountpages.Suspension, p)
}
