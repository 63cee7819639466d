package moderation

import (
	"cmp"
	"net/http"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/data/events/inbox"
	"plaza/data/events/modlog"
	"plaza/data/moderation/appeals"
	"plaza/locale"
	pages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/decision"
	"plaza/worker/request"
)

// ShowDecision is a decision about something of the member's. The moderators of its community may read it, too.
func (h *Handlers) ShowDecision(c *request.Call) error {
	return h.decisionPage(c, http.StatusOK, ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) decisionPage(c *request.Call, status int, f ui.Form) error {
	id, err := data.ParseID(c.R.PathValue("decision"))
	if err != nil {
		return err
	}
	r := c.Read()
	h.Communities.FindColourChanges(r)
	d, unread, appeal := modlog.FindEntry(r, h.DB, id), h.Inbox.FindUnread(r, c.ViewerID(), id), h.Modmail.FindAppeal(r, c.ViewerID(), id)
	own := votes.FindCaseOfVoter(r, id, c.ViewerID())
	if err := c.Run(r); err != nil {
		return err
	}
	if d.ID == 0 && own.ID != 0 {
		return h.casePage(c, own, *unread)
	}
	text := decision.Text(d.Action, d.Comment != 0, d.Community, d.Author == c.ViewerID())
	if text == "" || d.Author != c.ViewerID() && !c.Exact(d.Community) {
		return appeals.ErrNoDecision
	}
	p := pages.DecisionPage{Heading: text, Title: d.Title, URL: d.URL(), Rule: d.Rule, Note: d.Note, Until: d.Until, At: d.At(),
		Undone: d.Undone, Form: f, Reasons: decision.StatementOf(d)}
	if d.Community != "" {
		p.Community = c.CommunityHeader(d.Community)
	}
	p.ListURL = "/inbox/moderation"
	if d.Author != c.ViewerID() {
		p.By, p.ListURL = cmp.Or(locale.Verbatim(d.Actor), "nobody in particular"), "/log"
		if d.Community != "" && !data.IsProfile(d.Community) {
			p.ListURL = "/c/" + d.Community + "/log"
		}
	}
	switch {
	case d.Author == c.ViewerID() && appeal.ID != 0:
		p.AppealURL, p.Verdict = request.ConversationURL(appeal.ID), string(appeal.Verdict)
	case d.Author == c.ViewerID() && d.Appealable():
		p.FormURL = "/decisions/" + id.Text()
	case d.Author == c.ViewerID():
		p.WriteURL = decision.WriteURL(d.Community, d.Target)
	}
	return h.showDecision(c, status, p, id, *unread)
}

// showDecision shows the page of the decision with an id, which the member may not have read yet.
func (h *Handlers) showDecision(c *request.Call, status int, p pages.DecisionPage, id data.ID, unread bool) error {
	if unread {
		c.Viewer.Unread = max(c.Viewer.Unread-1, 0) // the header of this page does not count it
		h.MarkSeen(c, id)
	}
	p.Frame = c.Frame(p.Heading)
	return request.Show(c, status, pages.Decision, p)
}

// casePage shows a voter the state of a quarantined vote, and the reasons. Voters appeal by a message to the moderators, who
// decide about all votes of a case at once.
func (h *Handlers) casePage(c *request.Call, own *votes.VoterCase, unread bool) error {
	event := inbox.EventsOfCases[own.Status]
	p := pages.DecisionPage{Heading: decision.CaseText(event, own.Target.IsComment()), At: own.At,
		Community: c.CommunityHeader(own.Post.Community),
		ListURL:   "/inbox/moderation", Reasons: decision.StatementOfCase(event), Form: ui.Form{Values: map[string]string{}}}
	if own.Post.Slug != "" {
		p.Title, p.URL = own.Post.Title, own.Post.URL()
		if own.Target.IsComment() {
			p.URL += "/" + own.Target.Text()
		}
	}
	if event != inbox.VoteReleased {
		p.WriteURL = decision.WriteURL(own.Post.Community, own.Target)
	}
	return h.showDecision(c, http.StatusOK, p, own.ID, unread)
}
