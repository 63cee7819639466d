package api

import (
	"slices"

	listingpages "plaza/render/listing"
	postpages "plaza/render/post"
	"plaza/render/ui"
)

// threads are comments, and posts with them.
var threads = []object{
	{"Comment", ui.Comment{}, slices.Concat([]field{
		{from: "ID", name: "id", as: asID, says: "Id of the comment."},
		{from: "PostURL", name: "permalink", says: "Address of the comment with its part of the thread.", made: func(m any) string {
			c := m.(*ui.Comment)
			return c.PostURL + "/" + c.ID
		}},
		{from: "PostURL", name: "post", says: "Address of its post."},
		{from: "Author", name: "author", says: "Username of its author; empty when deleted or nobody's.", made: func(m any) string {
			if c := m.(*ui.Comment); !c.Deleted {
				return c.Author
			}
			return ""
		}},
		{from: "Avatar", name: "author_avatar", says: "The author's tile."},
		{from: "IsOP", name: "by_author", says: "Whether the author of the post wrote it."},
		{from: "IsViewer", name: "by_viewer", says: "Whether the viewer wrote it."},
		{from: "BodyHTML", name: "body_html", says: "The text, as safe HTML; empty when it was deleted or removed."},
		{from: "Answer", name: "answer_html", says: "What an automatic rule answers, as safe HTML."},
		{from: "CreatedAt", name: "created_at", says: "When it was written."},
		{from: "EditedAt", name: "edited_at", says: "When it was last edited; null when it is as written."},
		{from: "Votes", as: asInline},
		{from: "Descendants", name: "descendants", says: "How many replies it has, at any depth."},
		{from: "Deleted", name: "deleted", says: "Whether its author has deleted it."},
		{from: "Removed", name: "removed", says: "Whether it was removed, hidden or held."},
		{from: "Hidden", name: "hidden", says: "Whether a rule has hidden it after reports, until a moderator has decided."},
		{from: "Waits", name: "waits", says: "Whether it is held until a moderator has decided."},
		{from: "Rule", name: "rule", says: "The rule for which it was removed; empty where that isn't known."},
		{from: "Note", name: "note", says: "Words of the moderators, for its author and themselves."},
		{from: "Saved", name: "saved", says: "Whether the viewer has saved it."},
		{from: "Blocked", name: "blocked", says: "Whether the viewer blocks its author."},
		{from: "New", name: "new", says: "Whether it was written since the viewer's last visit."},
		{from: "Highlight", name: "highlight", says: "Whether the address names this comment."},
		{from: "Context", name: "context", says: "Whether the comment of the address answers it, directly or not."},
		{from: "CanReply", name: "can_reply", says: "Whether it takes replies."},
		{from: "CanEdit", name: "can_edit", says: "Whether the viewer, who wrote it, can edit it."},
		{from: "CanDelete", name: "can_delete", says: "Whether the viewer, who wrote it, can delete it."},
		{from: "CanSave", name: "can_save", says: "Whether the viewer can save it."},
		{from: "CanReport", name: "can_report", says: "Whether the viewer can report it."},
		{from: "Replies", name: "replies", says: "The first of its replies, each with their own."},
		{from: "More", name: "more", says: "Where further replies are; null where these are all."},
	}, without("Query", "ModURL", "BanURL", "CardURL", "CanBlock", "NextNew", "Now"))},
	{"More", ui.More{}, []field{
		{from: "URL", name: "next", as: asAddress, says: "Address of the comments that follow."},
		{from: "Count", name: "count", says: "How many there are; 0 where that isn't known."},
		{from: "Continue", name: "deeper", says: "Whether they are deeper than a page goes."},
	}},
	{"PostPage", postpages.PostPage{}, slices.Concat(shell, []field{
		{from: "Post", name: "post", says: "The post."},
		{from: "TextHTML", name: "text_html", says: "Text of the post, as safe HTML."},
		{from: "Answer", name: "answer_html", says: "What an automatic rule answers, as safe HTML."},
		{from: "Community", name: "community", says: "Its community."},
		{from: "Comments", name: "comments", says: "The first comments, each with its replies."},
		{from: "More", name: "more", says: "Where further comments are; null where these are all."},
		{from: "Waiting", name: "waiting", says: "The viewer's own comments that wait for a moderator."},
		{from: "Total", name: "total", says: "How many comments there are."},
		{from: "New", name: "new", says: "How many comments on this page are new since the viewer's last visit."},
		{from: "Permalink", name: "single", says: "Whether the address names one comment, and `comments` is its part of the thread."},
		{from: "Later", name: "later", says: "Whether `comments` begins after others."},
		{from: "FullURL", name: "thread", as: asAddress, says: "Address of the whole thread."},
		{from: "AboveURL", name: "above", as: asAddress, says: "Address of what the outermost comment answers, if that isn't here; else null."},
		{from: "CanReply", name: "can_reply", says: "Whether the post takes comments."},
		{from: "Archived", name: "archived", says: "Whether it is too old for votes and comments."},
		{from: "Banned", name: "banned", says: "Why the viewer may not write in the community; null for who may."},
		{from: "Draft", name: "draft", says: "Of a post that is not published yet; else null."},
		{from: "Watch", name: "watch", says: "What the viewer is told of the thread."},
	}, without("Sorts", "Reply", "FirstNew", "View"))},
	{"Banned", ui.Banned{}, []field{{from: "Says", name: "says", says: "Why, and until when."}}},
	{"Draft", postpages.Draft{}, []field{{from: "PublishAt", name: "publish_at",
		says: "When it will be published; null for one that waits for its author."}}},
	{"Watch", ui.Watch{}, slices.Concat([]field{
		{from: "State", name: "state", says: "`follow`, `mute`, or empty: of answers and mentions."},
	}, without("Target"))},
	{"ProfileComment", listingpages.ProfileComment{}, []field{
		{from: "Comment", as: asInline},
		{from: "PostTitle", name: "post_title", says: "Title of its post."},
		{from: "Community", name: "community", says: "Name of the community."},
		{from: "PostURL"},
	}},
}
