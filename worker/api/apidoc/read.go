package apidoc

import (
	"plaza/data"
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
	sorts   []string // values of the parameter sort; none if it has no such parameter
}

// reads are all pages that programs read.
var reads = []read{
	{"/{$}", "readFront", listingpages.FrontPage{}, "The front page: what is hot on the site, or for a member in their communities.", nil},
	{"/hot", "readHot", listingpages.FrontPage{}, "What is hot on the site.", nil},
	{"/new", "readNew", listingpages.FrontPage{}, "The newest posts of the site.", nil},
	{"/active", "readActive", listingpages.FrontPage{}, "The posts of the site with the latest comments. Those on old posts lift them less.",
		nil},
	{"/top", "readTop", listingpages.FrontPage{}, "The posts of the site with the highest score in a time.", nil},
	{"/rising", "readRising", listingpages.FrontPage{}, "New posts of the site that rise fast.", nil},
	{"/controversial", "readControversial", listingpages.FrontPage{}, "Posts of the site with many votes of both kinds in a time.", nil},
	{"/comments", "readMostCommented", listingpages.FrontPage{}, "The most commented posts of the site in a time.", nil},
	{"/views", "readMostViewed", listingpages.FrontPage{}, "The posts of the site with the most views in a time.", nil},
	{"/yours/hot", "readYoursHot", listingpages.FrontPage{}, "What is hot in the member's communities.", nil},
	{"/yours/new", "readYoursNew", listingpages.FrontPage{}, "The newest posts of the member's communities.", nil},
	{"/yours/active", "readYoursActive", listingpages.FrontPage{}, "The posts of the member's communities with the latest comments.", nil},
	{"/edition", "readEdition", listingpages.EditionPage{}, "The last edition of the front page: a short list that ends.", nil},
	{"/edition/{day}/{half}", "readEditionOf", listingpages.EditionPage{},
		"An edition of the front page, by its day, such as 2026-11-28, and `morning` or `evening`.", nil},
	{"/edition/yours", "readYourEdition", listingpages.EditionPage{},
		"The member's own latest edition, or the site's if they have none for it.", nil},
	{"/edition/yours/{day}/{half}", "readYourEditionOf", listingpages.EditionPage{},
		"One of the member's own editions, which are kept for 30 days.", nil},
	{"/home", "readHome", listingpages.HomePage{}, "What those whom the member follows have posted.", nil},
	{"/communities", "readCommunities", ui.CommunitiesPage{}, "All communities, those with the most members first if not sorted otherwise.",
		[]string{"members", "growth", "new"}},
	{"/communities/yours", "readOwnCommunities", ui.CommunitiesPage{}, "The communities that the member has joined.", nil},
	{"/c/{community}", "readCommunity", communitypages.CommunityPage{}, "What is hot in a community.", nil},
	{"/c/{community}/hot", "readCommunityHot", communitypages.CommunityPage{}, "What is hot in a community, without its pinned posts.", nil},
	{"/c/{community}/new", "readCommunityNew", communitypages.CommunityPage{}, "The newest posts of a community.", nil},
	{"/c/{community}/active", "readCommunityActive", communitypages.CommunityPage{}, "The posts of a community with the latest comments.",
		nil},
	{"/c/{community}/top", "readCommunityTop", communitypages.CommunityPage{}, "The posts of a community with the highest score in a time.",
		nil},
	{"/c/{community}/rising", "readCommunityRising", communitypages.CommunityPage{}, "New posts of a community that rise fast.", nil},
	{"/c/{community}/controversial", "readCommunityControversial", communitypages.CommunityPage{},
		"Posts of a community with many votes of both kinds in a time.", nil},
	{"/c/{community}/comments", "readCommunityMostCommented", communitypages.CommunityPage{},
		"The most commented posts of a community in a time.", nil},
	{"/c/{community}/views", "readCommunityMostViewed", communitypages.CommunityPage{},
		"The posts of a community with the most views in a time.", nil},
	{"/c/{community}/moderators", "readModerators", communitypages.TeamPage{}, "Who moderates a community.", nil},
	{"/c/{community}/pages", "readPages", communitypages.WikiListPage{}, "The pages that the moderators of a community have written.", nil},
	{"/c/{community}/pages/{page}", "readPage", communitypages.WikiPage{}, "A page of a community.", nil},
	{"/c/{community}/log", "readCommunityLog", moderationpages.LogPage{}, "What the moderators of a community have decided.", nil},
	{"/c/{community}/log/numbers", "readCommunityNumbers", moderationpages.NumbersPage{},
		"How much each moderator of a community has decided in a month.", nil},
	{"/log", "readLog", moderationpages.LogPage{}, "What administrators have decided.", nil},
	{"/transparency", "readTransparency", moderationpages.TransparencyPage{}, "How much was reported and decided in half a year.", nil},
	{"/log/numbers", "readNumbers", moderationpages.NumbersPage{}, "How much each administrator has decided in a month.", nil},
	{"/c/{community}/p/{slug}", "readPost", postpages.PostPage{}, "A post with its thread.", data.OrderNames(data.ThreadOrders)},
	{"/c/{community}/p/{slug}/{comment}", "readComment", postpages.PostPage{}, "A post with one comment's part of its thread.",
		data.OrderNames(data.ThreadOrders)},
	{"/tags", "readTags", communitypages.TagsPage{}, "Tags by their use of late, or those that begin with `q`.", nil},
	{"/tag/{tags}", "readTag", communitypages.TagPage{}, "What is hot of the posts that have all of these tags.", nil},
	{"/tag/{tags}/hot", "readTagHot", communitypages.TagPage{}, "What is hot of the posts that have all of these tags.", nil},
	{"/tag/{tags}/new", "readTagNew", communitypages.TagPage{}, "The newest posts that have all of these tags.", nil},
	{"/tag/{tags}/active", "readTagActive", communitypages.TagPage{}, "The posts with all of these tags with the latest comments.", nil},
	{"/tag/{tags}/top", "readTagTop", communitypages.TagPage{}, "The posts with all of these tags with the highest score in a time.", nil},
	{"/tag/{tags}/rising", "readTagRising", communitypages.TagPage{}, "New posts with all of these tags that rise fast.", nil},
	{"/tag/{tags}/controversial", "readTagControversial", communitypages.TagPage{},
		"Posts with all of these tags with many votes of both kinds in a time.", nil},
	{"/tag/{tags}/comments", "readTagMostCommented", communitypages.TagPage{}, "The most commented posts with all of these tags in a time.",
		nil},
	{"/tag/{tags}/views", "readTagMostViewed", communitypages.TagPage{}, "The posts with all of these tags with the most views in a time.",
		nil},
	{"/search", "search", listingpages.SearchPage{}, "What is found by words: posts, or what `type` names.",
		[]string{"relevance", "new", "top"}},
	{"/discussions", "readDiscussions", postpages.DiscussionsPage{}, "The posts about a web address (`url`) or about another post " +
		"(`post`, an id).", nil},
	{"/u/{user}", "readProfile", listingpages.ProfilePage{}, "A member's profile, with their newest posts and comments, or with an order " +
		"with their posts.", data.OrderNames(data.ProfilePostOrders)},
	{"/u/{user}/comments", "readProfileComments", listingpages.ProfilePage{}, "A member's profile and comments.",
		data.OrderNames(data.ProfileCommentOrders)},
	{"/u/{user}/followers", "readFollowers", listingpages.ProfilePage{}, "A member's profile, and who follows the member.", nil},
	{"/u/{user}/following", "readFollowing", listingpages.ProfilePage{}, "A member's profile, and whom the member follows.", nil},
	{"/saved", "readSaved", listingpages.SavedPage{}, "The posts that the member has saved.", nil},
	{"/saved/comments", "readSavedComments", listingpages.SavedPage{}, "The comments that the member has saved.", nil},
	{"/hidden", "readHidden", listingpages.SavedPage{}, "The posts that the member has hidden.", nil},
	{"/drafts", "readDrafts", listingpages.OwnPostsPage{}, "The member's drafts.", nil},
	{"/drafts/scheduled", "readScheduled", listingpages.OwnPostsPage{}, "The member's posts that will be published by themselves.", nil},
	{"/drafts/published", "readPublished", listingpages.OwnPostsPage{}, "The member's published posts.", nil},
	{"/drafts/archived", "readArchived", listingpages.OwnPostsPage{}, "The member's posts that are too old for votes and comments.", nil},
	{"/drafts/removed", "readRemoved", listingpages.OwnPostsPage{}, "The member's posts that moderators have removed, or that wait for one.",
		nil},
	{"/messages", "readConversations", moderationpages.ConversationsPage{}, "The member's conversations with moderators and administrators.",
		nil},
	{"/messages/{conversation}", "readConversation", moderationpages.ConversationPage{},
		"A conversation with moderators or administrators, for who takes part.", nil},
	{"/inbox", "readInbox", inboxpages.InboxPage{}, "What the member was told.", nil},
	{"/inbox/unread", "readUnread", inboxpages.InboxPage{}, "What is unread of what the member was told.", nil},
	{"/inbox/replies", "readReplies", inboxpages.InboxPage{}, "Replies to the member.", nil},
	{"/inbox/mentions", "readMentions", inboxpages.InboxPage{}, "Mentions of the member.", nil},
	{"/inbox/moderation", "readDecisions", inboxpages.InboxPage{}, "Decisions that the member was told of.", nil},
	{"/about", "readAbout", adminpages.SitePage{}, "What the site is about.", nil},
	{"/rules", "readRules", adminpages.SitePage{}, "The rules of the site.", nil},
	{"/privacy", "readPrivacy", adminpages.SitePage{}, "What the site does with data.", nil},
	{"/terms", "readTerms", adminpages.SitePage{}, "The terms of use.", nil},
}
