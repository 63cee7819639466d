package api

import (
	"slices"

	listingpages "plaza/render/listing"
	moderationpages "plaza/render/moderation"
	"plaza/render/ui"
)

// ownPosts is what authors see of their own posts, and conversations with moderators.
var ownPosts = []object{
	{"DeskPage", listingpages.OwnPostsPage{}, slices.Concat(shell, []field{
		{from: "Items", name: "items", says: "The member's own posts of one status, newest first."},
	}, following, without("Tabs", "Empty", "FirstURL"))},
	{"DeskItem", listingpages.OwnPost{}, []field{
		{from: "Post", name: "post", says: "The post."},
		{from: "SavedAt", name: "saved_at", says: "When it was last saved; null where that isn't known."},
		{from: "PublishAt", name: "publish_at", says: "When it will be published; null for one that is not scheduled."},
		{from: "Removed", name: "removed", says: "Whether a moderator has removed it."},
		{from: "Waits", name: "waits", says: "Whether it waits for a moderator."},
	}},
	{"ConversationsPage", moderationpages.ConversationsPage{}, slices.Concat(shell, []field{
		{from: "Lines", name: "items", says: "The conversations, the one with the newest message first."},
	}, following, without("Community", "Own", "Tabs", "FirstURL"))},
	{"ConversationLine", moderationpages.ConversationLine{}, []field{
		{from: "URL", name: "permalink", says: "Address of the conversation."},
		{from: "Subject", name: "subject", says: "What it is about."},
		{from: "Community", name: "community", says: "Name of the community; empty for the administrators."},
		{from: "Member", name: "member", says: "Username of the member; empty for a deleted account."},
		{from: "Status", name: "status", says: "`open`, `answered` or `closed`."},
		{from: "Left", name: "left", says: "Whether the member has closed it."},
		{from: "TakenBy", name: "taken_by", says: "Username of the moderator who has answered last, for moderators."},
		{from: "Appeal", name: "appeal", says: "Whether it is an appeal."},
		{from: "Verdict", name: "verdict", says: "Of an appeal: `upheld`, `overturned`, or empty while nobody has decided."},
		{from: "At", name: "updated_at", says: "When the newest message was written."},
	}},
	{"ConversationPage", moderationpages.ConversationPage{}, slices.Concat(shell, []field{
		{from: "URL", name: "permalink", says: "Address of the conversation."},
		{from: "Subject", name: "subject", says: "What it is about."},
		{from: "Member", name: "member", says: "Username of the member; empty for a deleted account."},
		{from: "AboutURL", name: "about", as: asText, says: "Address of the post or comment that it is about; null for none."},
		{from: "DecisionURL", name: "decision", as: asText, says: "Address of the decision that it is about; null for none."},
		{from: "Status", name: "status", says: "`open`, `answered` or `closed`."},
		{from: "Left", name: "left", says: "Whether the member has closed it."},
		{from: "Own", name: "own", says: "Whether the viewer is the member."},
		{from: "Verdict", name: "verdict", says: "Of an appeal: `upheld`, `overturned`, or empty while nobody has decided."},
		{from: "Messages", name: "items", says: "The messages, oldest first."},
	}, without("Community", "ListURL", "CardURL", "JudgeURL", "Form"))},
	{"ConversationMessage", ui.ConversationMessage{}, []field{
		{from: "ID", name: "id", as: asID, says: "Id of the message."},
		{from: "Side", name: "side", says: "`member`, `moderators`, or `note` for one among moderators."},
		{from: "Author", name: "author", says: "Username; empty for a moderator whom the viewer is not told, and for a deleted account."},
		{from: "Text", name: "text", says: "What it says, as typed."},
		{from: "At", name: "created_at", says: "When it was written."},
	}},
}
