package api

import (
	"slices"

	communitypages "plaza/render/community"
	listingpages "plaza/render/listing"
	postpages "plaza/render/post"
	"plaza/render/ui"
)

// objects are all view models that are written, and their parts.
var objects = slices.Concat(posts, threads, people, moderation, own, ownPosts, search, tags, pages)

// pages are the view models of whole pages.
var pages = []object{
	{"Frame", ui.Frame{}, slices.Concat([]field{
		{from: "Title", name: "title", says: "Title of the page, without the name of the site."},
		{from: "Description", name: "description", says: "One sentence about the page."},
		{from: "Canonical", name: "canonical", as: asText, says: "Absolute address of the page for people; null where it is no page of its own."},
		{from: "SiteName", name: "site_name", says: "Name of the site."},
		{from: "Viewer", name: "viewer", says: "The member who asks; null for a visitor."},
	}, without("Path", "Notice", "Now", "Tagline", "Letter", "Logo", "Accent", "Inviting", "NoIndex", "SiteURL", "Picture", "Posting",
		"FeedURL"))},
	{"Viewer", ui.Viewer{}, slices.Concat([]field{
		{from: "Name", name: "name", says: "Username."},
		{from: "Avatar", name: "avatar", says: "The member's tile."},
		{from: "Admin", name: "admin", says: "Whether the member is an administrator."},
		{from: "Unread", name: "unread", says: "How many things in the inbox are unread."},
		{from: "Moderates", name: "moderates", says: "Whether the member moderates a community."},
		{from: "Waiting", name: "waiting", says: "How many things wait in the queues of the communities that the member moderates."},
	}, without("Theme"))},
	{"Listing", ui.Listing{}, slices.Concat([]field{
		{from: "Items", name: "items", says: "The posts, in the order of the listing."},
	}, following, without("Tabs", "Windows", "FirstPage", "Empty", "ShowCommunity", "HidesSeen"))},
	{"FrontPage", listingpages.FrontPage{}, slices.Concat(shell, []field{
		{from: "Listing", as: asInline},
		{from: "Communities", name: "communities", says: "The largest communities."},
		{from: "Own", name: "own_communities", says: "Communities of the member who asks."},
		{from: "NoneYet", name: "none_yet", says: "The member's communities have nothing to show, so the items are those of the whole site."},
	}, without("Orders"))},
	{"CommunityPage", communitypages.CommunityPage{}, slices.Concat(shell, []field{
		{from: "Community", name: "community", says: "The community."},
		{from: "Flair", name: "flair", says: "The items are the posts of this flair alone; its id is null for all."},
		{from: "Listing", as: asInline},
		{from: "Own", name: "own_communities", says: "Communities of the member who asks."},
	})},
	{"HomePage", listingpages.HomePage{}, slices.Concat(shell, []field{
		{from: "Listing", as: asInline},
		{from: "Own", name: "own_communities", says: "Communities of the member who asks."},
		{from: "Rebuilding", name: "rebuilding", says: "The member was away, and the list is being made again."},
	}, without("Short"))},
	{"DiscussionsPage", postpages.DiscussionsPage{}, slices.Concat(shell, []field{
		{from: "Link", name: "link", says: "The web address that they are about; empty where the first post is what the others show again."},
		{from: "Posts", name: "items", says: "The posts, newest first."},
	}, following, without("FirstURL"))},
	{"SavedPage", listingpages.SavedPage{}, slices.Concat(shell, []field{
		{from: "Posts", name: "posts", says: "Saved or hidden posts."},
		{from: "Comments", name: "comments", says: "Saved comments."},
	}, following, without("Tabs", "Empty", "FirstURL"))},
	{"CommunitiesPage", ui.CommunitiesPage{}, slices.Concat(shell, []field{
		{from: "Items", name: "items", says: "The communities."},
		{from: "CanFound", name: "can_found", says: "Whether the member may found a community."},
	}, following, without("Tabs", "FirstURL", "New", "Own"))},
}

// shell is what every page has.
var shell = []field{{from: "Frame", as: asInline}}

// following leads to the next page of a list.
var following = []field{
	{from: "NextURL", name: "after", as: asCursor, says: "The cursor of the next page, for the parameter `after`; null on the last page."},
	{from: "NextURL", name: "next", as: asAddress, says: "Address of the next page in JSON; null on the last page."},
}
