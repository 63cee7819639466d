package worker

import (
	"cmp"
	"net/http"
	"net/url"

	"plaza/data"
	"plaza/data/inbox"
	"plaza/data/moderation/appeals"
	"plaza/data/modlog"
	"plaza/render"
)

// decisionText says what was decided about something of a member's: to that member, if it is theirs, else to the moderators. "" is a decision about
// nothing of anybody's.
func decisionText(action modlog.Action, comment bool, community string, theirs bool) string {
	whose, who, place := "Your ", "You are ", "c/"+community
	if !theirs {
		whose, who = "The ", "The member is "
	}
	thing := "post"
	if comment {
		thing = "comment"
	}
	switch action {
	case modlog.Remove:
		return whose + thing + " was removed"
	case modlog.Approve:
		return whose + thing + " was approved: everybody can see it"
	case modlog.Ban:
		return who + "banned from " + place
	case modlog.Unban:
		return who + "not banned from " + place + " any more"
	case modlog.Mute:
		return who + "muted in " + place
	case modlog.Unmute:
		return who + "not muted in " + place + " any more"
	case modlog.Suspend:
		return whose + "account was suspended"
	case modlog.BanSite:
		return whose + "account was banned"
	case modlog.Refuse:
		return whose + "application was refused"
	case modlog.Restore:
		return whose + "account is active again"
	}
	return ""
}

// noticed says what a notice tells a member; "" for what others wrote.
func noticed(i *inbox.Item) string {
	switch i.Notice {
	case inbox.ReportRemoved:
		return "What you have reported was removed"
	case inbox.FromModerators:
		return theModerators(i.Community, "The") + " wrote to you"
	case inbox.ToModerators:
		who := i.Author
		if who == "" {
			who = "Somebody"
		}
		return who + " wrote to " + theModerators(i.Community, "the")
	case inbox.Withheld:
		return "Your scheduled post was not published, and is a draft again"
	case inbox.ReportKept:
		return "What you have reported may stay"
	}
	return decisionText(modlog.Action(i.Notice), i.About.IsComment(), i.Community, true)
}

// theModerators are those of a community, or the administrators. the is the article.
func theModerators(community, the string) string {
	if community == "" {
		return the + " administrators"
	}
	return the + " moderators of c/" + community
}

// showDecision is what was decided about something of the member's. The moderators of its community may read it, too.
func (a *App) showDecision(c *call) error {
	return a.decisionPage(c, http.StatusOK, render.Form{Values: map[string]string{}, Errors: map[string]string{}})
}

func (a *App) decisionPage(c *call, status int, f render.Form) error {
	id, err := data.ParseID(c.r.PathValue("decision"))
	if err != nil {
		return err
	}
	r := c.read(a)
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
	p.Frame = c.frame(a, text, "", "")
	p.NoIndex = true
	return show(c, status, render.Decision, p)
}
