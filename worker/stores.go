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
	"plaza/data/content/hot"
	"plaza/data/content/links"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/content/publishing"
	"plaza/data/content/tags"
	"plaza/data/content/votes"
	"plaza/data/content/wiki"
	"plaza/data/events/deadletters"
	"plaza/data/events/inbox"
	"plaza/data/events/mails"
	"plaza/data/events/outbox"
	"plaza/data/events/pushes"
	"plaza/data/lists/editions"
	"plaza/data/lists/listings"
	"plaza/data/lists/saves"
	"plaza/data/lists/search"
	"plaza/data/lists/sitemaps"
	"plaza/data/lists/timelines"
	"plaza/data/lists/views"
	"plaza/data/lists/visits"
	"plaza/data/moderation"
	"plaza/data/moderation/appeals"
	"plaza/data/moderation/erase"
	"plaza/data/moderation/legalnotices"
	"plaza/data/moderation/modmail"
	"plaza/data/moderation/pictureblocks"
	"plaza/data/moderation/reports"
	"plaza/data/pace/semaphore"
	"plaza/data/rights/bans"
	"plaza/data/rights/reputation"
	"plaza/data/rights/rules"
	"plaza/data/site"
	"plaza/data/site/metrics"
	"plaza/data/site/ratelimit"
	"plaza/ranking"
	"plaza/worker/view"
)

// stores are all stores of a site. Handlers get those that they need.
type stores struct {
	appeals      *appeals.Store
	bans         *bans.Store
	calls        *ratelimit.Store
	comments     *comments.Store
	communities  *communities.Store
	deadLetters  *deadletters.Store
	deletion     *deletion.Store
	editions     *editions.Store
	erase        *erase.Store
	exports      *exports.Store
	twofactor    *twofactor.Store
	flairs       *flair.Store
	hot          *hot.Sets
	identities   *identities.Store
	inbox        *inbox.Store
	listings     *listings.Store
	mails        *mails.Store
	metrics      *metrics.Store
	moderation   *moderation.Store
	modmail      *modmail.Store
	notes        *reputation.Notes
	legalNotices *legalnotices.Store
	outbox       *outbox.Store
	passkeys     *passkeys.Store
	pictures     *pictures.Store
	blocks       *pictureblocks.Store
	posts        *posts.Store
	previews     *links.Store
	publishing   *publishing.Store
	pushes       *pushes.Store
	reports      *reports.Store
	rules        *rules.Store
	saves        *saves.Store
	search       *search.Store
	sessions     *sessions.Store
	settings     *site.Store
	sitemaps     *sitemaps.Store
	tags         *tags.Store
	timelines    *timelines.Store
	onetime      *onetime.Store
	accounts     *accounts.Store
	credentials  *credentials.Store
	signup       *signup.Store
	suspensions  *suspensions.Store
	invitations  *invitations.Store
	views        *views.Store
	visits       *visits.Store
	votes        *votes.Store
	wiki         *wiki.Store
}

func newStores(c Config) *stores {
	base := data.Base{DB: c.DB, Source: c.Source}
	sets := &hot.Sets{Redis: c.Redis, DB: c.DB, Cap: hot.DefaultCap}
	s := &stores{
		bans:        &bans.Store{Base: base},
		calls:       &ratelimit.Store{Base: base},
		comments:    comments.NewStore(base),
		communities: &communities.Store{Base: base},
		deadLetters: &deadletters.Store{Base: base},
		editions:    &editions.Store{Base: base},
		deletion:    &deletion.Store{Base: base},
		exports:     &exports.Store{DB: c.DB},
		twofactor:   &twofactor.Store{Base: base},
		flairs:      &flair.Store{Base: base},
		hot:         sets,
		identities:  &identities.Store{Base: base},
		inbox:       &inbox.Store{Base: base, Factor: c.LimitFactor},
		listings:    listings.NewStore(base, sets),
		mails:       &mails.Store{Base: base},
		// Metrics don't use the site's clock (Config.MetricsNow).
		metrics: &metrics.Store{Base: data.Base{DB: c.DB, Source: data.SystemSource()},
			Recorder: &metrics.Recorder{}, Analytics: c.Analytics},
		moderation:   &moderation.Store{Base: base},
		modmail:      &modmail.Store{Base: base},
		notes:        &reputation.Notes{Base: base},
		legalNotices: &legalnotices.Store{Base: base},
		outbox:       &outbox.Store{Base: base},
		passkeys:     &passkeys.Store{Base: base},
		pictures:     &pictures.Store{Base: base},
		posts:        &posts.Store{Base: base},
		previews:     &links.Store{Base: base},
		pushes:       &pushes.Store{Base: base},
		reports:      &reports.Store{Base: base},
		rules:        &rules.Store{Base: base, HTML: view.MessageHTML},
		saves:        &saves.Store{Base: base},
		search:       &search.Store{Base: base},
		sessions:     &sessions.Store{Base: base},
		settings:     &site.Store{Base: base},
		sitemaps:     &sitemaps.Store{DB: c.DB},
		tags:         &tags.Store{Base: base},
		wiki:         &wiki.Store{Base: base},
		timelines:    &timelines.Store{Base: base, Threshold: c.TimelineThreshold},
		onetime:      &onetime.Store{Base: base},
		accounts:     &accounts.Store{Base: base},
		credentials: &credentials.Store{Base: base, HashCost: c.HashCost, Salt: func(b []byte) { _, _ = rand.Read(b) },
			Sleep: c.Sleep, Hashes: &semaphore.Semaphore{Places: 1, Sleep: c.Sleep}},
		suspensions: &suspensions.Store{Base: base},
		invitations: &invitations.Store{Base: base},
		views:       &views.Store{Base: base, Redis: c.Redis},
		visits:      &visits.Store{Base: base},
		votes:       &votes.Store{Base: base, Hot: sets, Limits: ranking.DefaultThresholds()},
	}
	if c.MetricsNow != nil {
		s.metrics.Source.Now = c.MetricsNow
	}
	s.credentials.Sessions = s.sessions
	s.blocks = &pictureblocks.Store{Base: base, Accounts: s.accounts, Communities: s.communities}
	s.erase = &erase.Store{Base: base, Posts: s.posts}
	s.signup = &signup.Store{Base: base, Credentials: s.credentials, Sessions: s.sessions}
	s.publishing = &publishing.Store{DB: c.DB, Posts: s.posts, Comments: s.comments, Communities: s.communities, Rules: s.rules,
		Pictures: s.pictures}
	s.appeals = &appeals.Store{Base: base, Modmail: s.modmail, Moderation: s.moderation, Bans: s.bans,
		Suspensions: s.suspensions, Log: c.Log}
	return s
}
