package worker

import (
	"crypto/rand"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/deletion"
	"plaza/data/accounts/exports"
	"plaza/data/accounts/identities"
	"plaza/data/accounts/invitations"
	"plaza/data/accounts/onetime"
	"plaza/data/accounts/passkeys"
	"plaza/data/accounts/sessions"
	"plaza/data/accounts/signup"
	"plaza/data/accounts/suspensions"
	"plaza/data/accounts/twofactor"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/content/flair"
	"plaza/data/content/links"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/content/publishing"
	"plaza/data/content/tags"
	"plaza/data/content/votes"
	"plaza/data/content/wiki"
	"plaza/data/delivery/deadletters"
	"plaza/data/delivery/inbox"
	"plaza/data/delivery/mails"
	"plaza/data/delivery/outbox"
	"plaza/data/delivery/pushes"
	"plaza/data/lists/hot"
	"plaza/data/lists/listings"
	"plaza/data/lists/saves"
	"plaza/data/lists/search"
	"plaza/data/lists/sitemaps"
	"plaza/data/lists/timelines"
	"plaza/data/lists/views"
	"plaza/data/lists/visits"
	"plaza/data/moderation"
	"plaza/data/moderation/appeals"
	"plaza/data/moderation/bans"
	"plaza/data/moderation/erase"
	"plaza/data/moderation/modmail"
	"plaza/data/moderation/notices"
	"plaza/data/moderation/pictureblocks"
	"plaza/data/moderation/reports"
	"plaza/data/moderation/reputation"
	"plaza/data/moderation/rules"
	"plaza/data/pace/semaphore"
	"plaza/data/site"
	"plaza/data/site/metrics"
	"plaza/data/site/ratelimit"
	"plaza/ranking"
	"plaza/worker/view"
)

// stores are all stores of a site. Handlers get those that they need.
type stores struct {
	appeals     *appeals.Store
	bans        *bans.Store
	calls       *ratelimit.Store
	comments    *comments.Store
	communities *communities.Store
	deadLetters *deadletters.Store
	deletion    *deletion.Store
	erase       *erase.Store
	exports     *exports.Store
	twofactor   *twofactor.Store
	flairs      *flair.Store
	hot         *hot.Sets
	identities  *identities.Store
	inbox       *inbox.Store
	listings    *listings.Store
	mails       *mails.Store
	metrics     *metrics.Store
	moderation  *moderation.Store
	modmail     *modmail.Store
	notes       *reputation.Notes
	notices     *notices.Store
	outbox      *outbox.Store
	passkeys    *passkeys.Store
	pictures    *pictures.Store
	blocks      *pictureblocks.Store
	posts       *posts.Store
	previews    *links.Store
	publishing  *publishing.Store
	pushes      *pushes.Store
	reports     *reports.Store
	rules       *rules.Store
	saves       *saves.Store
	search      *search.Store
	sessions    *sessions.Store
	settings    *site.Store
	sitemaps    *sitemaps.Store
	tags        *tags.Store
	timelines   *timelines.Store
	onetime     *onetime.Store
	accounts    *accounts.Store
	credentials *credentials.Store
	signup      *signup.Store
	suspensions *suspensions.Store
	invitations *invitations.Store
	views       *views.Store
	visits      *visits.Store
	votes       *votes.Store
	wiki        *wiki.Store
}

func newStores(c Config) *stores {
	sets := &hot.Sets{Redis: c.Redis, DB: c.DB, Cap: hot.DefaultCap}
	s := &stores{
		bans:        &bans.Store{DB: c.DB, Source: c.Source},
		calls:       &ratelimit.Store{DB: c.DB, Source: c.Source},
		comments:    &comments.Store{DB: c.DB, Source: c.Source},
		communities: &communities.Store{DB: c.DB, Source: c.Source},
		deadLetters: &deadletters.Store{DB: c.DB, Source: c.Source},
		deletion:    &deletion.Store{DB: c.DB, Source: c.Source},
		exports:     &exports.Store{DB: c.DB},
		twofactor:   &twofactor.Store{DB: c.DB, Source: c.Source},
		flairs:      &flair.Store{DB: c.DB, Source: c.Source},
		hot:         sets,
		identities:  &identities.Store{DB: c.DB, Source: c.Source},
		inbox:       &inbox.Store{DB: c.DB, Source: c.Source, Factor: c.LimitFactor},
		listings:    &listings.Store{DB: c.DB, Hot: sets, Source: c.Source},
		mails:       &mails.Store{DB: c.DB, Source: c.Source},
		// Not by the site's clock (Config.MetricsNow).
		metrics:    &metrics.Store{DB: c.DB, Source: data.SystemSource(), Recorder: &metrics.Recorder{}, Analytics: c.Analytics},
		moderation: &moderation.Store{DB: c.DB, Source: c.Source},
		modmail:    &modmail.Store{DB: c.DB, Source: c.Source},
		notes:      &reputation.Notes{DB: c.DB, Source: c.Source},
		notices:    &notices.Store{DB: c.DB, Source: c.Source},
		outbox:     &outbox.Store{DB: c.DB, Source: c.Source},
		passkeys:   &passkeys.Store{DB: c.DB, Source: c.Source},
		pictures:   &pictures.Store{DB: c.DB, Source: c.Source},
		posts:      &posts.Store{DB: c.DB, Source: c.Source},
		previews:   &links.Store{DB: c.DB, Source: c.Source},
		pushes:     &pushes.Store{DB: c.DB, Source: c.Source},
		reports:    &reports.Store{DB: c.DB, Source: c.Source},
		rules:      &rules.Store{DB: c.DB, Source: c.Source, HTML: view.MessageHTML},
		saves:      &saves.Store{DB: c.DB, Source: c.Source},
		search:     &search.Store{DB: c.DB, Source: c.Source},
		sessions:   &sessions.Store{DB: c.DB, Source: c.Source},
		settings:   &site.Store{DB: c.DB, Source: c.Source},
		sitemaps:   &sitemaps.Store{DB: c.DB},
		tags:       &tags.Store{DB: c.DB, Source: c.Source},
		wiki:       &wiki.Store{DB: c.DB, Source: c.Source},
		timelines:  &timelines.Store{DB: c.DB, Source: c.Source, Threshold: c.TimelineThreshold},
		onetime:    &onetime.Store{DB: c.DB, Source: c.Source},
		accounts:   &accounts.Store{DB: c.DB, Source: c.Source},
		credentials: &credentials.Store{DB: c.DB, Source: c.Source, HashCost: c.HashCost, Salt: func(b []byte) { _, _ = rand.Read(b) },
			Sleep: c.Sleep, Hashes: &semaphore.Semaphore{Places: 1, Sleep: c.Sleep}},
		suspensions: &suspensions.Store{DB: c.DB, Source: c.Source},
		invitations: &invitations.Store{DB: c.DB, Source: c.Source},
		views:       &views.Store{DB: c.DB, Redis: c.Redis, Source: c.Source},
		visits:      &visits.Store{DB: c.DB, Source: c.Source},
		votes:       &votes.Store{DB: c.DB, Hot: sets, Source: c.Source, Limits: ranking.DefaultThresholds()},
	}
	if c.MetricsNow != nil {
		s.metrics.Source.Now = c.MetricsNow
	}
	s.credentials.Sessions = s.sessions
	s.blocks = &pictureblocks.Store{DB: c.DB, Source: c.Source, Accounts: s.accounts, Communities: s.communities}
	s.erase = &erase.Store{DB: c.DB, Source: c.Source, Posts: s.posts}
	s.signup = &signup.Store{DB: c.DB, Source: c.Source, Credentials: s.credentials, Sessions: s.sessions}
	s.publishing = &publishing.Store{DB: c.DB, Posts: s.posts, Comments: s.comments, Communities: s.communities, Rules: s.rules,
		Pictures: s.pictures}
	s.appeals = &appeals.Store{DB: c.DB, Source: c.Source, Modmail: s.modmail, Moderation: s.moderation, Bans: s.bans,
		Suspensions: s.suspensions, Log: c.Log}
	return s
}
