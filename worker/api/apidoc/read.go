package apidoc

import (
	adminpages "plaza/render/admin"
	communitypages "plaza/render/community"
	inboxpages "plaza/render/inbox"
	listingpages "plaza/render/listing"
	moderationpages "plaza/render/moderation"
	postpages "plaza/render/post"
	"plaza/render/ui"
)

// read is a page that programs read.
type read struct {
	pattern string // of its route
	id      string // of the operation
	model   any    // of its view
	says    string
	sorts   string // values of the parameter sort, with | between them; "" where it has none
}

// The values of the parameter sort.
const (
	threadSorts  = "best|top|new|old|controversial|qa"
	profileSorts = "new|top|views"
	commentSorts = "new|top|controversial"
)

// reads are all pages that programs read.
var reads = []read{
	{"/{$}", "readFront", listingpages.FrontPage{}, "The front page: what is hot on the site, or for a member in their communities.", ""},
	{"/hot", "readHot", listingpages.FrontPage{}, "What is hot on the site.", ""},
	{"/new", "readNew", listingpages.FrontPage{}, "The newest posts of the site.", ""},
	{"/top", "readTop", listingpages.FrontPage{}, "The posts of the site with the highest score in a time.", ""},
	{"/rising", "readRising", listingpages.FrontPage{}, "New posts of the site that rise fast.", ""},
	{"/controversial", "readControversial", listingpages.FrontPage{}, "Posts of the site with many votes of both kinds in a time.", ""},
	{"/comments", "readMostCommented", listingpages.FrontPage{}, "The most commented posts of the site in a time.", ""},
	{"/views", "readMostViewed", listingpages.FrontPage{}, "The posts of the site with the most views in a time.", ""},
	{"/yours/hot", "readYoursHot", listingpages.FrontPage{}, "What is hot in the member's communities.", ""},
	{"/yours/new", "readYoursNew", listingpages.FrontPage{}, "The newest posts of the member's communities.", ""},
	{"/home", "readHome", listingpages.HomePage{}, "What those whom the member follows have posted.", ""},
	{"/communities", "readCommunities", ui.CommunitiesPage{}, "All communities, those with the most members first if not sorted otherwise.",
		"members|growth|new"},
	{"/communities/yours", "readOwnCommunities", ui.CommunitiesPage{}, "The communities that the member has subscribed to.", ""},
	{"/c/{community}", "readCommunity", communitypages.CommunityPage{}, "What is hot in a community.", ""},
	{"/c/{community}/hot", "readCommunityHot", communitypages.CommunityPage{}, "What is hot in a community, without its pinned posts.", ""},
	{"/c/{community}/new", "readCommunityNew", communitypages.CommunityPage{}, "The newest posts of a community.", ""},
	{"/c/{community}/top", "readCommunityTop", communitypages.CommunityPage{}, "The posts of a community with the highest score in a time.",
		""},
	{"/c/{community}/rising", "readCommunityRising", communitypages.CommunityPage{}, "New posts of a community that rise fast.", ""},
	{"/c/{community}/controversial", "readCommunityControversial", communitypages.CommunityPage{},
		"Posts of a community with many votes of both kinds in a time.", ""},
	{"/c/{community}/comments", "readCommunityMostCommented", communitypages.CommunityPage{},
		"The most commented posts of a community in a time.", ""},
	{"/c/{community}/views", "readCommunityMostViewed", communitypages.CommunityPage{},
		"The posts of a community with the most views in a time.", ""},
	{"/c/{community}/moderators", "readModerators", communitypages.TeamPage{}, "Who moderates a community.", ""},
	{"/c/{community}/log", "readCommunityLog", moderationpages.LogPage{}, "What the moderators of a community have decided.", ""},
	{"/c/{community}/log/numbers", "readCommunityNumbers", moderationpages.NumbersPage{},
		"How much each moderator of a community has decided in a month.", ""},
	{"/log", "readLog", moderationpages.LogPage{}, "What administrators have decided.", ""},
	{"/log/numbers", "readNumbers", moderationpages.NumbersPage{}, "How much each administrator has decided in a month.", ""},
	{"/c/{community}/p/{slug}", "readPost", postpages.PostPage{}, "A post with its thread.", threadSorts},
	{"/c/{community}/p/{slug}/{comment}", "readComment", postpages.PostPage{}, "A post with one comment's part of its thread.", threadSorts},
	{"/tags", "readTags", communitypages.TagsPage{}, "Tags by their use of late, or those that begin with `q`.", ""},
	{"/tag/{tags}", "readTag", communitypages.TagPage{}, "What is hot of the posts that have all of these tags.", ""},
	{"/tag/{tags}/hot", "readTagHot", communitypages.TagPage{}, "What is hot of the posts that have all of these tags.", ""},
	{"/tag/{tags}/new", "readTagNew", communitypages.TagPage{}, "The newest posts that have all of these tags.", ""},
	{"/tag/{tags}/top", "readTagTop", communitypages.TagPage{}, "The posts with all of these tags with the highest score in a time.", ""},
	{"/tag/{tags}/rising", "readTagRising", communitypages.TagPage{}, "New posts with all of these tags that rise fast.", ""},
	{"/tag/{tags}/controversial", "readTagControversial", communitypages.TagPage{},
		"Posts with all of these tags with many votes of both kinds in a time.", ""},
	{"/tag/{tags}/comments", "readTagMostCommented", communitypages.TagPage{}, "The most commented posts with all of these tags in a time.",
		""},
	{"/tag/{tags}/views", "readTagMostViewed", communitypages.TagPage{}, "The posts with all of these tags with the most views in a time.",
		""},
	{"/search", "search", listingpages.SearchPage{}, "What is found by words: posts, or what `type` names.", "relevance|new|top"},
	{"/discussions", "readDiscussions", postpages.DiscussionsPage{}, "The posts about a web address (`url`) or about another post " +
		"(`post`, an id).", ""},
	{"/u/{user}", "readProfile", listingpages.ProfilePage{}, "A member's profile and posts.", profileSorts},
	{"/u/{user}/comments", "readProfileComments", listingpages.ProfilePage{}, "A member's profile and comments.", commentSorts},
	{"/u/{user}/followers", "readFollowers", listingpages.ProfilePage{}, "A member's profile, and who follows the member.", ""},
	{"/u/{user}/following", "readFollowing", listingpages.ProfilePage{}, "A member's profile, and whom the member follows.", ""},
	{"/saved", "readSaved", listingpages.SavedPage{}, "The posts that the member has saved.", ""},
	{"/saved/comments", "readSavedComments", listingpages.SavedPage{}, "The comments that the member has saved.", ""},
	{"/hidden", "readHidden", listingpages.SavedPage{}, "The posts that the member has hidden.", ""},
	{"/drafts", "readDrafts", listingpages.OwnPostsPage{}, "The member's drafts.", ""},
	{"/drafts/scheduled", "readScheduled", listingpages.OwnPostsPage{}, "The member's posts that will be published by themselves.", ""},
	{"/drafts/published", "readPublished", listingpages.OwnPostsPage{}, "The member's published posts.", ""},
	{"/drafts/archived", "readArchived", listingpages.OwnPostsPage{}, "The member's posts that are too old for votes and comments.", ""},
	{"/drafts/removed", "readRemoved", listingpages.OwnPostsPage{}, "The member's posts that moderators have removed, or that wait for one.",
		""},
	{"/messages", "readConversations", moderationpages.ConversationsPage{}, "The member's conversations with moderators and administrators.",
		""},
	{"/messages/{conversation}", "readConversation", moderationpages.ConversationPage{},
		"A conversation with moderators or administrators, for who takes part.", ""},
	{"/inbox", "readInbox", inboxpages.InboxPage{}, "What the member was told.", ""},
	{"/inbox/unread", "readUnread", inboxpages.InboxPage{}, "What is unread of what the member was told.", ""},
	{"/inbox/answers", "readAnswers", inboxpages.InboxPage{}, "Answers to the member.", ""},
	{"/inbox/mentions", "readMentions", inboxpages.InboxPage{}, "Mentions of the member.", ""},
	{"/inbox/moderation", "readDecisions", inboxpages.InboxPage{}, "Decisions that the member was told of.", ""},
	{"/about", "readAbout", adminpages.SitePage{}, "What the site is about.", ""},
	{"/rules", "readRules", adminpages.SitePage{}, "The rules of the site.", ""},
	{"/privacy", "readPrivacy", adminpages.SitePage{}, "What the site does with data.", ""},
	{"/terms", "readTerms", adminpages.SitePage{}, "The terms of use.", ""},
}
