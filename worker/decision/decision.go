// Package decision has the texts about decisions of moderators. Members read them in their inbox and mails, moderators in conversations.
// The texts of inbox entries are here too, because most entries are about a decision.
package decision

import (
	"net/url"
	"slices"

	"plaza/data"
	"plaza/data/events/inbox"
	"plaza/data/events/modlog"
	"plaza/locale"
	"plaza/render/ui"
)

// postDecisions are the texts about a decision on a post, and on a comment: for its author, and for the moderators.
var postDecisions = map[modlog.Action][2]struct{ member, moderators locale.Text }{
	modlog.Hold: {{"Your post is hidden until a moderator has decided", "The post is hidden until a moderator has decided"},
		{"Your comment is hidden until a moderator has decided", "The comment is hidden until a moderator has decided"}},
	modlog.Remove: {{"Your post was removed", "The post was removed"}, {"Your comment was removed", "The comment was removed"}},
	modlog.Title:  {{"Moderators changed the title of your post", "The title of the post was changed"}, {}},
	modlog.Approve: {{"Your post was approved: everybody can see it", "The post was approved: everybody can see it"},
		{"Your comment was approved: everybody can see it", "The comment was approved: everybody can see it"}},
	modlog.Erase: {{"Your post was erased for good", "The post was erased for good"},
		{"Your comment was erased for good", "The comment was erased for good"}},
}

// memberDecisions are the texts about a decision on a member. The placeholder is the community, if the decision has one.
var memberDecisions = map[modlog.Action]struct{ member, moderators locale.Text }{
	modlog.Ban:     {"You are banned from c/{}", "The member is banned from c/{}"},
	modlog.Unban:   {"You are not banned from c/{} any more", "The member is not banned from c/{} any more"},
	modlog.Mute:    {"You are muted in c/{}", "The member is muted in c/{}"},
	modlog.Unmute:  {"You are not muted in c/{} any more", "The member is not muted in c/{} any more"},
	modlog.Suspend: {"Your account was suspended", "The account was suspended"},
	modlog.BanSite: {"Your account was banned", "The account was banned"},
	modlog.Refuse:  {"Your application was refused", "The application was refused"},
	modlog.Restore: {"Your account is active again", "The account is active again"},
}

// Text returns the text about a decision on a member, or on a member's post or comment: for that member with toMember, else for the
// moderators. It is "" for other decisions.
func Text(action modlog.Action, comment bool, community string, toMember bool) locale.Text {
	texts, ok := memberDecisions[action]
	if !ok {
		about := postDecisions[action]
		if texts = about[0]; comment {
			texts = about[1]
		}
	}
	switch {
	case texts.member == "":
		return ""
	case toMember:
		return locale.With(texts.member, community)
	}
	return locale.With(texts.moderators, community)
}

// restricts are the actions that hide something, or keep a member from taking part.
var restricts = []modlog.Action{modlog.Remove, modlog.Hold, modlog.Erase, modlog.Ban, modlog.Mute, modlog.Suspend, modlog.BanSite,
	modlog.Refuse}

// legalGrounds are the rules and grounds that say that something is against the law, and not only against a rule.
var legalGrounds = []string{"Breaks the law", "Sexual content with minors", "Illegal content", "Personal data", "Rights of others",
	"Order of an authority"}

// StatementOf returns the reasons of a decision that restricts a member; the zero value for other decisions.
func StatementOf(d *modlog.Entry) (s ui.Statement) {
	if !slices.Contains(restricts, d.Action) {
		return s
	}
	s.Said, s.Elsewhere = d.Excerpt, !d.Undone
	switch {
	case d.Decider == 0 && d.Community == "":
		s.Found = "Whoever runs the site decided this."
	case d.Decider == 0 && (d.Reported || d.Action == modlog.Hold):
		s.Found = "An automatic rule decided this, after members had reported it. Nobody had looked at it before."
	case d.Decider == 0:
		s.Found = "An automatic rule found it and decided this. Nobody had looked at it before."
	case d.Found == modlog.LegalNotice:
		s.Found = "A person decided this, after a notice by somebody without an account."
	case d.Found == modlog.Report:
		s.Found = "A person decided this, after a report."
	default:
		s.Found = "A person decided this, without a report."
	}
	s.Ground, s.Lasts = Ground(d.Rule), Lasts(d.Action, !d.Until.IsZero())
	return s
}

// CaseText returns the text for a voter about a vote that was quarantined.
func CaseText(what inbox.Event, comment bool) locale.Text {
	kind := 0
	if comment {
		kind = 1
	}
	switch what {
	case inbox.VoteQuarantined:
		return [2]locale.Text{"Your vote on a post does not count until a moderator has decided",
			"Your vote on a comment does not count until a moderator has decided"}[kind]
	case inbox.VoteDropped:
		return [2]locale.Text{"Your vote on a post does not count", "Your vote on a comment does not count"}[kind]
	}
	return [2]locale.Text{"Your vote on a post counts again", "Your vote on a comment counts again"}[kind]
}

// StatementOfCase returns the reasons why a vote does not count, for its voter; the zero value if it counts again. It says neither how the
// votes were found nor which others were found: that would help to hide the next ones.
func StatementOfCase(what inbox.Event) (s ui.Statement) {
	switch what {
	case inbox.VoteQuarantined:
		s.Found = "An automatic check found it: many votes came within a short time, and looked arranged. Nobody had looked at it before."
		s.Lasts = "It lasts until a moderator has decided. You are told the decision."
	case inbox.VoteDropped:
		s.Found = "A person decided this after an automatic check: many votes came within a short time, and looked arranged."
		s.Lasts = "It lasts until somebody takes it back, after an appeal for example."
	default:
		return s
	}
	s.Ground, s.Elsewhere = "The ground is a rule of this site, not the law: votes must not be arranged.", true
	return s
}

// Ground returns the text that says whether a cited rule is one of this site or the law; "" for none.
func Ground(rule string) locale.Text {
	switch {
	case rule == "":
		return ""
	case slices.Contains(legalGrounds, rule):
		return "The ground is the law: the site does not host what is illegal."
	}
	return "The ground is a rule of this site or community, not the law."
}

// Lasts returns the text that says how long a restriction lasts.
func Lasts(action modlog.Action, ends bool) locale.Text {
	switch {
	case ends:
		return "It ends by itself at that time."
	case action == modlog.Hold:
		return "It lasts until a moderator has decided. You are told the decision, and can appeal against a removal."
	case action == modlog.Erase:
		return "It can't be taken back: the words are gone."
	case action == modlog.Remove:
		return "It lasts until somebody takes it back, after an appeal for example."
	}
	return "It has no end, unless somebody takes it back, after an appeal for example."
}

// URL returns the address where the author can object: the decision, or a message to the moderators if the post or comment is held
// without a decision. own says that the viewer is the author; for others it is "".
func URL(m *modlog.Removal, own bool, held data.Hold, community string, target data.ID) string {
	if held == data.Held && own {
		return WriteURL(community, target)
	}
	if m.Entry == 0 || held != data.NotHeld || !own {
		return ""
	}
	return "/decisions/" + m.Entry.Text()
}

// WriteURL is the address of the form with which members write to the moderators of a community about a post or comment. For one on a
// profile, it is the form for the administrators.
func WriteURL(community string, target data.ID) string {
	if community == "" || data.IsProfile(community) {
		return "/messages/new"
	}
	return "/messages/new?" + url.Values{"community": {community}, "target": {target.Text()}}.Encode()
}
