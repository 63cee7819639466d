package worker

import (
	"net/http"
	"net/url"

	"plaza/data"
	"plaza/data/inbox"
	"plaza/data/reports"
	"plaza/render"
)

// reported reads what a form reports: the field target is a post or comment, user a member.
func (a *App) reported(c *call, r *data.Read) (*reports.Thing, error) {
	if err := c.parse(); err != nil {
		return nil, err
	}
	var t *reports.Thing
	if name := c.value("user"); name != "" {
		t = a.reports.FindMember(r, c.viewerID(), name)
	} else {
		target, err := targetOf(c)
		if err != nil {
			return nil, err
		}
		t = a.reports.FindThing(r, c.viewerID(), target)
	}
	r.After(func() { t.OfSite = c.siteRules() })
	return t, nil
}

// reportURL is the page on which a thing is reported, and which says so afterwards.
func reportURL(t *reports.Thing) string {
	if t.Community == "" {
		return "/report?user=" + url.QueryEscape(t.Author)
	}
	return "/report?target=" + t.ID.Text()
}

// showReport is the form to report something.
func (a *App) showReport(c *call) error {
	return a.reportPage(c, http.StatusOK, render.Form{Values: map[string]string{}, Errors: map[string]string{}})
}

// reportPage shows the form.
func (a *App) reportPage(c *call, status int, f render.Form) error {
	r := c.read()
	a.communities.FollowColours(r)
	t, err := a.reported(c, r)
	if err != nil {
		return err
	}
	if err := c.run(r); err != nil {
		return err
	}
	if err := t.Err(); err != nil {
		return err
	}
	if t.Reported && !t.DecidedAt.IsZero() {
		a.markSeenPost(c, inbox.StandIn(t.ID, t.DecidedAt))
	}
	p := render.ReportPage{Title: t.Title, URL: t.URL, Author: t.Author, IsComment: t.ID.IsComment(), Said: t.Said, Reported: t.Reported, Decision: t.Decision, Form: f}
	if t.Community != "" {
		p.Target, p.Community = t.ID.Text(), render.Community{Name: t.Community, Colour: c.colour(t.Community)}
	}
	p.Rules, p.Reasons = t.Reasons()
	p.Frame = c.frame("Report", "", "")
	p.NoIndex = true
	return show(c, status, render.Report, p)
}

func (a *App) report(c *call) error {
	r := a.DB.Read()
	t, err := a.reported(c, r)
	if err != nil {
		return err
	}
	if err := r.Run(c.r.Context()); err != nil {
		return err
	}
	if t.Community != "" {
		if t.Judged, err = a.rules.Reported(c.r.Context(), t.AuthorID, t.ID, t.Content); err != nil {
			return a.refuseReport(c, err)
		}
	}
	if err := a.reports.Report(c.r.Context(), *c.actor, t, c.value("reason"), c.value("text")); err != nil {
		return a.refuseReport(c, err)
	}
	a.copyCounts(c)
	return c.done(reportURL(t), map[string]any{"id": t.ID})
}

// refuseReport shows the form again. While that can't be read, or there is nothing to report any more, the error has a page.
func (a *App) refuseReport(c *call, err error) error {
	if c.wantsJSON() || c.actor == nil || !formCanSay(err) || data.ErrorCode(err) == data.NotFound {
		return err
	}
	if a.reportPage(c, formStatus(err), wrong(c.typed("reason", "text"), err)) != nil {
		return err
	}
	return nil
}
