package worker

import (
	"plaza/data"
	"plaza/worker/request"
	"plaza/worker/request/limit"
)

// Short names for the table.
const (
	public          = request.Public
	member          = request.Member
	reauthenticated = request.Reauthenticated
	moderator       = request.Moderator
	approver        = request.Approver
	administrator   = request.Administrator

	noToken   = request.NoToken
	reads     = request.Reads
	writes    = request.Writes
	moderates = request.Moderates

	cacheNever   = request.CacheNever
	cacheListing = request.CacheListing
	cacheThread  = request.CacheThread
	cacheHour    = request.CacheHour
	cacheForever = request.CacheForever

	firstPage  = request.FirstPage
	recentPost = request.RecentPost
	always     = request.Always
)

// routes returns every address of the site. Any other is 404.
func (a *App) routes() request.Table {
	var table request.Table
	page, action := table.Page, table.Action
	// inOrders adds a listing in each order below an address. Orders that can list the posts of one flair also get flairQuery. uncached
	// says which pages are made for visitors who get cached pages only.
	inOrders := func(base string, show func(*request.Call) error, flairQuery string, uncached request.Uncached) {
		for _, order := range data.ListingOrders {
			query := "?"
			if order.Windows {
				query += "t&"
			}
			if order.Flair {
				query += flairQuery
			}
			page(base+"/"+order.Name+"[.json .atom]"+query+"after", show, public, reads, cacheListing).ForVisitors(uncached)
		}
	}
	page("/{$}[.json .atom]?after", a.listing.ShowFront, public, reads, cacheListing).ForVisitors(firstPage)
	inOrders("", a.listing.ShowSiteListing, "", firstPage)

	page(request.YoursHot+"[.json]?after", a.listing.ShowFront, member, reads, cacheNever)
	page(request.YoursNew+"[.json]?after", a.listing.ShowFront, member, reads, cacheNever)
	page(request.YoursActive+"[.json]?after", a.listing.ShowFront, member, reads, cacheNever)
	page("/edition[.json .atom]", a.listing.ShowEdition, public, reads, cacheListing).ForVisitors(firstPage)
	page("/edition/{day}/{half}[.json]", a.listing.ShowEdition, public, reads, cacheListing)
	page("/edition/yours[.json]", a.listing.ShowOwnEdition, member, reads, cacheNever)
	page("/edition/yours/{day}/{half}[.json]", a.listing.ShowOwnEdition, member, reads, cacheNever)
	page("/home[.json]?after", a.listing.ShowHome, member, reads, cacheNever)
	page("/communities[.json]?sort&after", a.community.ShowCommunities, public, reads, cacheListing).ForVisitors(firstPage)
	page("/communities/yours[.json]?after", a.community.ShowOwnCommunities, member, reads, cacheNever)
	page("/search[.json]?q&type&sort&t&community&author&kind&tag&domain&after", a.listing.ShowSearch, public, reads, cacheListing).
		Limited(limit.Search)
	page("/search/suggest?q", a.listing.Suggest, public, reads, cacheListing).Limited(limit.Suggest)
	page("/communities/new", a.community.ShowNewCommunity, member, reads, cacheNever)
	action("/communities", a.community.CreateCommunity, member, writes, limit.Community).Refusing(a.community.RefuseCommunity)
	page("/welcome", a.community.ShowWelcome, member, reads, cacheNever)
	action("/welcome", a.community.SubscribeAll, member, writes, limit.Subscribe)
	action("/subscribe", a.community.Subscribe, member, writes, limit.Subscribe).AfterSignIn()
	action("/follow", a.listing.FollowUser, member, writes, limit.Follow).AfterSignIn()
	page("/block", a.listing.ShowBlock, member, reads, cacheNever)
	action("/block", a.listing.BlockUser, member, writes, limit.Follow)
	page("/c/{community}/settings", a.community.ShowCommunitySettings, moderator, moderates, cacheNever)
	action("/c/{community}/settings", a.community.UpdateCommunitySettings, moderator, moderates, limit.Settings).
		Refusing(a.community.RefuseCommunitySettings).TakingPictures()
	page("/c/{community}[.json .atom]?flair&after", a.community.ShowCommunity, public, reads, cacheListing).ForVisitors(firstPage)
	inOrders("/c/{community}", a.community.ShowCommunity, "flair&", firstPage)

	page("/tags[.json]?q", a.community.ShowTags, public, reads, cacheListing)
	action("/tags/follow", a.community.FollowTag, member, writes, limit.Follow).AfterSignIn()
	page("/tags/suggest?q", a.community.SuggestTags, public, reads, cacheListing)
	page("/tag/{tags}[.json .atom]?after", a.community.ShowTag, public, reads, cacheListing)
	inOrders("/tag/{tags}", a.community.ShowTag, "", request.Refused)

	page("/mod/queue", a.moderation.ShowAllQueues, member, moderates, cacheNever)
	action("/mod/queue", a.moderation.DecideAllQueues, member, moderates, limit.Moderate)
	page("/c/{community}/mod/queue", a.moderation.ShowModQueue, approver, moderates, cacheNever)
	action("/c/{community}/mod/queue", a.moderation.DecideModQueue, approver, moderates, limit.Moderate)
	page("/c/{community}/mod/quarantine", a.moderation.ShowQuarantine, approver, moderates, cacheNever)
	action("/c/{community}/mod/quarantine", a.moderation.DecideQuarantine, approver, moderates, limit.Moderate)
	page("/c/{community}/mod/member", a.moderation.ShowMemberCard, approver, moderates, cacheNever)
	action("/c/{community}/mod/member", a.moderation.NoteMember, approver, moderates, limit.Moderate)
	page("/c/{community}/mod/decide", a.moderation.ShowDecide, approver, moderates, cacheNever)
	action("/c/{community}/mod/decide", a.moderation.Decide, approver, moderates, limit.Moderate)
	page("/c/{community}/mod/bans", a.moderation.ShowBans, moderator, moderates, cacheNever)
	action("/c/{community}/mod/bans", a.moderation.DecideBan, moderator, moderates, limit.Ban)
	page("/c/{community}/mod/authors", a.moderation.ShowAuthors, moderator, moderates, cacheNever)
	action("/c/{community}/mod/authors", a.moderation.BanAuthors, moderator, moderates, limit.Ban)
	page("/c/{community}/moderators[.json]", a.community.ShowTeam, public, reads, cacheListing)
	action("/c/{community}/moderators", a.community.ChangeTeam, moderator, moderates, limit.Team)
	action("/c/{community}/moderators/own", a.community.ChangeOwnRole, member, noToken, limit.Settings)
	page("/messages[.json]?after", a.moderation.ShowConversations, member, reads, cacheNever)
	page("/messages/new", a.moderation.ShowNewMessage, member, reads, cacheNever)
	action("/messages", a.moderation.BeginConversation, member, writes, limit.Message).Refusing(a.moderation.RefuseNewMessage)
	page("/messages/{conversation}[.json]", a.moderation.ShowConversation, member, reads, cacheNever)
	action("/messages/{conversation}", a.moderation.WriteMessage, member, writes, limit.Message).Refusing(a.moderation.RefuseMessage)
	action("/messages/{conversation}/verdict", a.moderation.DecideAppeal, member, noToken, limit.Moderate).
		Refusing(a.moderation.RefuseMessage)
	page("/c/{community}/mod/mail", a.moderation.ShowModMail, moderator, moderates, cacheNever)
	page("/c/{community}/mod/rules", a.moderation.ShowRules, moderator, moderates, cacheNever)
	action("/c/{community}/mod/rules", a.moderation.ChangeRules, moderator, moderates, limit.Moderate)
	page("/c/{community}/mod/rule", a.moderation.ShowRule, moderator, moderates, cacheNever)
	action("/c/{community}/mod/rule", a.moderation.SaveRule, moderator, moderates, limit.Moderate)
	page("/c/{community}/mod/flair", a.community.ShowFlairs, moderator, moderates, cacheNever)
	action("/c/{community}/mod/flair", a.community.UpdateFlairs, moderator, moderates, limit.Moderate).
		Refusing(a.community.RefuseFlairs)
	page("/c/{community}/mod/user-flair", a.community.ShowMemberFlair, approver, moderates, cacheNever)
	action("/c/{community}/mod/user-flair", a.community.GiveMemberFlair, approver, moderates, limit.Moderate)
	page("/c/{community}/flair", a.community.ShowOwnFlair, member, reads, cacheNever)
	action("/c/{community}/flair", a.community.ChooseFlair, member, writes, limit.Settings)
	page("/c/{community}/pages[.json]", a.community.ShowWiki, public, reads, cacheListing)
	page("/c/{community}/pages/{page}[.json]", a.community.ShowWikiPage, public, reads, cacheThread)
	page("/c/{community}/pages/{page}/history", a.community.ShowWikiHistory, public, reads, cacheListing)
	page("/c/{community}/pages/{page}/history/{revision}", a.community.ShowWikiRevision, public, reads, cacheListing)
	page("/c/{community}/mod/page", a.community.ShowEditWiki, moderator, moderates, cacheNever)
	action("/c/{community}/mod/page", a.community.SaveWiki, moderator, moderates, limit.Settings).Refusing(a.community.RefuseWiki)
	action("/c/{community}/mod/page/delete", a.community.DeleteWiki, moderator, moderates, limit.Settings)
	action("/c/{community}/mod/page/restore", a.community.RestoreWiki, moderator, moderates, limit.Settings)
	page("/c/{community}/mod/give-flair", a.community.ShowGiveFlair, approver, moderates, cacheNever)
	action("/c/{community}/mod/give-flair", a.community.GiveFlair, approver, moderates, limit.Moderate)
	page("/c/{community}/mod/pictures", a.moderation.ShowBlockedPictures, moderator, moderates, cacheNever)
	action("/c/{community}/mod/pictures", a.moderation.UnblockPicture, moderator, moderates, limit.Moderate)
	page("/c/{community}/mod/title", a.moderation.ShowTitle, moderator, moderates, cacheNever)
	action("/c/{community}/mod/title", a.moderation.ChangeTitle, moderator, moderates, limit.Moderate)
	page("/c/{community}/log[.json]?after", a.moderation.ShowLog, public, reads, cacheListing)
	page("/c/{community}/log/numbers[.json]?month", a.moderation.ShowNumbers, public, reads, cacheListing)
	page("/log/numbers[.json]?month", a.moderation.ShowSiteNumbers, public, reads, cacheListing)
	page("/log[.json]?after", a.moderation.ShowSiteLog, public, reads, cacheListing)

	page("/submit", a.post.ShowSubmit, member, reads, cacheNever)
	action("/submit", a.post.CreatePost, member, writes, limit.Post).Refusing(a.post.RefusePost).TakingPictures()
	action("/pictures", a.post.UploadPicture, member, writes, limit.Upload).TakingPictures()
	page("/post", a.post.ShowProfilePost, member, reads, cacheNever)
	action("/post", a.post.CreateProfilePost, member, writes, limit.Post).Refusing(a.post.RefuseProfilePost)
	page("/c/{community}/submit", a.post.ShowSubmit, member, reads, cacheNever)
	action("/c/{community}/submit", a.post.CreatePost, member, writes, limit.Post).Refusing(a.post.RefusePost).TakingPictures()
	page("/c/{community}/p/{slug}[.json .atom]?sort&after&left", a.post.ShowPost, public, reads, cacheThread).ForVisitors(recentPost)
	page("/c/{community}/p/{slug}/{comment}[.json .atom]?sort&after&left", a.post.ShowPost, public, reads, cacheThread)

	page("/p/{post}", a.post.ShowPostByID, public, reads, cacheNever).ForVisitors(recentPost)
	page("/p/{post}/{comment}", a.post.ShowPostByID, public, reads, cacheNever).ForVisitors(recentPost)

	page("/discussions[.json]?url&post&but&after", a.post.ShowDiscussions, public, reads, cacheListing)

	page("/reply", a.post.ShowReply, member, reads, cacheNever)
	action("/comment", a.post.CreateComment, member, writes, limit.Comment).Refusing(a.post.RefuseComment).TakingPictures()
	action("/preview", a.post.Preview, member, writes, limit.Preview).OwnStateOnly().Refusing(a.post.RefusePreview).TakingPictures()
	action("/title", a.post.PageTitle, member, noToken, limit.Title).OwnStateOnly()
	page("/edit", a.post.ShowEdit, member, reads, cacheNever)
	action("/edit", a.post.Edit, member, writes, limit.Edit).Refusing(a.post.RefuseEdit)
	page("/draft", a.post.ShowDraft, member, reads, cacheNever)
	action("/draft", a.post.SaveDraft, member, writes, limit.Edit).Refusing(a.post.RefuseDraft).TakingPictures()
	action("/publish", a.post.Publish, member, writes, limit.Post).Refusing(a.post.RefuseDraft).TakingPictures()
	page("/drafts[.json]?after", a.post.ShowOwnPosts, member, reads, cacheNever)
	action("/drafts", a.post.KeepDraft, member, writes, limit.Draft).OwnStateOnly().Refusing(a.post.RefusePost).TakingPictures()
	page("/drafts/scheduled[.json]?after", a.post.ShowOwnPosts, member, reads, cacheNever)
	page("/drafts/published[.json]?after", a.post.ShowOwnPosts, member, reads, cacheNever)
	page("/drafts/archived[.json]?after", a.post.ShowOwnPosts, member, reads, cacheNever)
	page("/drafts/removed[.json]?after", a.post.ShowOwnPosts, member, reads, cacheNever)
	page("/delete", a.post.ShowDelete, member, reads, cacheNever)
	action("/delete", a.post.Delete, member, writes, limit.Edit)
	page("/report", a.moderation.ShowReport, member, reads, cacheNever)
	action("/report", a.moderation.Report, member, writes, limit.Report).Refusing(a.moderation.RefuseReport)
	action("/save", a.post.Save, member, writes, limit.Keep).AfterSignIn().OwnStateOnly()
	action("/hide", a.post.Hide, member, writes, limit.Keep).OwnStateOnly()
	page("/saved[.json]?after", a.listing.ShowSaved, member, reads, cacheNever)
	page("/saved/comments[.json]?after", a.listing.ShowSaved, member, reads, cacheNever)
	page("/hidden[.json]?after", a.listing.ShowSaved, member, reads, cacheNever)
	action("/seen", a.post.SeePost, member, writes, limit.Keep).OwnStateOnly()
	action("/view", a.post.CountView, public, noToken, limit.View).OwnStateOnly()
	action("/vote", a.post.Vote, member, writes, limit.Vote).AfterSignIn().OwnStateOnly()

	page("/settings/notifications", a.inbox.ShowNotifications, member, reads, cacheNever)
	action("/settings/notifications", a.inbox.UpdateNotifications, member, writes, limit.Settings).Refusing(a.inbox.RefuseNotifications)
	action("/settings/devices", a.inbox.AddDevice, member, noToken, limit.Settings).Refusing(a.inbox.RefuseNotifications)
	action("/settings/devices/remove", a.inbox.RemoveDevice, member, noToken, limit.Settings).Refusing(a.inbox.RefuseNotifications)
	action("/settings/devices/choices", a.inbox.ChooseShown, member, noToken, limit.Settings).Refusing(a.inbox.RefuseNotifications)
	page("/unsubscribe", a.inbox.ShowUnsubscribe, public, noToken, cacheNever).ForVisitors(always)
	action("/unsubscribe", a.inbox.Unsubscribe, public, noToken, limit.EndMails)
	page("/inbox[.json]?after&read", a.inbox.ShowInbox, member, reads, cacheNever)
	page("/inbox/unread[.json]?after", a.inbox.ShowInbox, member, reads, cacheNever)
	page("/inbox/replies[.json]?after", a.inbox.ShowInbox, member, reads, cacheNever)
	page("/inbox/mentions[.json]?after", a.inbox.ShowInbox, member, reads, cacheNever)
	page("/inbox/moderation[.json]?after", a.inbox.ShowInbox, member, reads, cacheNever)
	page("/decisions/{decision}", a.moderation.ShowDecision, member, reads, cacheNever)
	action("/decisions/{decision}", a.moderation.Appeal, member, writes, limit.Message).Refusing(a.moderation.RefuseAppeal)
	action("/inbox/read", a.inbox.MarkRead, member, writes, limit.Inbox).OwnStateOnly()
	action("/inbox/unread", a.inbox.UndoReadAll, member, writes, limit.Inbox).OwnStateOnly()
	action("/watch", a.inbox.Watch, member, writes, limit.Inbox).AfterSignIn().OwnStateOnly()

	page("/u/{user}[.json .atom]?sort&after", a.listing.ShowProfile, public, reads, cacheListing)
	page("/u/{user}/comments[.json .atom]?sort&after", a.listing.ShowProfile, public, reads, cacheListing)
	page("/u/{user}/followers[.json]?after", a.listing.ShowProfile, public, reads, cacheListing)
	page("/u/{user}/following[.json]?after", a.listing.ShowProfile, public, reads, cacheListing)

	page("/settings", a.account.ShowSettings, member, reads, cacheNever)
	page("/settings/profile", a.account.ShowProfileSettings, member, reads, cacheNever)
	action("/display", a.account.ChooseDisplay, public, noToken, limit.Display)
	action("/settings", a.account.UpdateSettings, member, writes, limit.Settings).Refusing(a.account.RefuseSettings).TakingPictures()
	action("/settings/zone", a.account.AdoptZone, member, noToken, limit.Settings)
	page("/settings/filters", a.listing.ShowFilters, member, reads, cacheNever)
	action("/settings/filters", a.listing.ChangeFilters, member, writes, limit.Settings).Refusing(a.listing.RefuseFilters)
	page("/settings/blocked", a.listing.ShowBlocked, member, reads, cacheNever)
	page("/settings/security", a.account.ShowSecuritySettings, member, noToken, cacheNever)
	page("/settings/export", a.account.ShowExport, reauthenticated, noToken, cacheNever).Limited(limit.Export)
	page("/settings/export/{kind}", a.account.ExportFile, reauthenticated, noToken, cacheNever).Limited(limit.Export)
	page("/settings/invites", a.account.ShowInvites, member, noToken, cacheNever)
	action("/settings/invites", a.account.Invite, member, noToken, limit.Invite).Refusing(a.account.RefuseInvite)
	page(request.PrivateFeedPattern, a.listing.ShowPrivateFeed, public, noToken, cacheNever).ForVisitors(always)
	page("/settings/tokens", a.account.ShowTokens, member, noToken, cacheNever)
	action("/settings/tokens", a.account.MakeToken, reauthenticated, noToken, limit.Settings).Refusing(a.account.RefuseToken)
	action("/settings/tokens/renew", a.account.RenewFeed, reauthenticated, noToken, limit.Settings).Refusing(a.account.RefuseToken)
	action("/settings/tokens/end", a.account.EndToken, member, noToken, limit.Settings)
	page("/settings/totp", a.account.ShowNewApp, reauthenticated, noToken, cacheNever)
	action("/settings/totp", a.account.TurnOnApp, reauthenticated, noToken, limit.Settings).Refusing(a.account.RefuseNewApp)
	action("/settings/totp/codes", a.account.RenewCodes, reauthenticated, noToken, limit.Settings).Refusing(a.account.RefuseSecurity)
	action("/settings/totp/off", a.account.TurnOffApp, reauthenticated, noToken, limit.Settings).Refusing(a.account.RefuseSecurity)
	action("/settings/providers", a.account.AddIdentity, reauthenticated, noToken, limit.Settings).Refusing(a.account.RefuseSecurity)
	action("/settings/providers/remove", a.account.RemoveIdentity, reauthenticated, noToken, limit.Settings).
		Refusing(a.account.RefuseSecurity)
	action("/settings/passkeys", a.account.AddPasskey, reauthenticated, noToken, limit.Settings).Refusing(a.account.RefuseSecurity)
	action("/settings/passkeys/name", a.account.RenamePasskey, member, noToken, limit.Settings).Refusing(a.account.RefuseSecurity)
	action("/settings/passkeys/remove", a.account.RemovePasskey, reauthenticated, noToken, limit.Settings).
		Refusing(a.account.RefuseSecurity)
	action("/settings/sessions/end", a.account.EndSession, member, noToken, limit.Settings)
	action("/settings/sessions/end-others", a.account.EndOtherSessions, member, noToken, limit.Settings)
	page("/settings/account/delete", a.account.ShowDeleteAccount, reauthenticated, noToken, cacheNever)
	action("/settings/account/delete", a.account.DeleteAccount, reauthenticated, noToken,
		limit.Account).Refusing(a.account.RefuseDeleteAccount)

	page("/signup", a.account.ShowSignUp, public, noToken, cacheNever).ForVisitors(always)
	action("/signup", a.account.SignUp, public, noToken, limit.SignUp).Refusing(a.account.RefuseSignUp)
	page("/login", a.account.ShowLogIn, public, noToken, cacheNever).ForVisitors(always)
	action("/login", a.account.LogIn, public, noToken, limit.LogIn).Refusing(a.account.RefuseLogIn)
	action("/login/passkey", a.account.LogInByPasskey, public, noToken, limit.LogIn).Refusing(a.account.RefusePasskey)
	action("/login/code", a.account.SecondStep, public, noToken, limit.LogIn).Refusing(a.account.RefuseSecondStep)
	page("/auth/{provider}", a.account.StartProvider, public, noToken, cacheNever).Limited(limit.Provider).
		Refusing(a.account.RefuseProvider).ForVisitors(always)
	page("/auth/{provider}/callback", a.account.ProviderCallback, public, noToken, cacheNever).Limited(limit.Provider).
		Refusing(a.account.RefuseProvider).ForVisitors(always)
	page("/auth/new", a.account.ShowNewIdentity, public, noToken, cacheNever).ForVisitors(always)
	action("/auth/new", a.account.SignUpByProvider, public, noToken, limit.SignUp).Refusing(a.account.RefuseNewIdentity)
	action("/passkeys/challenge", a.account.PasskeyChallenge, public, noToken, limit.Challenge)
	page("/login/link", a.account.ShowAskLogIn, public, noToken, cacheNever).ForVisitors(always)
	action("/login/link", a.account.MailLogIn, public, noToken, limit.Mailed)
	action("/login/continue", a.account.LogInContinue, public, noToken, limit.Continue)
	page("/login/done", a.account.ShowLogInDone, member, noToken, cacheNever)
	page("/reset", a.account.ShowReset, public, noToken, cacheNever).ForVisitors(always)
	action("/reset", a.account.MailReset, public, noToken, limit.Mailed)
	page("/link", a.account.ShowLink, public, noToken, cacheNever).ForVisitors(always)
	action("/link", a.account.UseMailLink, public, noToken, limit.Link)
	page("/prove", a.account.ShowReauth, member, noToken, cacheNever)
	action("/prove/passkey", a.account.ReauthByPasskey, member, noToken, limit.Prove).Refusing(a.account.RefuseReauth)
	action("/prove", a.account.Reauth, member, noToken, limit.Prove).Refusing(a.account.RefuseReauth)
	action("/prove/code", a.account.ReauthByCode, member, noToken, limit.Prove).Refusing(a.account.RefuseReauthCode)
	action("/prove/link", a.account.ReauthByMail, member, noToken, limit.Prove).Refusing(a.account.RefuseReauth)
	page(request.AgreeURL, a.account.ShowAgree, member, noToken, cacheNever)
	action(request.AgreeURL, a.account.Agree, member, noToken, limit.Settings).Refusing(a.account.RefuseAgree)
	page("/settings/account", a.account.ShowAccount, member, noToken, cacheNever)
	action("/settings/account/email", a.account.ChangeEmail, reauthenticated, noToken, limit.Account).Refusing(a.account.RefuseAccount)
	action("/settings/account/name", a.account.Rename, member, noToken, limit.Account).Refusing(a.account.RefuseAccount)
	action("/settings/account/no-password", a.account.DropPassword, reauthenticated, noToken, limit.Account).
		Refusing(a.account.RefuseAccount)
	action("/settings/account/password", a.account.ChangePassword, reauthenticated, noToken, limit.Account).
		Refusing(a.account.RefuseAccount)
	page(request.SuspensionURL, a.moderation.ShowSuspension, public, noToken, cacheNever).ForVisitors(always)
	action(request.SuspensionURL, a.moderation.AppealSuspension, public, noToken, limit.Appeal).Refusing(a.moderation.RefuseSuspension)
	action("/logout", a.account.LogOut, public, noToken, limit.LogOut)

	page("/about[.json]", a.admin.ShowSitePage, public, reads, cacheListing).ForVisitors(always)
	page("/rules[.json]", a.admin.ShowSitePage, public, reads, cacheListing).ForVisitors(always)
	page("/privacy[.json]", a.admin.ShowSitePage, public, reads, cacheListing).ForVisitors(always)
	page("/terms[.json]", a.admin.ShowSitePage, public, reads, cacheListing).ForVisitors(always)
	page("/transparency[.json]?half", a.moderation.ShowTransparency, public, reads, cacheThread).ForVisitors(always)
	page("/transparency.csv?half", a.moderation.ShowTransparencyTable, public, reads, cacheThread).ForVisitors(always)
	page("/api[.json]", a.admin.ShowAPI, public, reads, cacheThread).ForVisitors(always)
	page("/offline", a.admin.ShowOffline, public, noToken, cacheThread).ForVisitors(always)
	page("/contact", a.admin.ShowContact, public, noToken, cacheNever).ForVisitors(always)
	action("/contact", a.admin.SendContact, public, noToken, limit.Contact).Refusing(a.admin.RefuseContact)

	page("/notice?url", a.moderation.ShowLegalNotice, public, noToken, cacheNever).ForVisitors(always)
	action("/notice", a.moderation.SendLegalNotice, public, noToken, limit.LegalNotice).Refusing(a.moderation.RefuseLegalNotice)
	page("/notice/{notice}", a.moderation.ShowLegalNoticeStatus, public, noToken, cacheNever).ForVisitors(always)
	action("/notice/{notice}", a.moderation.UpdateLegalNotice, public, noToken, limit.Given).
		Refusing(a.moderation.RefuseLegalNoticeUpdate)

	page("/admin", a.admin.ShowAdmin, administrator, noToken, cacheNever)
	page("/admin/settings", a.admin.ShowSiteSettings, administrator, noToken, cacheNever)
	action("/admin/settings", a.admin.UpdateSiteSettings, administrator, noToken, limit.Admin).Refusing(a.admin.RefuseSiteSettings)
	page("/admin/pages/{page}", a.admin.ShowEditPage, administrator, noToken, cacheNever)
	action("/admin/pages/{page}", a.admin.WritePage, administrator, noToken, limit.Admin).Refusing(a.admin.RefusePageText)
	page("/admin/messages", a.admin.ShowMessages, administrator, noToken, cacheNever)
	action("/admin/messages", a.admin.MarkMessage, administrator, noToken, limit.Admin)
	page(request.AdminMailURL, a.moderation.ShowAdminMail, administrator, noToken, cacheNever)
	page("/admin/erase", a.moderation.ShowErase, administrator, noToken, cacheNever)
	action("/admin/erase", a.moderation.Erase, administrator, noToken, limit.Admin)
	page("/admin/pictures", a.admin.ShowPictures, administrator, noToken, cacheNever)
	action("/admin/pictures", a.admin.BlockPicture, administrator, noToken, limit.Admin)
	page("/admin/blocked-pictures", a.moderation.ShowBlockedPictures, administrator, noToken, cacheNever)
	action("/admin/blocked-pictures", a.moderation.UnblockPicture, administrator, noToken, limit.Admin)
	page("/admin/rules", a.moderation.ShowRules, administrator, noToken, cacheNever)
	action("/admin/rules", a.moderation.ChangeRules, administrator, noToken, limit.Admin)
	page("/admin/rule", a.moderation.ShowRule, administrator, noToken, cacheNever)
	action("/admin/rule", a.moderation.SaveRule, administrator, noToken, limit.Admin)
	page("/admin/invites", a.admin.ShowInvited, administrator, noToken, cacheNever)
	action("/admin/invites", a.admin.DecideInviteTree, administrator, noToken, limit.Admin)
	page("/claim", a.admin.ShowClaim, public, noToken, cacheNever).ForVisitors(always)
	page("/admin/claim", a.admin.ShowLetClaim, administrator, noToken, cacheNever)
	action("/admin/claim", a.admin.GrantClaim, administrator, noToken, limit.Admin)
	page("/admin/waiting", a.moderation.ShowWaiting, administrator, noToken, cacheNever)
	action("/admin/waiting", a.moderation.DecideWaiting, administrator, noToken, limit.Admin)
	page("/admin/users", a.admin.ShowUsers, administrator, noToken, cacheNever)
	action("/admin/users", a.admin.DecideUser, administrator, noToken, limit.Admin)
	page("/admin/quarantine", a.moderation.ShowOpenCases, administrator, noToken, cacheNever)
	action("/admin/quarantine", a.moderation.DecideOpenCase, administrator, noToken, limit.Admin)
	page(request.HealthURL, a.admin.ShowHealth, administrator, noToken, cacheNever)
	page("/admin/dead-letters", a.admin.ShowDeadLetters, administrator, noToken, cacheNever)
	action("/admin/dead-letters", a.admin.DecideDeadLetter, administrator, noToken, limit.Admin)

	page("/img/logo/{sum}", a.admin.ShowLogo, public, reads, cacheHour).ForVisitors(always)
	page("/img/card/{post}", a.post.ShowCard, public, reads, cacheThread).ForVisitors(recentPost)
	page("/img/card/c/{community}", a.post.ShowCommunityCard, public, reads, cacheThread).ForVisitors(firstPage)
	page("/img/mosaic/{version}/{colour}/{community}", a.community.ShowMosaic, public, reads, cacheForever).ForVisitors(always)
	page("/oembed?url&format&maxwidth&maxheight", a.post.ShowEmbed, public, reads, cacheThread)
	page("/img/{post}", a.post.ShowImage, public, reads, cacheHour).ForVisitors(always)
	page("/img/small/{post}", a.post.ShowSmallImage, public, reads, cacheHour).ForVisitors(always)
	page("/healthz", a.admin.Health, public, noToken, cacheNever).ForVisitors(always)
	page(request.SecurityURL, a.admin.ShowSecurity, public, reads, cacheHour).ForVisitors(always)
	page("/manifest.webmanifest", a.admin.ShowManifest, public, reads, cacheHour).ForVisitors(always)
	page("/robots.txt", a.admin.Robots, public, reads, cacheHour).ForVisitors(always)
	page(request.SitemapURL, a.listing.ShowSitemaps, public, reads, cacheThread)
	page("/sitemap/{part}", a.listing.ShowSitemap, public, reads, cacheThread)
	return table
}
