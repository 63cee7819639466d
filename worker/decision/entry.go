package decision

import (
	"strings"

	"plaza/data/events/inbox"
	"plaza/data/events/modlog"
	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// EventText returns the text of an inbox entry with an event; "" for what others wrote.
func EventText(i *inbox.Item) locale.Text {
	switch i.Event {
	case inbox.ReportRemoved:
		return "What you have reported was removed"
	case inbox.FromModerators:
		if i.Community == "" {
			return "The administrators wrote to you"
		}
		return locale.With("The moderators of c/{} wrote to you", i.Community)
	case inbox.ToModerators:
		return wroteToModerators(i.Author, i.Community)
	case inbox.NotPublished:
		return "Your scheduled post was not published, and is a draft again"
	case inbox.ReportKept:
		return "What you have reported may stay"
	case inbox.VoteQuarantined, inbox.VoteDropped, inbox.VoteReleased:
		return CaseText(i.Event, i.About.IsComment())
	}
	return Text(modlog.Action(i.Event), i.About.IsComment(), i.Community, true)
}

// Excerpt returns the beginning of the text that an inbox entry is about, or the rule and the moderators' note of a decision.
// The database has both in English, as "Rule: Spam · “note”".
func Excerpt(i *inbox.Item) locale.Text {
	switch i.Event {
	case "", inbox.FromModerators, inbox.ToModerators, inbox.NotPublished, inbox.ReportKept, inbox.ReportRemoved,
		inbox.VoteQuarantined, inbox.VoteDropped, inbox.VoteReleased:
		return locale.Verbatim(i.Excerpt) // what a member wrote
	}
	rule, ok := strings.CutPrefix(i.Excerpt, "Rule: ")
	if !ok {
		return locale.Verbatim(i.Excerpt)
	}
	if rule, note, noted := strings.Cut(rule, " · "); noted {
		return locale.With("Rule: {} · {}", kept.Text(rule), note)
	}
	return locale.With("Rule: {}", kept.Text(rule))
}

// Title returns the title of what an inbox entry is about, or a text instead of it.
func Title(i *inbox.Item) locale.Text {
	if i.Slug == "" && i.Title == "Your account" {
		return "Your account"
	}
	return ui.NameText(i.Title)
}

// wroteToModerators returns the text about a message to the moderators of a community, or with "" to the administrators. author may be "".
func wroteToModerators(author, community string) locale.Text {
	switch {
	case author == "" && community == "":
		return "Somebody wrote to the administrators"
	case author == "":
		return locale.With("Somebody wrote to the moderators of c/{}", community)
	case community == "":
		return locale.With("{} wrote to the administrators", author)
	}
	return locale.With("{} wrote to the moderators of c/{}", author, community)
}
