package api

import "plaza/render"

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
	{"/{$}", "readFront", render.FrontPage{}, "The front page: what is hot on the site, or for a member in their communities.", ""},
	{"/hot", "readHot", render.FrontPage{}, "What is hot on the site.", ""},
	{"/new", "readNew", render.FrontPage{}, "The newest posts of the site.", ""},
	{"/top", "readTop", render.FrontPage{}, "The posts of the site with the highest score in a time.", ""},
	{"/rising", "readRising", render.FrontPage{}, "New posts of the site that rise fast.", ""},
	{"/controversial", "readControversial", render.FrontPage{}, "Posts of the site with many votes of both kinds in a time.", ""},
	{"/comments", "readMostCommented", render.FrontPage{}, "The most commented posts of the site in a time.", ""},
	{"/views", "readMostViewed", render.FrontPage{}, "The posts of the site with the most views in a time.", ""},
	{"/yours/hot", "readYoursHot", render.FrontPage{}, "What is hot in the member's communities.", ""},
	{"/yours/new", "readYoursNew", render.FrontPage{}, "The newest posts of the member's communities.", ""},
	{"/home", "readHome", render.HomePage{}, "What those whom the member follows have posted.", ""},
	{"/communities", "readCommunities", render.CommunitiesPage{}, "All communities, those with the most members first if not sorted otherwise.", "members|growth|new"},
	{"/communities/yours", "readOwnCommunities", render.CommunitiesPage{}, "The communities that the member has subscribed to.", ""},
	{"/c/{community}", "readCommunity", render.CommunityPage{}, "What is hot in a community.", ""},
	{"/c/{community}/hot", "readCommunityHot", render.CommunityPage{}, "What is hot in a community, without its pinned posts.", ""},
	{"/c/{community}/new", "readCommunityNew", render.CommunityPage{}, "The newest posts of a community.", ""},
	{"/c/{community}/top", "readCommunityTop", render.CommunityPage{}, "The posts of a community with the highest score in a time.", ""},
	{"/c/{community}/rising", "readCommunityRising", render.CommunityPage{}, "New posts of a community that rise fast.", ""},
	{"/c/{community}/controversial", "readCommunityControversial", render.CommunityPage{}, "Posts of a community with many votes of both kinds in a time.", ""},
	{"/c/{community}/comments", "readCommunityMostCommented", render.CommunityPage{}, "The most commented posts of a community in a time.", ""},
	{"/c/{community}/views", "readCommunityMostViewed", render.CommunityPage{}, "The posts of a community with the most views in a time.", ""},
	{"/c/{community}/moderators", "readModerators", render.TeamPage{}, "Who moderates a community.", ""},
	{"/c/{community}/log", "readCommunityLog", render.LogPage{}, "What the moderators of a community have decided.", ""},
	{"/c/{community}/log/numbers", "readCommunityNumbers", render.NumbersPage{}, "How much each moderator of a community has decided in a month.", ""},
	{"/log", "readLog", render.LogPage{}, "What administrators have decided.", ""},
	{"/log/numbers", "readNumbers", render.NumbersPage{}, "How much each administrator has decided in a month.", ""},
	{"/c/{community}/p/{slug}", "readPost", render.PostPage{}, "A post with its thread.", threadSorts},
	{"/c/{community}/p/{slug}/{comment}", "readComment", render.PostPage{}, "A post with one comment's part of its thread.", threadSorts},
	{"/tags", "readTags", render.TagsPage{}, "Tags by their use of late, or those that begin with `q`.", ""},
	{"/tag/{tags}", "readTag", render.TagPage{}, "What is hot of the posts that have all of these tags.", ""},
	{"/tag/{tags}/hot", "readTagHot", render.TagPage{}, "What is hot of the posts that have all of these tags.", ""},
	{"/tag/{tags}/new", "readTagNew", render.TagPage{}, "The newest posts that have all of these tags.", ""},
	{"/tag/{tags}/top", "readTagTop", render.TagPage{}, "The posts with all of these tags with the highest score in a time.", ""},
	{"/tag/{tags}/rising", "readTagRising", render.TagPage{}, "New posts with all of these tags that rise fast.", ""},
	{"/tag/{tags}/controversial", "readTagControversial", render.TagPage{}, "Posts with all of these tags with many votes of both kinds in a time.", ""},
	{"/tag/{tags}/comments", "readTagMostCommented", render.TagPage{}, "The most commented posts with all of these tags in a time.", ""},
	{"/tag/{tags}/views", "readTagMostViewed", render.TagPage{}, "The posts with all of these tags with the most views in a time.", ""},
	{"/search", "search", render.SearchPage{}, "What is found by words: posts, or what `type` names.", "relevance|new|top"},
	{"/discussions", "readDiscussions", render.DiscussionsPage{}, "The posts about a web address (`url`) or about another post (`post`, an id).", ""},
	{"/u/{user}", "readProfile", render.ProfilePage{}, "A member's profile and posts.", profileSorts},
	{"/u/{user}/comments", "readProfileComments", render.ProfilePage{}, "A member's profile and comments.", commentSorts},
	{"/u/{user}/followers", "readFollowers", render.ProfilePage{}, "A member's profile, and who follows the member.", ""},
	{"/u/{user}/following", "readFollowing", render.ProfilePage{}, "A member's profile, and whom the member follows.", ""},
	{"/saved", "readSaved", render.SavedPage{}, "The posts that the member has saved.", ""},
	{"/saved/comments", "readSavedComments", render.SavedPage{}, "The comments that the member has saved.", ""},
	{"/hidden", "readHidden", render.SavedPage{}, "The posts that the member has hidden.", ""},
	{"/drafts", "readDrafts", render.DeskPage{}, "The member's drafts.", ""},
	{"/drafts/scheduled", "readScheduled", render.DeskPage{}, "The member's posts that will be published by themselves.", ""},
	{"/drafts/published", "readPublished", render.DeskPage{}, "The member's published posts.", ""},
	{"/drafts/archived", "readArchived", render.DeskPage{}, "The member's posts that are too old for votes and comments.", ""},
	{"/drafts/removed", "readRemoved", render.DeskPage{}, "The member's posts that moderators have removed, or that wait for one.", ""},
	{"/messages", "readConversations", render.ConversationsPage{}, "The member's conversations with moderators and administrators.", ""},
	{"/messages/{conversation}", "readConversation", render.ConversationPage{}, "A conversation with moderators or administrators, for who takes part.", ""},
	{"/inbox", "readInbox", render.InboxPage{}, "What the member was told.", ""},
	{"/inbox/unread", "readUnread", render.InboxPage{}, "What is unread of what the member was told.", ""},
	{"/inbox/answers", "readAnswers", render.InboxPage{}, "Answers to the member.", ""},
	{"/inbox/mentions", "readMentions", render.InboxPage{}, "Mentions of the member.", ""},
	{"/inbox/moderation", "readDecisions", render.InboxPage{}, "Decisions that the member was told of.", ""},
	{"/about", "readAbout", render.SitePage{}, "What the site is about.", ""},
	{"/rules", "readRules", render.SitePage{}, "The rules of the site.", ""},
	{"/privacy", "readPrivacy", render.SitePage{}, "What the site does with data.", ""},
	{"/terms", "readTerms", render.SitePage{}, "The terms of use.", ""},
}
