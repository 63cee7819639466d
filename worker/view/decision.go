package view

import (
	"plaza/data"
	"plaza/data/delivery/inbox"
	"plaza/data/moderation/modlog"
	"plaza/worker/request"
)

// DecisionText says what was decided about something of a member's: to that member, if it is theirs, else to the moderators. "" is a
// decision about nothing of anybody's.
func DecisionText(action modlog.Action, comment bool, community string, theirs bool) string {
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

// decisionURL is the address of the decision that removed something, for its author, who can appeal there; "" for others.
func decisionURL(c *request.Call, m *modlog.Removal, author data.ID, held data.Held) string {
	if m.Entry == 0 || m.Hidden || held != data.NotHeld || !c.IsViewer(author) {
		return ""
	}
	return "/decisions/" + m.Entry.Text()
}

// Noticed says what a notice tells a member; "" for what others wrote.
func Noticed(i *inbox.Item) string {
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
	return DecisionText(modlog.Action(i.Notice), i.About.IsComment(), i.Community, true)
}

// theModerators are those of a community, or the administrators. the is the article.
func theModerators(community, the string) string {
	if community == "" {
		return the + " administrators"
	}
	return the + " moderators of c/" + community
}
