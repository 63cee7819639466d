package api

import (
	"slices"

	communitypages "plaza/render/community"
	"plaza/render/ui"
)

// tags are tags and lists of them.
var tags = []object{
	{"Tag", ui.Tag{}, []field{
		{from: "Name", name: "name", says: "The tag."},
		{from: "URL", name: "posts", as: asAddress, says: "Address of the posts that have it; on the page of other tags, of those that have it " +
			"too, or of those that need not have it."},
		{from: "Posts", name: "count", says: "How many posts have it; 0 where it isn't told."},
	}},
	{"TagPage", communitypages.TagPage{}, slices.Concat(shell, []field{
		{from: "Names", name: "tags", says: "The tags that all of the posts have."},
		{from: "Followed", name: "followed", says: "Whether the viewer follows the tag."},
		{from: "Without", name: "without", says: "Of several tags, each with the list without it."},
		{from: "With", name: "with", says: "Tags that posts of the page have besides, each with the list of posts that have it too."},
		{from: "Listing", as: asInline},
	}, without("CanFollow"))},
	{"TagsPage", communitypages.TagsPage{}, slices.Concat(shell, []field{
		{from: "Typed", name: "q", says: "What they begin with; empty for those that are used most these days."},
		{from: "Tags", name: "items", says: "The tags."},
		{from: "Followed", name: "followed", says: "The tags that the viewer follows."},
	})},
}
