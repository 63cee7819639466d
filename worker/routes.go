package worker

import (
	"net/http"
	"time"

	"plaza/data/people"
)

// access is who may use a route.
type access int

const (
	public access = iota
	member
	proven // a member who gave a proof a moment ago (proof.go)
	// For pages of the next three, call.read and call.run check the right together with what the page reads. An action
	// checks it in the statement that writes.
	moderator // of the {community} in the address; administrators too
	approver  // of the same, or a moderator
	admin
)

// What an API token has to be allowed for a route. noToken is for logging in, for what keeps an account safe, and for the
// site's administration: no token may do that.
const (
	noToken   people.Scope = 0
	reads                  = people.Read
	writes                 = people.Write
	moderates              = people.Moderate
)

// cacheClass is how long visitors' copies of an answer live at the edge. A member's answer is never stored, whatever
// the class.
type cacheClass int

const (
	cacheNever   cacheClass = iota
	cacheListing            // 10 s
	cacheThread             // 30 s
	cacheHour
)

// limit is how often one member (or one network, where no one is logged in) may use a route. The zero limit is none,
// for reading.
type limit struct {
	name    string
	max     int
	per     time.Duration
	network bool // counts networks, even if a member calls, and counts in the database while Redis is away
}

// The limits of everything that changes something.
var (
	limitSignUp    = limit{"signup", 10, time.Hour, true}
	limitLogIn     = limit{"login", 20, 10 * time.Minute, true}
	limitChallenge = limit{"challenge", 120, 10 * time.Minute, false}
	limitProvider  = limit{"provider", 60, 10 * time.Minute, false}
	limitMailed    = limit{"mailed", 10, 30 * time.Minute, true}
	limitLink      = limit{"link", 30, 10 * time.Minute, true}
	limitContinue  = limit{"continue", 60, 10 * time.Minute, true}
	limitAccount   = limit{"account", 20, time.Hour, false}
	limitProve     = limit{"prove", 20, 10 * time.Minute, false}
	limitLogOut    = limit{"logout", 30, time.Minute, false}
	limitCommunity = limit{"community", 5, time.Hour, false}
	limitPost      = limit{"post", 20, time.Hour, false}
	limitComment   = limit{"comment", 60, 10 * time.Minute, false}
	limitEdit      = limit{"edit", 60, 10 * time.Minute, false}
	limitDraft     = limit{"draft", 30, time.Hour, false}
	limitPreview   = limit{"preview", 60, 10 * time.Minute, false}
	limitMessage   = limit{"message", 30, time.Hour, false}
	limitAppeal    = limit{"appeal", 20, time.Hour, true}
	limitReport    = limit{"report", 30, time.Hour, false}
	limitKeep      = limit{"keep", 120, time.Minute, false}
	limitVote      = limit{"vote", 120, time.Minute, false}
	limitSubscribe = limit{"subscribe", 60, time.Minute, false}
	limitFollow    = limit{"follow", 60, time.Minute, false}
	limitModerate  = limit{"moderate", 120, time.Minute, false}
	limitBan       = limit{"ban", 60, time.Hour, false}
	limitTeam      = limit{"team", 30, time.Hour, false}
	limitEndMails  = limit{"endmails", 60, 10 * time.Minute, false}
	limitInbox     = limit{"inbox", 120, time.Minute, false}
	limitAdmin     = limit{"admin", 120, time.Minute, false}
	limitContact   = limit{"contact", 5, time.Hour, true}
	limitInvite    = limit{"invite", 30, time.Hour, false}
	limitSearch    = limit{"search", 60, time.Minute, false}
	limitSuggest   = limit{"suggest", 240, time.Minute, false}
	limitSettings  = limit{"settings", 60, time.Hour, false}
	limitView      = limit{"view", 120, time.Minute, false} // in memory, as reading is (spendCall)
)

// route is one line of the table. A page's pattern is followed by the other formats that it is answered in, as in
// /new[.json] (format.go). The pattern of a cached page ends in the parameters that the page knows (query.go). The edge's
// own table is made from these lines.
type route struct {
	Method, Pattern string
	handle          func(*App, *call) error
	access          access
	scope           people.Scope // that an API token needs (token.go)
	cache           cacheClass
	limit           limit
	// refused shows the form again when access or the limit refuses it, so that what was typed is not lost; nil shows
	// the error's page.
	refused func(*App, *call, error) error
}

// routes is every address of the site. What is not here is 404.
var routes = []route{
	{"GET", "/{$}[.json .atom]?after", (*App).showFront, public, reads, cacheListing, limit{}, nil},
	{"GET", "/hot[.json .atom]?after", (*App).showSiteListing, public, reads, cacheListing, limit{}, nil},
	{"GET", "/new[.json .atom]?after", (*App).showSiteListing, public, reads, cacheListing, limit{}, nil},
	{"GET", "/top[.json .atom]?t&after", (*App).showSiteListing, public, reads, cacheListing, limit{}, nil},
	{"GET", "/rising[.json .atom]?after", (*App).showSiteListing, public, reads, cacheListing, limit{}, nil},
	{"GET", "/controversial[.json .atom]?t&after", (*App).showSiteListing, public, reads, cacheListing, limit{}, nil},
	{"GET", "/comments[.json .atom]?t&after", (*App).showSiteListing, public, reads, cacheListing, limit{}, nil},
	{"GET", "/views[.json .atom]?t&after", (*App).showSiteListing, public, reads, cacheListing, limit{}, nil},

	{"GET", yoursHot + "[.json]?after", (*App).showFront, member, reads, cacheNever, limit{}, nil},
	{"GET", yoursNew + "[.json]?after", (*App).showFront, member, reads, cacheNever, limit{}, nil},
	{"GET", "/home[.json]?after", (*App).showHome, member, reads, cacheNever, limit{}, nil},
	{"GET", "/communities[.json]?sort&after", (*App).showCommunities, public, reads, cacheListing, limit{}, nil},
	{"GET", "/communities/yours[.json]?after", (*App).showOwnCommunities, member, reads, cacheNever, limit{}, nil},
	{"GET", "/search[.json]?q&type&sort&t&community&author&kind&tag&domain&after", (*App).showSearch, public, reads, cacheListing, limitSearch, nil},
	{"GET", "/search/suggest?q", (*App).suggest, public, reads, cacheListing, limitSuggest, nil},
	{"GET", "/communities/new", (*App).showNewCommunity, member, reads, cacheNever, limit{}, nil},
	{"POST", "/communities", (*App).createCommunity, member, writes, cacheNever, limitCommunity, (*App).refuseCommunity},
	{"GET", "/welcome", (*App).showWelcome, member, reads, cacheNever, limit{}, nil},
	{"POST", "/welcome", (*App).subscribeAll, member, writes, cacheNever, limitSubscribe, nil},
	{"POST", "/subscribe", (*App).subscribe, member, writes, cacheNever, limitSubscribe, nil},
	{"POST", "/follow", (*App).followUser, member, writes, cacheNever, limitFollow, nil},
	{"GET", "/block", (*App).showBlock, member, reads, cacheNever, limit{}, nil},
	{"POST", "/block", (*App).blockUser, member, writes, cacheNever, limitFollow, nil},
	{"GET", "/c/{community}/settings", (*App).showCommunitySettings, moderator, moderates, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/settings", (*App).updateCommunitySettings, moderator, moderates, cacheNever, limitSettings, (*App).refuseCommunitySettings},
	{"GET", "/c/{community}[.json .atom]?flair&after", (*App).showCommunity, public, reads, cacheListing, limit{}, nil},
	{"GET", "/c/{community}/hot[.json .atom]?flair&after", (*App).showCommunity, public, reads, cacheListing, limit{}, nil},
	{"GET", "/c/{community}/new[.json .atom]?flair&after", (*App).showCommunity, public, reads, cacheListing, limit{}, nil},
	{"GET", "/c/{community}/top[.json .atom]?t&flair&after", (*App).showCommunity, public, reads, cacheListing, limit{}, nil},
	{"GET", "/c/{community}/rising[.json .atom]?after", (*App).showCommunity, public, reads, cacheListing, limit{}, nil},
	{"GET", "/c/{community}/controversial[.json .atom]?t&after", (*App).showCommunity, public, reads, cacheListing, limit{}, nil},
	{"GET", "/c/{community}/comments[.json .atom]?t&after", (*App).showCommunity, public, reads, cacheListing, limit{}, nil},
	{"GET", "/c/{community}/views[.json .atom]?t&after", (*App).showCommunity, public, reads, cacheListing, limit{}, nil},

	{"GET", "/tags[.json]?q", (*App).showTags, public, reads, cacheListing, limit{}, nil},
	{"POST", "/tags/follow", (*App).followTag, member, writes, cacheNever, limitFollow, nil},
	{"GET", "/tags/suggest?q", (*App).suggestTags, public, reads, cacheListing, limit{}, nil},
	{"GET", "/tag/{tags}[.json .atom]?after", (*App).showTag, public, reads, cacheListing, limit{}, nil},
	{"GET", "/tag/{tags}/hot[.json .atom]?after", (*App).showTag, public, reads, cacheListing, limit{}, nil},
	{"GET", "/tag/{tags}/new[.json .atom]?after", (*App).showTag, public, reads, cacheListing, limit{}, nil},
	{"GET", "/tag/{tags}/top[.json .atom]?t&after", (*App).showTag, public, reads, cacheListing, limit{}, nil},
	{"GET", "/tag/{tags}/rising[.json .atom]?after", (*App).showTag, public, reads, cacheListing, limit{}, nil},
	{"GET", "/tag/{tags}/controversial[.json .atom]?t&after", (*App).showTag, public, reads, cacheListing, limit{}, nil},
	{"GET", "/tag/{tags}/comments[.json .atom]?t&after", (*App).showTag, public, reads, cacheListing, limit{}, nil},
	{"GET", "/tag/{tags}/views[.json .atom]?t&after", (*App).showTag, public, reads, cacheListing, limit{}, nil},

	{"GET", "/mod/queue", (*App).showAllQueues, member, moderates, cacheNever, limit{}, nil},
	{"POST", "/mod/queue", (*App).decideAllQueues, member, moderates, cacheNever, limitModerate, nil},
	{"GET", "/c/{community}/mod/queue", (*App).showModQueue, approver, moderates, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/mod/queue", (*App).decideModQueue, approver, moderates, cacheNever, limitModerate, nil},
	{"GET", "/c/{community}/mod/quarantine", (*App).showQuarantine, approver, moderates, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/mod/quarantine", (*App).decideQuarantine, approver, moderates, cacheNever, limitModerate, nil},
	{"GET", "/c/{community}/mod/member", (*App).showMemberCard, approver, moderates, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/mod/member", (*App).noteMember, approver, moderates, cacheNever, limitModerate, nil},
	{"GET", "/c/{community}/mod/decide", (*App).showDecide, approver, moderates, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/mod/decide", (*App).decide, approver, moderates, cacheNever, limitModerate, nil},
	{"GET", "/c/{community}/mod/bans", (*App).showBans, moderator, moderates, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/mod/bans", (*App).decideBan, moderator, moderates, cacheNever, limitBan, nil},
	{"GET", "/c/{community}/mod/authors", (*App).showAuthors, moderator, moderates, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/mod/authors", (*App).banAuthors, moderator, moderates, cacheNever, limitBan, nil},
	{"GET", "/c/{community}/moderators[.json]", (*App).showTeam, public, reads, cacheListing, limit{}, nil},
	{"POST", "/c/{community}/moderators", (*App).changeTeam, moderator, moderates, cacheNever, limitTeam, nil},
	{"POST", "/c/{community}/moderators/own", (*App).answerTeam, member, noToken, cacheNever, limitSettings, nil},
	{"GET", "/messages[.json]?after", (*App).showConversations, member, reads, cacheNever, limit{}, nil},
	{"GET", "/messages/new", (*App).showNewMessage, member, reads, cacheNever, limit{}, nil},
	{"POST", "/messages", (*App).beginConversation, member, writes, cacheNever, limitMessage, (*App).refuseNewMessage},
	{"GET", "/messages/{conversation}[.json]", (*App).showConversation, member, reads, cacheNever, limit{}, nil},
	{"POST", "/messages/{conversation}", (*App).writeMessage, member, writes, cacheNever, limitMessage, (*App).refuseMessage},
	{"POST", "/messages/{conversation}/verdict", (*App).judgeAppeal, member, noToken, cacheNever, limitModerate, (*App).refuseMessage},
	{"GET", "/c/{community}/mod/mail", (*App).showModMail, moderator, moderates, cacheNever, limit{}, nil},
	{"GET", "/c/{community}/mod/rules", (*App).showRules, moderator, moderates, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/mod/rules", (*App).changeRules, moderator, moderates, cacheNever, limitModerate, nil},
	{"GET", "/c/{community}/mod/rule", (*App).showRule, moderator, moderates, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/mod/rule", (*App).saveRule, moderator, moderates, cacheNever, limitModerate, nil},
	{"GET", "/c/{community}/mod/flair", (*App).showFlairs, moderator, moderates, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/mod/flair", (*App).updateFlairs, moderator, moderates, cacheNever, limitModerate, (*App).refuseFlairs},
	{"GET", "/c/{community}/mod/give-flair", (*App).showGiveFlair, approver, moderates, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/mod/give-flair", (*App).giveFlair, approver, moderates, cacheNever, limitModerate, nil},
	{"GET", "/c/{community}/log[.json]?after", (*App).showLog, public, reads, cacheListing, limit{}, nil},
	{"GET", "/c/{community}/log/numbers[.json]?month", (*App).showNumbers, public, reads, cacheListing, limit{}, nil},
	{"GET", "/log/numbers[.json]?month", (*App).showSiteNumbers, public, reads, cacheListing, limit{}, nil},
	{"GET", "/log[.json]?after", (*App).showSiteLog, public, reads, cacheListing, limit{}, nil},

	{"GET", "/submit", (*App).showSubmit, member, reads, cacheNever, limit{}, nil},
	{"POST", "/submit", (*App).createPost, member, writes, cacheNever, limitPost, (*App).refusePost},
	{"GET", "/post", (*App).showShort, member, reads, cacheNever, limit{}, nil},
	{"POST", "/post", (*App).createShort, member, writes, cacheNever, limitPost, (*App).refuseShort},
	{"GET", "/c/{community}/submit", (*App).showSubmit, member, reads, cacheNever, limit{}, nil},
	{"POST", "/c/{community}/submit", (*App).createPost, member, writes, cacheNever, limitPost, (*App).refusePost},
	{"GET", "/c/{community}/p/{slug}[.json .atom]?sort&after&left", (*App).showPost, public, reads, cacheThread, limit{}, nil},
	{"GET", "/c/{community}/p/{slug}/{comment}[.json .atom]?sort&after&left", (*App).showPost, public, reads, cacheThread, limit{}, nil},

	{"GET", "/p/{post}", (*App).showPostByID, public, reads, cacheNever, limit{}, nil},
	{"GET", "/p/{post}/{comment}", (*App).showPostByID, public, reads, cacheNever, limit{}, nil},

	{"GET", "/discussions[.json]?url&post&after", (*App).showDiscussions, public, reads, cacheListing, limit{}, nil},

	{"GET", "/reply", (*App).showReply, member, reads, cacheNever, limit{}, nil},
	{"POST", "/comment", (*App).createComment, member, writes, cacheNever, limitComment, (*App).refuseComment},
	{"POST", "/preview", (*App).preview, member, writes, cacheNever, limitPreview, (*App).refusePreview},
	{"GET", "/edit", (*App).showEdit, member, reads, cacheNever, limit{}, nil},
	{"POST", "/edit", (*App).edit, member, writes, cacheNever, limitEdit, (*App).refuseEdit},
	{"GET", "/draft", (*App).showDraft, member, reads, cacheNever, limit{}, nil},
	{"POST", "/draft", (*App).saveDraft, member, writes, cacheNever, limitEdit, (*App).refuseDraft},
	{"POST", "/publish", (*App).publish, member, writes, cacheNever, limitPost, (*App).refuseDraft},
	{"GET", "/drafts[.json]?after", (*App).showDesk, member, reads, cacheNever, limit{}, nil},
	{"POST", "/drafts", (*App).keepDraft, member, writes, cacheNever, limitDraft, (*App).refusePost},
	{"GET", "/drafts/scheduled[.json]?after", (*App).showDesk, member, reads, cacheNever, limit{}, nil},
	{"GET", "/drafts/published[.json]?after", (*App).showDesk, member, reads, cacheNever, limit{}, nil},
	{"GET", "/drafts/archived[.json]?after", (*App).showDesk, member, reads, cacheNever, limit{}, nil},
	{"GET", "/drafts/removed[.json]?after", (*App).showDesk, member, reads, cacheNever, limit{}, nil},
	{"GET", "/delete", (*App).showDelete, member, reads, cacheNever, limit{}, nil},
	{"POST", "/delete", (*App).delete, member, writes, cacheNever, limitEdit, nil},
	{"GET", "/report", (*App).showReport, member, reads, cacheNever, limit{}, nil},
	{"POST", "/report", (*App).report, member, writes, cacheNever, limitReport, (*App).refuseReport},
	{"POST", "/save", (*App).save, member, writes, cacheNever, limitKeep, nil},
	{"POST", "/hide", (*App).hide, member, writes, cacheNever, limitKeep, nil},
	{"GET", "/saved[.json]?after", (*App).showSaved, member, reads, cacheNever, limit{}, nil},
	{"GET", "/saved/comments[.json]?after", (*App).showSaved, member, reads, cacheNever, limit{}, nil},
	{"GET", "/hidden[.json]?after", (*App).showSaved, member, reads, cacheNever, limit{}, nil},
	{"POST", "/seen", (*App).seePost, member, writes, cacheNever, limitKeep, nil},
	{"POST", "/view", (*App).countView, public, noToken, cacheNever, limitView, nil},
	{"POST", "/vote", (*App).vote, member, writes, cacheNever, limitVote, nil},

	{"GET", "/settings/notifications", (*App).showNotifications, member, reads, cacheNever, limit{}, nil},
	{"POST", "/settings/notifications", (*App).updateNotifications, member, writes, cacheNever, limitSettings, (*App).refuseNotifications},
	{"POST", "/settings/devices", (*App).addDevice, member, noToken, cacheNever, limitSettings, (*App).refuseNotifications},
	{"POST", "/settings/devices/remove", (*App).removeDevice, member, noToken, cacheNever, limitSettings, (*App).refuseNotifications},
	{"POST", "/settings/devices/choices", (*App).chooseShown, member, noToken, cacheNever, limitSettings, (*App).refuseNotifications},
	{"GET", "/unsubscribe", (*App).showUnsubscribe, public, noToken, cacheNever, limit{}, nil},
	{"POST", "/unsubscribe", (*App).unsubscribe, public, noToken, cacheNever, limitEndMails, nil},
	{"GET", "/inbox[.json]?after", (*App).showInbox, member, reads, cacheNever, limit{}, nil},
	{"GET", "/inbox/unread[.json]?after", (*App).showInbox, member, reads, cacheNever, limit{}, nil},
	{"GET", "/inbox/answers[.json]?after", (*App).showInbox, member, reads, cacheNever, limit{}, nil},
	{"GET", "/inbox/mentions[.json]?after", (*App).showInbox, member, reads, cacheNever, limit{}, nil},
	{"GET", "/inbox/moderation[.json]?after", (*App).showInbox, member, reads, cacheNever, limit{}, nil},
	{"GET", "/decisions/{decision}", (*App).showDecision, member, reads, cacheNever, limit{}, nil},
	{"POST", "/decisions/{decision}", (*App).appeal, member, writes, cacheNever, limitMessage, (*App).refuseAppeal},
	{"POST", "/inbox/read", (*App).markRead, member, writes, cacheNever, limitInbox, nil},
	{"POST", "/watch", (*App).watch, member, writes, cacheNever, limitInbox, nil},

	{"GET", "/u/{user}[.json .atom]?sort&after", (*App).showProfile, public, reads, cacheListing, limit{}, nil},
	{"GET", "/u/{user}/comments[.json .atom]?sort&after", (*App).showProfile, public, reads, cacheListing, limit{}, nil},
	{"GET", "/u/{user}/followers[.json]?after", (*App).showProfile, public, reads, cacheListing, limit{}, nil},
	{"GET", "/u/{user}/following[.json]?after", (*App).showProfile, public, reads, cacheListing, limit{}, nil},

	{"GET", "/settings", (*App).showSettings, member, reads, cacheNever, limit{}, nil},
	{"POST", "/settings", (*App).updateSettings, member, writes, cacheNever, limitSettings, (*App).refuseSettings},
	{"GET", "/settings/blocked", (*App).showBlocked, member, reads, cacheNever, limit{}, nil},
	{"GET", "/settings/security", (*App).showSecuritySettings, member, noToken, cacheNever, limit{}, nil},
	{"GET", "/settings/export", (*App).showExport, proven, noToken, cacheNever, limitExport, nil},
	{"GET", "/settings/export/{kind}", (*App).exportFile, proven, noToken, cacheNever, limitExport, nil},
	{"GET", "/settings/invites", (*App).showInvites, member, noToken, cacheNever, limit{}, nil},
	{"POST", "/settings/invites", (*App).invite, member, noToken, cacheNever, limitInvite, (*App).refuseInvite},
	{"GET", ownFeedPattern, (*App).showOwnFeed, public, noToken, cacheNever, limit{}, nil},
	{"GET", "/settings/tokens", (*App).showTokens, member, noToken, cacheNever, limit{}, nil},
	{"POST", "/settings/tokens", (*App).makeToken, proven, noToken, cacheNever, limitSettings, (*App).refuseToken},
	{"POST", "/settings/tokens/renew", (*App).renewFeed, proven, noToken, cacheNever, limitSettings, (*App).refuseToken},
	{"POST", "/settings/tokens/end", (*App).endToken, member, noToken, cacheNever, limitSettings, nil},
	{"GET", "/settings/totp", (*App).showNewApp, proven, noToken, cacheNever, limit{}, nil},
	{"POST", "/settings/totp", (*App).turnOnApp, proven, noToken, cacheNever, limitSettings, (*App).refuseNewApp},
	{"POST", "/settings/totp/codes", (*App).renewCodes, proven, noToken, cacheNever, limitSettings, (*App).refuseSecurity},
	{"POST", "/settings/totp/off", (*App).turnOffApp, proven, noToken, cacheNever, limitSettings, (*App).refuseSecurity},
	{"POST", "/settings/providers", (*App).addIdentity, proven, noToken, cacheNever, limitSettings, (*App).refuseSecurity},
	{"POST", "/settings/providers/remove", (*App).removeIdentity, proven, noToken, cacheNever, limitSettings, (*App).refuseSecurity},
	{"POST", "/settings/passkeys", (*App).addPasskey, proven, noToken, cacheNever, limitSettings, (*App).refuseSecurity},
	{"POST", "/settings/passkeys/name", (*App).renamePasskey, member, noToken, cacheNever, limitSettings, (*App).refuseSecurity},
	{"POST", "/settings/passkeys/remove", (*App).removePasskey, proven, noToken, cacheNever, limitSettings, (*App).refuseSecurity},
	{"POST", "/settings/sessions/end", (*App).endSession, member, noToken, cacheNever, limitSettings, nil},
	{"POST", "/settings/sessions/end-others", (*App).endOtherSessions, member, noToken, cacheNever, limitSettings, nil},
	{"GET", "/settings/account/delete", (*App).showLeave, proven, noToken, cacheNever, limit{}, nil},
	{"POST", "/settings/account/delete", (*App).leave, proven, noToken, cacheNever, limitAccount, (*App).refuseLeave},

	{"GET", "/signup", (*App).showSignUp, public, noToken, cacheNever, limit{}, nil},
	{"POST", "/signup", (*App).signUp, public, noToken, cacheNever, limitSignUp, (*App).refuseSignUp},
	{"GET", "/login", (*App).showLogIn, public, noToken, cacheNever, limit{}, nil},
	{"POST", "/login", (*App).logIn, public, noToken, cacheNever, limitLogIn, (*App).refuseLogIn},
	{"POST", "/login/passkey", (*App).logInByPasskey, public, noToken, cacheNever, limitLogIn, (*App).refusePasskey},
	{"POST", "/login/code", (*App).secondStep, public, noToken, cacheNever, limitLogIn, (*App).refuseSecondStep},
	{"GET", "/auth/{provider}", (*App).startProvider, public, noToken, cacheNever, limitProvider, (*App).refuseProvider},
	{"GET", "/auth/{provider}/callback", (*App).providerCallback, public, noToken, cacheNever, limitProvider, (*App).refuseProvider},
	{"GET", "/auth/new", (*App).showNewIdentity, public, noToken, cacheNever, limit{}, nil},
	{"POST", "/auth/new", (*App).signUpByProvider, public, noToken, cacheNever, limitSignUp, (*App).refuseNewIdentity},
	{"POST", "/passkeys/challenge", (*App).passkeyChallenge, public, noToken, cacheNever, limitChallenge, nil},
	{"GET", "/login/link", (*App).showAskLogIn, public, noToken, cacheNever, limit{}, nil},
	{"POST", "/login/link", (*App).mailLogIn, public, noToken, cacheNever, limitMailed, nil},
	{"POST", "/login/continue", (*App).logInContinue, public, noToken, cacheNever, limitContinue, nil},
	{"GET", "/login/done", (*App).showLogInDone, member, noToken, cacheNever, limit{}, nil},
	{"GET", "/reset", (*App).showReset, public, noToken, cacheNever, limit{}, nil},
	{"POST", "/reset", (*App).mailReset, public, noToken, cacheNever, limitMailed, nil},
	{"GET", "/link", (*App).showLink, public, noToken, cacheNever, limit{}, nil},
	{"POST", "/link", (*App).useMailLink, public, noToken, cacheNever, limitLink, nil},
	{"GET", "/prove", (*App).showProve, member, noToken, cacheNever, limit{}, nil},
	{"POST", "/prove/passkey", (*App).proveByPasskey, member, noToken, cacheNever, limitProve, (*App).refuseProof},
	{"POST", "/prove", (*App).prove, member, noToken, cacheNever, limitProve, (*App).refuseProof},
	{"POST", "/prove/code", (*App).proveByCode, member, noToken, cacheNever, limitProve, (*App).refuseProofCode},
	{"POST", "/prove/link", (*App).proveByMail, member, noToken, cacheNever, limitProve, (*App).refuseProof},
	{"GET", "/settings/account", (*App).showAccount, member, noToken, cacheNever, limit{}, nil},
	{"POST", "/settings/account/email", (*App).changeEmail, proven, noToken, cacheNever, limitAccount, (*App).refuseAccount},
	{"POST", "/settings/account/name", (*App).rename, member, noToken, cacheNever, limitAccount, (*App).refuseAccount},
	{"POST", "/settings/account/no-password", (*App).dropPassword, proven, noToken, cacheNever, limitAccount, (*App).refuseAccount},
	{"POST", "/settings/account/password", (*App).changePassword, proven, noToken, cacheNever, limitAccount, (*App).refuseAccount},
	{"GET", suspensionURL, (*App).showSuspension, public, noToken, cacheNever, limit{}, nil},
	{"POST", suspensionURL, (*App).appealSuspension, public, noToken, cacheNever, limitAppeal, (*App).refuseSuspension},
	{"POST", "/logout", (*App).logOut, public, noToken, cacheNever, limitLogOut, nil},

	{"GET", "/about[.json]", (*App).showSitePage, public, reads, cacheListing, limit{}, nil},
	{"GET", "/rules[.json]", (*App).showSitePage, public, reads, cacheListing, limit{}, nil},
	{"GET", "/privacy[.json]", (*App).showSitePage, public, reads, cacheListing, limit{}, nil},
	{"GET", "/terms[.json]", (*App).showSitePage, public, reads, cacheListing, limit{}, nil},
	{"GET", "/api[.json]", (*App).showAPI, public, reads, cacheThread, limit{}, nil},
	{"GET", "/contact", (*App).showContact, public, noToken, cacheNever, limit{}, nil},
	{"POST", "/contact", (*App).sendContact, public, noToken, cacheNever, limitContact, (*App).refuseContact},

	{"GET", "/admin", (*App).showAdmin, admin, noToken, cacheNever, limit{}, nil},
	{"GET", "/admin/settings", (*App).showSiteSettings, admin, noToken, cacheNever, limit{}, nil},
	{"POST", "/admin/settings", (*App).updateSiteSettings, admin, noToken, cacheNever, limitAdmin, (*App).refuseSiteSettings},
	{"GET", "/admin/pages/{page}", (*App).showEditPage, admin, noToken, cacheNever, limit{}, nil},
	{"POST", "/admin/pages/{page}", (*App).writePage, admin, noToken, cacheNever, limitAdmin, (*App).refusePageText},
	{"GET", "/admin/messages", (*App).showMessages, admin, noToken, cacheNever, limit{}, nil},
	{"POST", "/admin/messages", (*App).answerMessage, admin, noToken, cacheNever, limitAdmin, nil},
	{"GET", adminMailURL, (*App).showAdminMail, admin, noToken, cacheNever, limit{}, nil},
	{"GET", "/admin/rules", (*App).showRules, admin, noToken, cacheNever, limit{}, nil},
	{"POST", "/admin/rules", (*App).changeRules, admin, noToken, cacheNever, limitAdmin, nil},
	{"GET", "/admin/rule", (*App).showRule, admin, noToken, cacheNever, limit{}, nil},
	{"POST", "/admin/rule", (*App).saveRule, admin, noToken, cacheNever, limitAdmin, nil},
	{"GET", "/admin/invites", (*App).showInvited, admin, noToken, cacheNever, limit{}, nil},
	{"POST", "/admin/invites", (*App).judgeBranch, admin, noToken, cacheNever, limitAdmin, nil},
	{"GET", "/claim", (*App).showClaim, public, noToken, cacheNever, limit{}, nil},
	{"GET", "/admin/claim", (*App).showLetClaim, admin, noToken, cacheNever, limit{}, nil},
	{"POST", "/admin/claim", (*App).letClaim, admin, noToken, cacheNever, limitAdmin, nil},
	{"GET", "/admin/waiting", (*App).showWaiting, admin, noToken, cacheNever, limit{}, nil},
	{"POST", "/admin/waiting", (*App).decideWaiting, admin, noToken, cacheNever, limitAdmin, nil},
	{"GET", "/admin/users", (*App).showUsers, admin, noToken, cacheNever, limit{}, nil},
	{"POST", "/admin/users", (*App).judgeUser, admin, noToken, cacheNever, limitAdmin, nil},
	{"GET", "/admin/quarantine", (*App).showOpenCases, admin, noToken, cacheNever, limit{}, nil},
	{"POST", "/admin/quarantine", (*App).decideOpenCase, admin, noToken, cacheNever, limitAdmin, nil},
	{"GET", "/admin/dead-letters", (*App).showDeadLetters, admin, noToken, cacheNever, limit{}, nil},
	{"POST", "/admin/dead-letters", (*App).decideDeadLetter, admin, noToken, cacheNever, limitAdmin, nil},

	{"GET", "/img/logo/{sum}", (*App).showLogo, public, reads, cacheHour, limit{}, nil},
	{"GET", "/img/card/{post}", (*App).showCard, public, reads, cacheThread, limit{}, nil},
	{"GET", "/img/card/c/{community}", (*App).showCommunityCard, public, reads, cacheThread, limit{}, nil},
	{"GET", "/oembed?url&format&maxwidth&maxheight", (*App).showEmbed, public, reads, cacheThread, limit{}, nil},
	{"GET", "/img/{post}", (*App).showImage, public, reads, cacheHour, limit{}, nil},
	{"GET", "/healthz", (*App).health, public, noToken, cacheNever, limit{}, nil},
	{"GET", securityURL, (*App).showSecurity, public, reads, cacheHour, limit{}, nil},
	{"GET", "/robots.txt", (*App).robots, public, reads, cacheHour, limit{}, nil},
	{"GET", sitemapURL, (*App).showSitemaps, public, reads, cacheThread, limit{}, nil},
	{"GET", "/sitemap/{part}", (*App).showSitemap, public, reads, cacheThread, limit{}, nil},
}

// noRoute answers whatever the table does not name.
var noRoute = route{Pattern: "/", handle: (*App).notFound, scope: reads, cache: cacheNever}

// cacheControl is the Cache-Control of an answer of status 200 to a visitor.
func (c cacheClass) cacheControl() string {
	switch c {
	case cacheListing:
		return "public, max-age=0, s-maxage=10, stale-while-revalidate=60"
	case cacheThread:
		return "public, max-age=0, s-maxage=30, stale-while-revalidate=300"
	case cacheHour:
		return "public, max-age=3600, s-maxage=3600"
	}
	return privateAnswer
}

const (
	privateAnswer = "private, no-store"
	// missingAnswer is for a visitor's 404 or 400 at an address of a cached page. Asking again and again is answered
	// at the edge.
	missingAnswer = "public, max-age=0, s-maxage=10"
)

func safeMethod(method string) bool {
	return method == http.MethodGet || method == http.MethodHead
}
