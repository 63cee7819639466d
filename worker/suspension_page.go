package worker

import (
	"plaza/data/people"
	"plaza/render"
)

// suspensionView is what a member reads who can't log in.
func suspensionView(s *people.Suspension) render.SuspensionPage {
	return render.SuspensionPage{Name: s.Name, Status: s.Status, Refused: s.Refused, Until: s.Until, Rule: s.Rule, Note: s.Note}
}

func (a *App) suspensionPage(c *call, status int, p render.SuspensionPage) error {
	p.Frame = c.frame(p.Heading(), "", "")
	p.Frame.Path = "/" // not the link: who logs in on this page must not come back to it
	p.NoIndex = true
	return show(c, status, render.Suspension, p)
}
