package moderation

import (
	"net/http"
	"net/url"

	"plaza/data"
	"plaza/data/events/inbox"
	"plaza/data/moderation/reports"
	"plaza/locale"
	postpages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// reported reads what a form reports: a post or comment by the field target, or a member by the field user.
func (h *Handlers) reported(c *request.Call, r *data.Read) (*reports.Thing, error) {
	if err := c.Parse(); err != nil {
		return nil, err
	}
	var t *reports.Thing
	if name := c.Value("user"); name != "" {
		t = h.Reports.FindMember(r, c.ViewerID(), name)
	} else {
		target, err := request.TargetOf(c)
		if err != nil {
			return nil, err
		}
		t = h.Reports.FindThing(r, c.ViewerID(), target)
	}
	r.After(func() { t.OfSite = view.SiteRules(c) })
	return t, nil
}

// reportURL is the page on which a thing is reported, and which says so afterwards.
func reportURL(t *reports.Thing) string {
	if t.Community == "" {
		return "/report?user=" + url.QueryEscape(t.Author)
	}
	return "/report?target=" + t.ID.Text()
}

// ShowReport is the form to report something.
func (h *Handlers) ShowReport(c *request.Call) error {
	return h.reportPage(c, http.StatusOK, ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
}

// reportPage shows the form.
func (h *Handlers) reportPage(c *request.Call, status int, f ui.Form) error {
	r := c.Read()
	h.Communities.FindColourChanges(r)
	t, err := h.reported(c, r)
	if err != nil {
		return err
	}
	if err := c.Run(r); err != nil {
		return err
	}
	if err := t.Err(); err != nil {
		return err
	}
	if t.Reported && !t.DecidedAt.IsZero() {
		h.MarkSeenPost(c, inbox.SyntheticSubject(t.ID, t.DecidedAt), true)
	}
	p := postpages.ReportPage{Title: t.Title, URL: t.URL, Author: t.Author, IsComment: t.ID.IsComment(), Said: t.Excerpt, Reported: t.Reported,
		Decision: t.Decision, Form: f}
	if t.Community != "" {
		p.Target, p.Community = t.ID.Text(), c.CommunityHeader(t.Community)
	}
	p.Rules, p.Reasons = t.Reasons()
	p.Frame = c.Frame("Report¦verb")
	return request.Show(c, status, postpages.Report, p)
}

func (h *Handlers) Report(c *request.Call) error {
	r := h.DB.Read()
	t, err := h.reported(c, r)
	if err != nil {
		return err
	}
	if err := r.Run(c.R.Context()); err != nil {
		return err
	}
	if t.Community != "" {
		if t.RulesHit, err = h.Rules.Reported(c.R.Context(), t.AuthorID, t.ID, t.Content); err != nil {
			return h.RefuseReport(c, err)
		}
	}
	if err := h.Reports.Report(c.R.Context(), *c.Actor, t, c.Value("reason"), c.Value("text")); err != nil {
		return h.RefuseReport(c, err)
	}
	h.copyCounts(c)
	return c.Done(reportURL(t), map[string]any{"id": t.ID})
}

// RefuseReport shows the form again. If that can't be read, or there is nothing to report any more, it returns err.
func (h *Handlers) RefuseReport(c *request.Call, err error) error {
	return request.RefuseFound(c, err, h.reportPage, []string{"reason", "text"}, data.NotFound)
}
