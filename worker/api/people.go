package api

import (
	"slices"

	listingpages "plaza/render/listing"
	"plaza/render/ui"
)

// people are members and communities.
var people = []object{
	{"Avatar", ui.Avatar{}, []field{
		{from: "Colour", name: "colour", says: "Colour; empty for one that is made of the name."},
		{from: "Letter", name: "letter", says: "Letter; empty for the first one of the name."},
	}},
	{"Community", ui.Community{}, []field{
		{from: "Name", name: "name", says: "Name, as in `/c/{name}`."},
		{from: "Title", name: "title", says: "Title."},
		{from: "Description", name: "description", says: "What it is about, in one line."},
		{from: "SidebarHTML", name: "sidebar_html", says: "Its sidebar, as safe HTML."},
		{from: "Rules", name: "rules", says: "Its rules."},
		{from: "Members", name: "members", says: "How many have subscribed."},
		{from: "NewMembers", name: "new_members", says: "How many of them in the last seven days."},
		{from: "Posts", name: "posts", says: "How many posts it has."},
		{from: "NewPosts", name: "new_posts", says: "How many of them are of the last seven days."},
		{from: "Colour", name: "colour", says: "Colour of its icon."},
		{from: "CreatedAt", name: "created_at", says: "When it was founded."},
		{from: "Subscribed", name: "subscribed", says: "Whether the viewer has subscribed."},
		{from: "Role", name: "role", says: "The viewer's role: `owner`, `moderator` or `approver`; empty for none."},
		{from: "Moderators", name: "moderators", says: "Usernames of its moderators."},
	}},
	{"Rule", ui.Rule{}, []field{
		{from: "Title", name: "title", says: "The rule."},
		{from: "Text", name: "text", says: "What it means."},
	}},
	{"CommunityItem", ui.CommunityItem{}, []field{
		{from: "Name", name: "name", says: "Name, as in `/c/{name}`."},
		{from: "Title", name: "title", says: "Title."},
		{from: "Description", name: "description", says: "What it is about, in one line."},
		{from: "Colour", name: "colour", says: "Colour of its icon."},
		{from: "Members", name: "members", says: "How many have subscribed."},
		{from: "Growth", name: "new_members", says: "How many of them in the last seven days."},
		{from: "CreatedAt", name: "created_at", says: "When it was founded."},
		{from: "Subscribed", name: "subscribed", says: "Whether the viewer has subscribed."},
	}},
	{"OwnCommunities", ui.OwnCommunities{}, []field{
		{from: "Items", name: "items", says: "Some of the communities that the member has subscribed to."},
		{from: "More", name: "more", says: "Whether there are others (`/communities/yours.json`)."},
	}},
	{"OwnCommunity", ui.OwnCommunity{}, []field{
		{from: "Name", name: "name", says: "Name, as in `/c/{name}`."},
		{from: "Colour", name: "colour", says: "Colour of its icon."},
		{from: "Moderated", name: "moderated", says: "Whether the member moderates it."},
	}},
	{"ProfilePage", listingpages.ProfilePage{}, slices.Concat(shell, []field{
		{from: "Name", name: "name", says: "Username."},
		{from: "Avatar", name: "avatar", says: "The member's tile."},
		{from: "BioHTML", name: "bio_html", says: "What the member says of themselves, as safe HTML."},
		{from: "Site", name: "brought_from", says: "Site from which an account was brought that nobody has claimed, such as `reddit`; empty " +
			"for all others."},
		{from: "Elsewhere", name: "name_there", says: "Its name there."},
		{from: "Links", name: "links", says: "Links of the member."},
		{from: "Views", name: "views", says: "How many people have looked at the profile, each counted once a week."},
		{from: "PostKarma", name: "post_karma", says: "Karma of posts."},
		{from: "CommentKarma", name: "comment_karma", says: "Karma of comments."},
		{from: "JoinedAt", name: "joined_at", says: "When the member signed up; null where that isn't known."},
		{from: "Followers", name: "followers", says: "How many follow the member."},
		{from: "Following", name: "following", says: "How many the member follows."},
		{from: "IsFollowed", name: "followed", says: "Whether the viewer follows the member."},
		{from: "IsBlocked", name: "blocked", says: "Whether the viewer blocks the member."},
		{from: "IsSelf", name: "self", says: "Whether it is the viewer's own profile."},
		{from: "Posts", name: "posts", says: "Posts of the member, on `/u/{user}.json`."},
		{from: "Comments", name: "comments", says: "Comments of the member, on `/u/{user}/comments.json`."},
		{from: "People", name: "people", says: "Members, on `/u/{user}/followers.json` and `/u/{user}/following.json`."},
	}, following, without("Tabs", "Orders", "Empty", "BanFrom", "Short", "View"))},
	{"ProfileLink", listingpages.ProfileLink{}, []field{
		{from: "Name", name: "name", says: "What it is called."},
		{from: "Link", name: "link", says: "Where it leads."},
	}},
	{"Person", ui.Person{}, []field{
		{from: "Name", name: "name", says: "Username."},
		{from: "Followers", name: "followers", says: "How many follow the member."},
		{from: "Followed", name: "followed", says: "Whether the viewer follows the member."},
		{from: "IsSelf", name: "self", says: "Whether it is the viewer."},
	}},
}
