package worker

import (
	"cmp"
	"net/http"
	"net/url"

	"plaza/data"
	"plaza/data/moderation/appeals"
	"plaza/data/modlog"
	"plaza/render"
)

// showDecision is what was decided about something of the member's. The moderators of its community may read it, too.
func (a *App) showDecision(c *call) error {
	return a.decisionPage(c, http.StatusOK, render.Form{Values: map[string]string{}, Errors: map[string]string{}})
}

func (a *App) decisionPage(c *call, status int, f render.Form) error {
	id, err := data.ParseID(c.r.PathValue("decision"))
	if err != nil {
		return err
	}
	r := c.read()
	a.communities.FollowColours(r)
	d, unread, appeal := modlog.FindDecision(r, a.DB, id), a.inbox.FindUnread(r, c.viewerID(), id), a.modmail.FindAppeal(r, c.viewerID(), id)
	if err := c.run(r); err != nil {
		return err
	}
	text := decisionText(d.Action, d.Comment != 0, d.Community, d.Author == c.viewerID())
	if text == "" || d.Author != c.viewerID() && !c.exact(d.Community) {
		return appeals.ErrNoDecision
	}
	p := render.DecisionPage{Heading: text, Title: d.Title, URL: d.URL(), Rule: d.Rule, Note: d.Note, Until: d.Until, At: d.At(), Undone: d.Undone, Form: f}
	if d.Community != "" {
		p.Community = render.Community{Name: d.Community, Colour: c.colour(d.Community)}
	}
	p.ListURL = "/inbox/moderation"
	if d.Author != c.viewerID() {
		p.By, p.ListURL = cmp.Or(d.Actor, "nobody in particular"), "/log"
		if d.Community != "" && !data.IsProfile(d.Community) {
			p.ListURL = "/c/" + d.Community + "/log"
		}
	}
	switch {
	case d.Author == c.viewerID() && appeal.ID != 0:
		p.AppealURL, p.Verdict = conversationURL(appeal.ID), string(appeal.Verdict)
	case d.Author == c.viewerID() && d.Appealable():
		p.FormURL = "/decisions/" + id.Text()
	case d.Author == c.viewerID():
		p.WriteURL = "/messages/new"
		if d.Community != "" && !data.IsProfile(d.Community) {
			p.WriteURL += "?" + url.Values{"community": {d.Community}, "target": {d.Target.Text()}}.Encode()
		}
	}
	if *unread {
		c.viewer.Unread = max(c.viewer.Unread-1, 0) // of this page, which shows it
		a.markSeen(c, id)
	}
	p.Frame = c.frame(text, "", "")
	p.NoIndex = true
	return show(c, status, render.Decision, p)
}
