package worker

import (
	"plaza/data"
	"plaza/worker/request"
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
	page("/home[.json]?after", a.listing.ShowHome, member, reads, cacheNever)
	page("/communities[.json]?sort&after", a.community.ShowCommunities, public, reads, cacheListing).ForVisitors(firstPage)
	page("/communities/yours[.json]?after", a.community.ShowOwnCommunities, member, reads, cacheNever)
	page("/search[.json]?q&type&sort&t&community&author&kind&tag&domain&after", a.listing.ShowSearch, public, reads, cacheListing).
		Limited(request.LimitSearch)
	page("/search/suggest?q", a.listing.Suggest, public, reads, cacheListing).Limited(request.LimitSuggest)
	page("/communities/new", a.community.ShowNewCommunity, member, reads, cacheNever)
	action("/communities", a.community.CreateCommunity, member, writes, request.LimitCommunity).Refusing(a.community.RefuseCommunity)
	page("/welcome", a.community.ShowWelcome, member, reads, cacheNever)
	action("/welcome", a.community.SubscribeAll, member, writes, request.LimitSubscribe)
	action("/subscribe", a.community.Subscribe, member, writes, request.LimitSubscribe).AfterSignIn()
	action("/follow", a.listing.FollowUser, member, writes, request.LimitFollow).AfterSignIn()
	page("/block", a.listing.ShowBlock, member, reads, cacheNever)
	action("/block", a.listing.BlockUser, member, writes, request.LimitFollow)
	page("/c/{community}/settings", a.community.ShowCommunitySettings, moderator, moderates, cacheNever)
	action("/c/{community}/settings", a.community.UpdateCommunitySettings, moderator, moderates, request.LimitSettings).
		Refusing(a.community.RefuseCommunitySettings).TakingPictures()
	page("/c/{community}[.json .atom]?flair&after", a.community.ShowCommunity, public, reads, cacheListing).ForVisitors(firstPage)
	inOrders("/c/{community}", a.community.ShowCommunity, "flair&", firstPage)

	page("/tags[.json]?q", a.community.ShowTags, public, reads, cacheListing)
	action("/tags/follow", a.community.FollowTag, member, writes, request.LimitFollow).AfterSignIn()
	page("/tags/suggest?q", a.community.SuggestTags, public, reads, cacheListing)
	page("/tag/{tags}[.json .atom]?after", a.community.ShowTag, public, reads, cacheListing)
	inOrders("/tag/{tags}", a.community.ShowTag, "", request.Refused)

	page("/mod/queue", a.moderation.ShowAllQueues, member, moderates, cacheNever)
	action("/mod/queue", a.moderation.DecideAllQueues, member, moderates, request.LimitModerate)
	page("/c/{community}/mod/queue", a.moderation.ShowModQueue, approver, moderates, cacheNever)
	action("/c/{community}/mod/queue", a.moderation.DecideModQueue, approver, moderates, request.LimitModerate)
	page("/c/{community}/mod/quarantine", a.moderation.ShowQuarantine, approver, moderates, cacheNever)
	action("/c/{community}/mod/quarantine", a.moderation.DecideQuarantine, approver, moderates, request.LimitModerate)
	page("/c/{community}/mod/member", a.moderation.ShowMemberCard, approver, moderates, cacheNever)
	action("/c/{community}/mod/member", a.moderation.NoteMember, approver, moderates, request.LimitModerate)
	page("/c/{community}/mod/decide", a.moderation.ShowDecide, approver, moderates, cacheNever)
	action("/c/{community}/mod/decide", a.moderation.Decide, approver, moderates, request.LimitModerate)
	page("/c/{community}/mod/bans", a.moderation.ShowBans, moderator, moderates, cacheNever)
	action("/c/{community}/mod/bans", a.moderation.DecideBan, moderator, moderates, request.LimitBan)
	page("/c/{community}/mod/authors", a.moderation.ShowAuthors, moderator, moderates, cacheNever)
	action("/c/{community}/mod/authors", a.moderation.BanAuthors, moderator, moderates, request.LimitBan)
	page("/c/{community}/moderators[.json]", a.community.ShowTeam, public, reads, cacheListing)
	action("/c/{community}/moderators", a.community.ChangeTeam, moderator, moderates, request.LimitTeam)
	action("/c/{community}/moderators/own", a.community.ChangeOwnRole, member, noToken, request.LimitSettings)
	page("/messages[.json]?after", a.moderation.ShowConversations, member, reads, cacheNever)
	page("/messages/new", a.moderation.ShowNewMessage, member, reads, cacheNever)
	action("/messages", a.moderation.BeginConversation, member, writes, request.LimitMessage).Refusing(a.moderation.RefuseNewMessage)
	page("/messages/{conversation}[.json]", a.moderation.ShowConversation, member, reads, cacheNever)
	action("/messages/{conversation}", a.moderation.WriteMessage, member, writes, request.LimitMessage).Refusing(a.moderation.RefuseMessage)
	action("/messages/{conversation}/verdict", a.moderation.DecideAppeal, member, noToken, request.LimitModerate).
		Refusing(a.moderation.RefuseMessage)
	page("/c/{community}/mod/mail", a.moderation.ShowModMail, moderator, moderates, cacheNever)
	page("/c/{community}/mod/rules", a.moderation.ShowRules, moderator, moderates, cacheNever)
	action("/c/{community}/mod/rules", a.moderation.ChangeRules, moderator, moderates, request.LimitModerate)
	page("/c/{community}/mod/rule", a.moderation.ShowRule, moderator, moderates, cacheNever)
	action("/c/{community}/mod/rule", a.moderation.SaveRule, moderator, moderates, request.LimitModerate)
	page("/c/{community}/mod/flair", a.community.ShowFlairs, moderator, moderates, cacheNever)
	action("/c/{community}/mod/flair", a.community.UpdateFlairs, moderator, moderates, request.LimitModerate).
		Refusing(a.community.RefuseFlairs)
	page("/c/{community}/mod/user-flair", a.community.ShowMemberFlair, approver, moderates, cacheNever)
	action("/c/{community}/mod/user-flair", a.community.GiveMemberFlair, approver, moderates, request.LimitModerate)
	page("/c/{community}/flair", a.community.ShowOwnFlair, member, reads, cacheNever)
	action("/c/{community}/flair", a.community.ChooseFlair, member, writes, request.LimitSettings)
	page("/c/{community}/pages[.json]", a.community.ShowWiki, public, reads, cacheListing)
	page("/c/{community}/pages/{page}[.json]", a.community.ShowWikiPage, public, reads, cacheThread)
	page("/c/{community}/pages/{page}/history", a.community.ShowWikiHistory, public, reads, cacheListing)
	page("/c/{community}/pages/{page}/history/{revision}", a.community.ShowWikiRevision, public, reads, cacheListing)
	page("/c/{community}/mod/page", a.community.ShowEditWiki, moderator, moderates, cacheNever)
	action("/c/{community}/mod/page", a.community.SaveWiki, moderator, moderates, request.LimitSettings).Refusing(a.community.RefuseWiki)
	action("/c/{community}/mod/page/delete", a.community.DeleteWiki, moderator, moderates, request.LimitSettings)
	action("/c/{community}/mod/page/restore", a.community.RestoreWiki, moderator, moderates, request.LimitSettings)
	page("/c/{community}/mod/give-flair", a.community.ShowGiveFlair, approver, moderates, cacheNever)
	action("/c/{community}/mod/give-flair", a.community.GiveFlair, approver, moderates, request.LimitModerate)
	page("/c/{community}/mod/pictures", a.moderation.ShowBlockedPictures, moderator, moderates, cacheNever)
	action("/c/{community}/mod/pictures", a.moderation.UnblockPicture, moderator, moderates, request.LimitModerate)
	page("/c/{community}/mod/title", a.moderation.ShowTitle, moderator, moderates, cacheNever)
	action("/c/{community}/mod/title", a.moderation.ChangeTitle, moderator, moderates, request.LimitModerate)
	page("/c/{community}/log[.json]?after", a.moderation.ShowLog, public, reads, cacheListing)
	page("/c/{community}/log/numbers[.json]?month", a.moderation.ShowNumbers, public, reads, cacheListing)
	page("/log/numbers[.json]?month", a.moderation.ShowSiteNumbers, public, reads, cacheListing)
	page("/log[.json]?after", a.moderation.ShowSiteLog, public, reads, cacheListing)

	page("/submit", a.post.ShowSubmit, member, reads, cacheNever)
	action("/submit", a.post.CreatePost, member, writes, request.LimitPost).Refusing(a.post.RefusePost).TakingPictures()
	action("/pictures", a.post.UploadPicture, member, writes, request.LimitUpload).TakingPictures()
	page("/post", a.post.ShowProfilePost, member, reads, cacheNever)
	action("/post", a.post.CreateProfilePost, member, writes, request.LimitPost).Refusing(a.post.RefuseProfilePost)
	page("/c/{community}/submit", a.post.ShowSubmit, member, reads, cacheNever)
	action("/c/{community}/submit", a.post.CreatePost, member, writes, request.LimitPost).Refusing(a.post.RefusePost).TakingPictures()
	page("/c/{community}/p/{slug}[.json .atom]?sort&after&left", a.post.ShowPost, public, reads, cacheThread).ForVisitors(recentPost)
	page("/c/{community}/p/{slug}/{comment}[.json .atom]?sort&after&left", a.post.ShowPost, public, reads, cacheThread)

	page("/p/{post}", a.post.ShowPostByID, public, reads, cacheNever).ForVisitors(recentPost)
	page("/p/{post}/{comment}", a.post.ShowPostByID, public, reads, cacheNever).ForVisitors(recentPost)

	page("/discussions[.json]?url&post&but&after", a.post.ShowDiscussions, public, reads, cacheListing)

	page("/reply", a.post.ShowReply, member, reads, cacheNever)
	action("/comment", a.post.CreateComment, member, writes, request.LimitComment).Refusing(a.post.RefuseComment).TakingPictures()
	action("/preview", a.post.Preview, member, writes, request.LimitPreview).Refusing(a.post.RefusePreview).TakingPictures()
	action("/title", a.post.PageTitle, member, noToken, request.LimitTitle)
	page("/edit", a.post.ShowEdit, member, reads, cacheNever)
	action("/edit", a.post.Edit, member, writes, request.LimitEdit).Refusing(a.post.RefuseEdit)
	page("/draft", a.post.ShowDraft, member, reads, cacheNever)
	action("/draft", a.post.SaveDraft, member, writes, request.LimitEdit).Refusing(a.post.RefuseDraft).TakingPictures()
	action("/publish", a.post.Publish, member, writes, request.LimitPost).Refusing(a.post.RefuseDraft).TakingPictures()
	page("/drafts[.json]?after", a.post.ShowOwnPosts, member, reads, cacheNever)
	action("/drafts", a.post.KeepDraft, member, writes, request.LimitDraft).Refusing(a.post.RefusePost).TakingPictures()
	page("/drafts/scheduled[.json]?after", a.post.ShowOwnPosts, member, reads, cacheNever)
	page("/drafts/published[.json]?after", a.post.ShowOwnPosts, member, reads, cacheNever)
	page("/drafts/archived[.json]?after", a.post.ShowOwnPosts, member, reads, cacheNever)
	page("/drafts/removed[.json]?after", a.post.ShowOwnPosts, member, reads, cacheNever)
	page("/delete", a.post.ShowDelete, member, reads, cacheNever)
	action("/delete", a.post.Delete, member, writes, request.LimitEdit)
	page("/report", a.moderation.ShowReport, member, reads, cacheNever)
	action("/report", a.moderation.Report, member, writes, request.LimitReport).Refusing(a.moderation.RefuseReport)
	action("/save", a.post.Save, member, writes, request.LimitKeep).AfterSignIn()
	action("/hide", a.post.Hide, member, writes, request.LimitKeep)
	page("/saved[.json]?after", a.listing.ShowSaved, member, reads, cacheNever)
	page("/saved/comments[.json]?after", a.listing.ShowSaved, member, reads, cacheNever)
	page("/hidden[.json]?after", a.listing.ShowSaved, member, reads, cacheNever)
	action("/seen", a.post.SeePost, member, writes, request.LimitKeep)
	action("/view", a.post.CountView, public, noToken, request.LimitView)
	action("/vote", a.post.Vote, member, writes, request.LimitVote).AfterSignIn()

	page("/settings/notifications", a.inbox.ShowNotifications, member, reads, cacheNever)
	action("/settings/notifications", a.inbox.UpdateNotifications, member, writes, request.LimitSettings).Refusing(a.inbox.RefuseNotifications)
	action("/settings/devices", a.inbox.AddDevice, member, noToken, request.LimitSettings).Refusing(a.inbox.RefuseNotifications)
	action("/settings/devices/remove", a.inbox.RemoveDevice, member, noToken, request.LimitSettings).Refusing(a.inbox.RefuseNotifications)
	action("/settings/devices/choices", a.inbox.ChooseShown, member, noToken, request.LimitSettings).Refusing(a.inbox.RefuseNotifications)
	page("/unsubscribe", a.inbox.ShowUnsubscribe, public, noToken, cacheNever).ForVisitors(always)
	action("/unsubscribe", a.inbox.Unsubscribe, public, noToken, request.LimitEndMails)
	page("/inbox[.json]?after&read", a.inbox.ShowInbox, member, reads, cacheNever)
	page("/inbox/unread[.json]?after", a.inbox.ShowInbox, member, reads, cacheNever)
	page("/inbox/replies[.json]?after", a.inbox.ShowInbox, member, reads, cacheNever)
	page("/inbox/mentions[.json]?after", a.inbox.ShowInbox, member, reads, cacheNever)
	page("/inbox/moderation[.json]?after", a.inbox.ShowInbox, member, reads, cacheNever)
	page("/decisions/{decision}", a.moderation.ShowDecision, member, reads, cacheNever)
	action("/decisions/{decision}", a.moderation.Appeal, member, writes, request.LimitMessage).Refusing(a.moderation.RefuseAppeal)
	action("/inbox/read", a.inbox.MarkRead, member, writes, request.LimitInbox)
	action("/inbox/unread", a.inbox.UndoReadAll, member, writes, request.LimitInbox)
	action("/watch", a.inbox.Watch, member, writes, request.LimitInbox).AfterSignIn()

	page("/u/{user}[.json .atom]?sort&after", a.listing.ShowProfile, public, reads, cacheListing)
	page("/u/{user}/comments[.json .atom]?sort&after", a.listing.ShowProfile, public, reads, cacheListing)
	page("/u/{user}/followers[.json]?after", a.listing.ShowProfile, public, reads, cacheListing)
	page("/u/{user}/following[.json]?after", a.listing.ShowProfile, public, reads, cacheListing)

	page("/settings", a.account.ShowSettings, member, reads, cacheNever)
	page("/settings/profile", a.account.ShowProfileSettings, member, reads, cacheNever)
	action("/display", a.account.ChooseDisplay, public, noToken, request.LimitDisplay)
	action("/settings", a.account.UpdateSettings, member, writes, request.LimitSettings).Refusing(a.account.RefuseSettings).TakingPictures()
	action("/settings/zone", a.account.AdoptZone, member, noToken, request.LimitSettings)
	page("/settings/filters", a.listing.ShowFilters, member, reads, cacheNever)
	action("/settings/filters", a.listing.ChangeFilters, member, writes, request.LimitSettings).Refusing(a.listing.RefuseFilters)
	page("/settings/blocked", a.listing.ShowBlocked, member, reads, cacheNever)
	page("/settings/security", a.account.ShowSecuritySettings, member, noToken, cacheNever)
	page("/settings/export", a.account.ShowExport, reauthenticated, noToken, cacheNever).Limited(request.LimitExport)
	page("/settings/export/{kind}", a.account.ExportFile, reauthenticated, noToken, cacheNever).Limited(request.LimitExport)
	page("/settings/invites", a.account.ShowInvites, member, noToken, cacheNever)
	action("/settings/invites", a.account.Invite, member, noToken, request.LimitInvite).Refusing(a.account.RefuseInvite)
	page(request.PrivateFeedPattern, a.listing.ShowPrivateFeed, public, noToken, cacheNever).ForVisitors(always)
	page("/settings/tokens", a.account.ShowTokens, member, noToken, cacheNever)
	action("/settings/tokens", a.account.MakeToken, reauthenticated, noToken, request.LimitSettings).Refusing(a.account.RefuseToken)
	action("/settings/tokens/renew", a.account.RenewFeed, reauthenticated, noToken, request.LimitSettings).Refusing(a.account.RefuseToken)
	action("/settings/tokens/end", a.account.EndToken, member, noToken, request.LimitSettings)
	page("/settings/totp", a.account.ShowNewApp, reauthenticated, noToken, cacheNever)
	action("/settings/totp", a.account.TurnOnApp, reauthenticated, noToken, request.LimitSettings).Refusing(a.account.RefuseNewApp)
	action("/settings/totp/codes", a.account.RenewCodes, reauthenticated, noToken, request.LimitSettings).Refusing(a.account.RefuseSecurity)
	action("/settings/totp/off", a.account.TurnOffApp, reauthenticated, noToken, request.LimitSettings).Refusing(a.account.RefuseSecurity)
	action("/settings/providers", a.account.AddIdentity, reauthenticated, noToken, request.LimitSettings).Refusing(a.account.RefuseSecurity)
	action("/settings/providers/remove", a.account.RemoveIdentity, reauthenticated, noToken, request.LimitSettings).
		Refusing(a.account.RefuseSecurity)
	action("/settings/passkeys", a.account.AddPasskey, reauthenticated, noToken, request.LimitSettings).Refusing(a.account.RefuseSecurity)
	action("/settings/passkeys/name", a.account.RenamePasskey, member, noToken, request.LimitSettings).Refusing(a.account.RefuseSecurity)
	action("/settings/passkeys/remove", a.account.RemovePasskey, reauthenticated, noToken, request.LimitSettings).
		Refusing(a.account.RefuseSecurity)
	action("/settings/sessions/end", a.account.EndSession, member, noToken, request.LimitSettings)
	action("/settings/sessions/end-others", a.account.EndOtherSessions, member, noToken, request.LimitSettings)
	page("/settings/account/delete", a.account.ShowDeleteAccount, reauthenticated, noToken, cacheNever)
	action("/settings/account/delete", a.account.DeleteAccount, reauthenticated, noToken,
		request.LimitAccount).Refusing(a.account.RefuseDeleteAccount)

	page("/signup", a.account.ShowSignUp, public, noToken, cacheNever).ForVisitors(always)
	action("/signup", a.account.SignUp, public, noToken, request.LimitSignUp).Refusing(a.account.RefuseSignUp)
	page("/login", a.account.ShowLogIn, public, noToken, cacheNever).ForVisitors(always)
	action("/login", a.account.LogIn, public, noToken, request.LimitLogIn).Refusing(a.account.RefuseLogIn)
	action("/login/passkey", a.account.LogInByPasskey, public, noToken, request.LimitLogIn).Refusing(a.account.RefusePasskey)
	action("/login/code", a.account.SecondStep, public, noToken, request.LimitLogIn).Refusing(a.account.RefuseSecondStep)
	page("/auth/{provider}", a.account.StartProvider, public, noToken, cacheNever).Limited(request.LimitProvider).
		Refusing(a.account.RefuseProvider).ForVisitors(always)
	page("/auth/{provider}/callback", a.account.ProviderCallback, public, noToken, cacheNever).Limited(request.LimitProvider).
		Refusing(a.account.RefuseProvider).ForVisitors(always)
	page("/auth/new", a.account.ShowNewIdentity, public, noToken, cacheNever).ForVisitors(always)
	action("/auth/new", a.account.SignUpByProvider, public, noToken, request.LimitSignUp).Refusing(a.account.RefuseNewIdentity)
	action("/passkeys/challenge", a.account.PasskeyChallenge, public, noToken, request.LimitChallenge)
	page("/login/link", a.account.ShowAskLogIn, public, noToken, cacheNever).ForVisitors(always)
	action("/login/link", a.account.MailLogIn, public, noToken, request.LimitMailed)
	action("/login/continue", a.account.LogInContinue, public, noToken, request.LimitContinue)
	page("/login/done", a.account.ShowLogInDone, member, noToken, cacheNever)
	page("/reset", a.account.ShowReset, public, noToken, cacheNever).ForVisitors(always)
	action("/reset", a.account.MailReset, public, noToken, request.LimitMailed)
	page("/link", a.account.ShowLink, public, noToken, cacheNever).ForVisitors(always)
	action("/link", a.account.UseMailLink, public, noToken, request.LimitLink)
	page("/prove", a.account.ShowReauth, member, noToken, cacheNever)
	action("/prove/passkey", a.account.ReauthByPasskey, member, noToken, request.LimitProve).Refusing(a.account.RefuseReauth)
	action("/prove", a.account.Reauth, member, noToken, request.LimitProve).Refusing(a.account.RefuseReauth)
	action("/prove/code", a.account.ReauthByCode, member, noToken, request.LimitProve).Refusing(a.account.RefuseReauthCode)
	action("/prove/link", a.account.ReauthByMail, member, noToken, request.LimitProve).Refusing(a.account.RefuseReauth)
	page(request.AgreeURL, a.account.ShowAgree, member, noToken, cacheNever)
	action(request.AgreeURL, a.account.Agree, member, noToken, request.LimitSettings).Refusing(a.account.RefuseAgree)
	page("/settings/account", a.account.ShowAccount, member, noToken, cacheNever)
	action("/settings/account/email", a.account.ChangeEmail, reauthenticated, noToken, request.LimitAccount).Refusing(a.account.RefuseAccount)
	action("/settings/account/name", a.account.Rename, member, noToken, request.LimitAccount).Refusing(a.account.RefuseAccount)
	action("/settings/account/no-password", a.account.DropPassword, reauthenticated, noToken, request.LimitAccount).
		Refusing(a.account.RefuseAccount)
	action("/settings/account/password", a.account.ChangePassword, reauthenticated, noToken, request.LimitAccount).
		Refusing(a.account.RefuseAccount)
	page(request.SuspensionURL, a.moderation.ShowSuspension, public, noToken, cacheNever).ForVisitors(always)
	action(request.SuspensionURL, a.moderation.AppealSuspension, public, noToken, request.LimitAppeal).Refusing(a.moderation.RefuseSuspension)
	action("/logout", a.account.LogOut, public, noToken, request.LimitLogOut)

	page("/about[.json]", a.admin.ShowSitePage, public, reads, cacheListing).ForVisitors(always)
	page("/rules[.json]", a.admin.ShowSitePage, public, reads, cacheListing).ForVisitors(always)
	page("/privacy[.json]", a.admin.ShowSitePage, public, reads, cacheListing).ForVisitors(always)
	page("/terms[.json]", a.admin.ShowSitePage, public, reads, cacheListing).ForVisitors(always)
	page("/transparency[.json]?half", a.moderation.ShowTransparency, public, reads, cacheThread).ForVisitors(always)
	page("/transparency.csv?half", a.moderation.ShowTransparencyTable, public, reads, cacheThread).ForVisitors(always)
	page("/api[.json]", a.admin.ShowAPI, public, reads, cacheThread).ForVisitors(always)
	page("/contact", a.admin.ShowContact, public, noToken, cacheNever).ForVisitors(always)
	action("/contact", a.admin.SendContact, public, noToken, request.LimitContact).Refusing(a.admin.RefuseContact)

	page("/notice?url", a.moderation.ShowLegalNotice, public, noToken, cacheNever).ForVisitors(always)
	action("/notice", a.moderation.SendLegalNotice, public, noToken, request.LimitLegalNotice).Refusing(a.moderation.RefuseLegalNotice)
	page("/notice/{notice}", a.moderation.ShowLegalNoticeStatus, public, noToken, cacheNever).ForVisitors(always)
	action("/notice/{notice}", a.moderation.UpdateLegalNotice, public, noToken, request.LimitGiven).
		Refusing(a.moderation.RefuseLegalNoticeUpdate)

	page("/admin", a.admin.ShowAdmin, administrator, noToken, cacheNever)
	page("/admin/settings", a.admin.ShowSiteSettings, administrator, noToken, cacheNever)
	action("/admin/settings", a.admin.UpdateSiteSettings, administrator, noToken, request.LimitAdmin).Refusing(a.admin.RefuseSiteSettings)
	page("/admin/pages/{page}", a.admin.ShowEditPage, administrator, noToken, cacheNever)
	action("/admin/pages/{page}", a.admin.WritePage, administrator, noToken, request.LimitAdmin).Refusing(a.admin.RefusePageText)
	page("/admin/messages", a.admin.ShowMessages, administrator, noToken, cacheNever)
	action("/admin/messages", a.admin.MarkMessage, administrator, noToken, request.LimitAdmin)
	page(request.AdminMailURL, a.moderation.ShowAdminMail, administrator, noToken, cacheNever)
	page("/admin/erase", a.moderation.ShowErase, administrator, noToken, cacheNever)
	action("/admin/erase", a.moderation.Erase, administrator, noToken, request.LimitAdmin)
	page("/admin/pictures", a.admin.ShowPictures, administrator, noToken, cacheNever)
	action("/admin/pictures", a.admin.BlockPicture, administrator, noToken, request.LimitAdmin)
	page("/admin/blocked-pictures", a.moderation.ShowBlockedPictures, administrator, noToken, cacheNever)
	action("/admin/blocked-pictures", a.moderation.UnblockPicture, administrator, noToken, request.LimitAdmin)
	page("/admin/rules", a.moderation.ShowRules, administrator, noToken, cacheNever)
	action("/admin/rules", a.moderation.ChangeRules, administrator, noToken, request.LimitAdmin)
	page("/admin/rule", a.moderation.ShowRule, administrator, noToken, cacheNever)
	action("/admin/rule", a.moderation.SaveRule, administrator, noToken, request.LimitAdmin)
	page("/admin/invites", a.admin.ShowInvited, administrator, noToken, cacheNever)
	action("/admin/invites", a.admin.DecideInviteTree, administrator, noToken, request.LimitAdmin)
	page("/claim", a.admin.ShowClaim, public, noToken, cacheNever).ForVisitors(always)
	page("/admin/claim", a.admin.ShowLetClaim, administrator, noToken, cacheNever)
	action("/admin/claim", a.admin.GrantClaim, administrator, noToken, request.LimitAdmin)
	page("/admin/waiting", a.moderation.ShowWaiting, administrator, noToken, cacheNever)
	action("/admin/waiting", a.moderation.DecideWaiting, administrator, noToken, request.LimitAdmin)
	page("/admin/users", a.admin.ShowUsers, administrator, noToken, cacheNever)
	action("/admin/users", a.admin.DecideUser, administrator, noToken, request.LimitAdmin)
	page("/admin/quarantine", a.moderation.ShowOpenCases, administrator, noToken, cacheNever)
	action("/admin/quarantine", a.moderation.DecideOpenCase, administrator, noToken, request.LimitAdmin)
	page(request.HealthURL, a.admin.ShowHealth, administrator, noToken, cacheNever)
	page("/admin/dead-letters", a.admin.ShowDeadLetters, administrator, noToken, cacheNever)
	action("/admin/dead-letters", a.admin.DecideDeadLetter, administrator, noToken, request.LimitAdmin)

	page("/img/logo/{sum}", a.admin.ShowLogo, public, reads, cacheHour).ForVisitors(always)
	page("/img/card/{post}", a.post.ShowCard, public, reads, cacheThread).ForVisitors(recentPost)
	page("/img/card/c/{community}", a.post.ShowCommunityCard, public, reads, cacheThread).ForVisitors(firstPage)
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
