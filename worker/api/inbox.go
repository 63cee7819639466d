package api

import (
	"slices"

	inboxpages "plaza/render/inbox"
)

// own are lists that only their member sees.
var own = []object{
	{"InboxPage", inboxpages.InboxPage{}, slices.Concat(shell, []field{
		{from: "Threads", name: "items", says: "What the member was told, by thread."},
		{from: "Invitations", name: "invitations", says: "Invitations to moderate."},
		{from: "Newest", name: "newest", as: asID, says: "Id of the newest entry, up to which everything can be marked as read; null when " +
			"there is none."},
	}, following, without("Tabs", "Empty", "FirstURL"))},
	{"InboxThread", inboxpages.InboxThread{}, slices.Concat([]field{
		{from: "URL", name: "permalink", says: "Address of the thread, or of what it is about."},
		{from: "Title", name: "title", says: "Title of the thread."},
		{from: "Community", name: "community", says: "Name of the community; empty for a profile or the site."},
		{from: "Watch", name: "watch", says: "What the member wants to be told of the thread."},
		{from: "Items", name: "items", says: "What the member was told of it, newest first."},
		{from: "Unread", name: "unread", says: "How many of these are unread."},
	}, without("Colour", "NoThread"))},
	{"InboxItem", inboxpages.InboxItem{}, []field{
		{from: "ID", name: "id", as: asID, says: "Id of the entry."},
		{from: "URL", name: "permalink", says: "Address of what it is about."},
		{from: "Kind", name: "kind", says: "`answer`, `mention` or `thread`; something else for decisions."},
		{from: "Notice", name: "notice", says: "What was decided, in words; empty for what others wrote."},
		{from: "Comment", name: "comment", says: "Whether it leads to a comment."},
		{from: "Author", name: "author", says: "Username of who wrote it; empty for a deleted account."},
		{from: "Avatar", name: "author_avatar", says: "The author's tile."},
		{from: "Excerpt", name: "excerpt", says: "Its first characters, without formatting."},
		{from: "Unread", name: "unread", says: "Whether it is unread."},
		{from: "At", name: "created_at", says: "When the member was told."},
	}},
}
