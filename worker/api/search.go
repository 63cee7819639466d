package api

import (
	"slices"

	listingpages "plaza/render/listing"
	"plaza/render/ui"
)

// search is what is found by words.
var search = []object{
	{"Piece", ui.Piece{}, []field{
		{from: "Text", name: "text", says: "A part of a text."},
		{from: "Marked", name: "marked", says: "Whether it is one of the words that were looked for."},
	}},
	{"FoundComment", listingpages.FoundComment{}, slices.Concat([]field{
		{from: "ID", name: "id", as: asID, says: "Id of the comment."},
		{from: "URL", name: "permalink", says: "Address of the comment with its part of the thread."},
		{from: "PostTitle", name: "post_title", says: "Title of its post."},
		{from: "Community", name: "community", says: "Name of its community."},
		{from: "Author", name: "author", says: "Username of its author; empty when deleted or nobody's."},
		{from: "Avatar", name: "author_avatar", says: "The author's tile."},
		{from: "CreatedAt", name: "created_at", says: "When it was written."},
		{from: "EditedAt", name: "edited_at", says: "When it was last edited; null when it is as written."},
		{from: "Votes", as: asInline},
		{from: "Found", name: "found", says: "What was found in its text, in pieces."},
		{from: "Blocked", name: "blocked", says: "Whether the viewer blocks its author."},
	}, without("Colour", "Warned"))},
	{"SearchPage", listingpages.SearchPage{}, slices.Concat(shell, []field{
		{from: "Posts", name: "posts", says: "Posts that were found."},
		{from: "Comments", name: "comments", says: "Comments that were found, with the type `comments`."},
		{from: "Communities", name: "communities", says: "Communities that were found, with the type `communities`."},
		{from: "People", name: "people", says: "Members that were found, with the type `people`."},
		{from: "LeftOut", name: "left_out", says: "Words that were left out because they are nearly everywhere."},
		{from: "More", name: "more_than_ranked", says: "Whether there are more matches than were ranked: relevance and top list only the " +
			"best of them."},
	}, following, without("Best", "Form", "Type", "Tabs", "Orders", "Kinds", "Times", "Empty", "FirstURL"))},
}
