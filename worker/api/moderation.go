package api

import (
	"slices"

	adminpages "plaza/render/admin"
	communitypages "plaza/render/community"
	moderationpages "plaza/render/moderation"
	"plaza/render/ui"
)

// moderation is what moderators and administrators decide, and who they are.
var moderation = []object{
	{"LogPage", moderationpages.LogPage{}, slices.Concat(shell, []field{
		{from: "Community", name: "community", says: "The community; null for the site."},
		{from: "Lines", name: "items", says: "The decisions, newest first."},
	}, following, without("NumbersURL", "FirstURL"))},
	{"LogLine", moderationpages.LogLine{}, []field{
		{from: "Action", name: "action", says: "What was decided, such as `remove` or `lock`."},
		{from: "Actor", name: "actor", says: "Username of the moderator; empty for a deleted account and for automatic rules."},
		{from: "Automatic", name: "automatic", says: "Whether an automatic rule did it."},
		{from: "Member", name: "member", says: "Whose role or account it is about; empty for other things."},
		{from: "URL", name: "permalink", as: asText, says: "Address of the post or comment; null for other things."},
		{from: "Comment", name: "comment", says: "Whether it is about a comment."},
		{from: "Rule", name: "rule", says: "The rule that was cited, or the flair that was given; empty for none."},
		{from: "Undone", name: "undone", says: "Whether a later decision has taken it back."},
		{from: "Until", name: "until", says: "When it ends by itself; null for never."},
		{from: "At", name: "created_at", says: "When it was decided."},
	}},
	{"NumbersPage", moderationpages.NumbersPage{}, slices.Concat(shell, []field{
		{from: "Community", name: "community", says: "The community; null for the site."},
		{from: "Month", name: "month", says: "The beginning of the month."},
		{from: "Moderators", name: "moderators", says: "Who has decided how much."},
		{from: "EarlierURL", name: "earlier", as: asAddress, says: "Address of the nearest earlier month in which something was decided; null " +
			"for none."},
		{from: "LaterURL", name: "later", as: asAddress,
			says: "Address of the nearest later month in which something was decided; null for none."},
	}, without("LogURL"))},
	{"ModeratorNumbers", moderationpages.ModeratorNumbers{}, []field{
		{from: "Name", name: "name", says: "Username; empty for a deleted account and for automatic rules."},
		{from: "Automatic", name: "automatic", says: "Whether automatic rules decided, or whoever runs the site."},
		{from: "Kinds", name: "decisions", says: "How much of each kind."},
	}},
	{"KindNumber", moderationpages.KindNumber{}, []field{
		{from: "Action", name: "action", says: "What was decided."},
		{from: "Made", name: "made", says: "How often."},
		{from: "Undone", name: "undone", says: "How many of these were taken back."},
	}},
	{"TeamPage", communitypages.TeamPage{}, slices.Concat(shell, []field{
		{from: "Community", name: "community", says: "The community."},
		{from: "Members", name: "items", says: "Its moderators and approvers."},
		{from: "Invited", name: "invited", says: "Who is invited to be one, as moderators see it."},
		{from: "Own", name: "role", says: "Role of the viewer; empty for none."},
		{from: "Invitation", name: "invitation", says: "The viewer's invitation to be one; null for none."},
	}, without("CanChange", "CanOwn", "Form"))},
	{"Teammate", communitypages.Teammate{}, []field{
		{from: "Name", name: "name", says: "Username; empty for a deleted account."},
		{from: "Avatar", name: "avatar", says: "The member's tile."},
		{from: "Role", name: "role", says: "`owner`, `moderator` or `approver`."},
		{from: "Since", name: "since", says: "Since when; null where that isn't known."},
	}},
	{"Invitation", ui.Invitation{}, []field{
		{from: "Community", name: "community", says: "Name of the community."},
		{from: "Role", name: "role", says: "`owner`, `moderator` or `approver`."},
		{from: "By", name: "by", says: "Username of who has invited; empty where that isn't known."},
	}},
	{"SitePage", adminpages.SitePage{}, slices.Concat(shell, []field{
		{from: "Text", name: "text_html", says: "The text, as safe HTML."},
		{from: "Rules", name: "rules", says: "Rules of the site, on `/rules.json`."},
	}, without("EditURL"))},
}
