// Package worker is Plaza's behaviour. It is plain Go on net/http; what is peculiar to the platform lives in worker/edge.
//
// Each subject has a file of handlers, named as in package render and below data: account, community, post, comment,
// vote, and so on; a file x_view.go makes view models of stored things. What all requests share:
//
//	routes      the table of addresses, with who may use them, how long copies live and how often they may be called
//	middleware  what happens before a handler: call, session, limit, query, headers, slash
//	form        reading forms; form_token, form_page, form_preview, account_carry
//	answer      writing answers; frame, error
//	queue       messages; consume, hot, link, mail, outbox and deadletter handle them, cron is the job of each minute
package worker

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"plaza/data"
	"plaza/data/bans"
	"plaza/data/communities"
	"plaza/data/deadletters"
	"plaza/data/departures"
	"plaza/data/exports"
	"plaza/data/factors"
	"plaza/data/flair"
	"plaza/data/gate"
	"plaza/data/group"
	"plaza/data/health"
	"plaza/data/hot"
	"plaza/data/identities"
	"plaza/data/inbox"
	"plaza/data/limits"
	linkstore "plaza/data/links"
	"plaza/data/listings"
	"plaza/data/mails"
	"plaza/data/moderation"
	"plaza/data/moderation/appeals"
	"plaza/data/modmail"
	"plaza/data/outbox"
	"plaza/data/passkeys"
	"plaza/data/people"
	"plaza/data/posts"
	"plaza/data/publishing"
	"plaza/data/pushes"
	"plaza/data/reports"
	"plaza/data/rules"
	"plaza/data/saves"
	"plaza/data/search"
	"plaza/data/site"
	"plaza/data/sitemaps"
	"plaza/data/spent"
	"plaza/data/standing"
	"plaza/data/tags"
	"plaza/data/threads"
	"plaza/data/timelines"
	"plaza/data/upstash"
	"plaza/data/views"
	"plaza/data/visits"
	"plaza/data/votes"
	"plaza/mail"
	"plaza/ranking"
	"plaza/render"
	"plaza/webauthn"
	"plaza/webpush"
	"plaza/worker/links"
	"plaza/worker/oidc"
)

// Config is everything an App depends on.
type Config struct {
	DB         *data.DB
	Redis      *upstash.Client
	Queue      Queue
	Background Background
	Source     data.Source
	Secret     []byte // signs session cookies; at least 32 bytes
	SiteURL    string // scheme and host of the public address
	SiteName   string
	// VotesTogether is how many votes one transaction takes at most; 0 is data's own.
	VotesTogether int
	// Sleep waits within the request of the context. nil uses a timer; in Wasm, where there is none, it makes each
	// request work for itself alone.
	Sleep func(context.Context, time.Duration) error
	// LimitFactor multiplies every rate limit; 1 in production.
	LimitFactor int
	// HashCost is what the hash of a password costs; zero, as in production, is people.SafeHashCost.
	HashCost people.HashCost
	// TimelineThreshold is how many followers an author may have whose posts are written into timelines; 0 is
	// timelines.DefaultThreshold.
	TimelineThreshold int64
	// HealthToken is what /healthz asks for before it tells more than ok; "" never tells.
	HealthToken string
	// SecurityContact is where weaknesses are reported: a mail address, or the address of a page; "" names none.
	SecurityContact string
	// Mail sends mails; nil for a site that sends none.
	Mail *mail.Sender
	// PushKeys are the keys by which push services know the site; nil for a site that tells no devices.
	PushKeys *webpush.Keys
	// Providers are where people may log in by an account of another site. With SSOOnly there is no other way.
	Providers []*oidc.Provider
	SSOOnly   bool
	// Web sends requests to other people's servers.
	Web links.Web
	// Resolver is a DNS resolver over HTTPS that answers in JSON; "" trusts Web to reach public addresses alone.
	Resolver string
	Log      *slog.Logger
}

// App is the whole site behind one http.Handler, one queue consumer and one scheduled job. It keeps no state of
// requests and serves any number at once.
type App struct {
	Config
	users       *people.Store
	sessions    *people.Sessions
	departures  *departures.Store
	exports     *exports.Store
	communities *communities.Store
	posts       *posts.Store
	comments    *threads.Store
	publishing  *publishing.Store
	listings    *listings.Store
	saves       *saves.Store
	search      *search.Store
	searches    *gate.Gate // those that may take long
	votes       *votes.Store
	timelines   *timelines.Store
	deadLetters *deadletters.Store
	outbox      *outbox.Store
	mails       *mails.Store
	pushes      *pushes.Store
	moderation  *moderation.Store
	appeals     *appeals.Store
	flairs      *flair.Store
	tags        *tags.Store
	bans        *bans.Store
	passkeys    *passkeys.Store
	identities  *identities.Store
	factors     *factors.Store
	tokens      *spent.Store
	calls       *limits.Store
	inbox       *inbox.Store
	modmail     *modmail.Store
	reports     *reports.Store
	notes       *standing.Notes
	rules       *rules.Store
	visits      *visits.Store
	views       *views.Store
	sitemaps    *sitemaps.Store
	previews    *linkstore.Store
	web         *links.Client
	looks       *links.Previews
	pictures    *links.Pictures
	hot         *hot.Sets
	mux         *http.ServeMux
	inFormat    map[*format]*http.ServeMux // pages in each format
	origin      *http.CrossOriginProtection
	limits      *group.Group[limited]
	settings    *site.Store
	letters     map[mails.Kind]letterWriter
	logInForm   func(*call, int, render.Form) error // the page at which people log in
	forms       map[string]form                     // by the name that pages know them by
	site        webauthn.Site                       // whom passkeys are for
	fuzzKey     []byte                              // a key of its own: fuzzed counts must tell nothing about the one that signs sessions

	mu      sync.Mutex            // never held across I/O
	rebuilt map[string]time.Time  // when a hot set's rebuilding was last asked for
	known   map[string]session    // by session cookies whose signature was checked and is right
	spent   map[string]spending   // by reader (limit_budget.go)
	owed    map[string]int        // by limit and subject (limit_owed.go)
	seen    map[data.ID]time.Time // when a member's coming was last noted
	// Days on which tokens were used, of which it was noted (token.go).
	usedTokens map[data.ID]time.Time
	tried      time.Time         // when /healthz last tried to write
	unwell     []health.Database // what came of it
	watched    bool              // the steps of the databases were compared once
}

// hotCap is how many posts of a hot listing Redis keeps: forty pages.
const hotCap = 1000

// New makes an App.
func New(c Config) (*App, error) {
	if len(c.Secret) < 32 {
		return nil, errors.New("SESSION_SECRET needs at least 32 bytes")
	}
	own, err := url.Parse(c.SiteURL)
	if err != nil || own.Scheme == "" || own.Host == "" {
		return nil, errors.New("SITE_URL is not an address like https://example.org")
	}
	c.SiteURL = strings.TrimSuffix(c.SiteURL, "/")
	if c.SiteName == "" {
		c.SiteName = "Plaza"
	}
	if c.LimitFactor < 1 {
		c.LimitFactor = 1
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	hot := &hot.Sets{Redis: c.Redis, DB: c.DB, Cap: hotCap}
	a := &App{
		Config:      c,
		users:       &people.Store{DB: c.DB, Source: c.Source, HashCost: c.HashCost, Salt: func(b []byte) { _, _ = rand.Read(b) }},
		sessions:    &people.Sessions{DB: c.DB, Source: c.Source},
		departures:  &departures.Store{DB: c.DB, Source: c.Source},
		exports:     &exports.Store{DB: c.DB},
		communities: &communities.Store{DB: c.DB, Source: c.Source},
		posts:       &posts.Store{DB: c.DB, Source: c.Source},
		comments:    &threads.Store{DB: c.DB, Source: c.Source},
		listings:    &listings.Store{DB: c.DB, Hot: hot, Source: c.Source},
		saves:       &saves.Store{DB: c.DB, Source: c.Source},
		search:      &search.Store{DB: c.DB, Source: c.Source},
		votes:       &votes.Store{DB: c.DB, Hot: hot, Source: c.Source, Limits: ranking.DefaultThresholds(), Together: c.VotesTogether},
		timelines:   &timelines.Store{DB: c.DB, Source: c.Source, Threshold: c.TimelineThreshold},
		deadLetters: &deadletters.Store{DB: c.DB, Source: c.Source},
		outbox:      &outbox.Store{DB: c.DB, Source: c.Source},
		mails:       &mails.Store{DB: c.DB, Source: c.Source},
		pushes:      &pushes.Store{DB: c.DB, Source: c.Source},
		factors:     &factors.Store{DB: c.DB, Source: c.Source},
		identities:  &identities.Store{DB: c.DB, Source: c.Source},
		passkeys:    &passkeys.Store{DB: c.DB, Source: c.Source},
		tokens:      &spent.Store{DB: c.DB, Source: c.Source},
		calls:       &limits.Store{DB: c.DB, Source: c.Source},
		inbox:       &inbox.Store{DB: c.DB, Source: c.Source, Factor: c.LimitFactor},
		moderation:  &moderation.Store{DB: c.DB, Source: c.Source},
		flairs:      &flair.Store{DB: c.DB, Source: c.Source},
		tags:        &tags.Store{DB: c.DB, Source: c.Source},
		bans:        &bans.Store{DB: c.DB, Source: c.Source},
		modmail:     &modmail.Store{DB: c.DB, Source: c.Source},
		reports:     &reports.Store{DB: c.DB, Source: c.Source},
		notes:       &standing.Notes{DB: c.DB, Source: c.Source},
		settings:    &site.Store{DB: c.DB, Source: c.Source},
		rules:       &rules.Store{DB: c.DB, Source: c.Source, HTML: answerHTML},
		sitemaps:    &sitemaps.Store{DB: c.DB},
		visits:      &visits.Store{DB: c.DB, Source: c.Source},
		views:       &views.Store{DB: c.DB, Redis: c.Redis, Source: c.Source},
		previews:    &linkstore.Store{DB: c.DB, Source: c.Source},
		hot:         hot,
		mux:         http.NewServeMux(),
		inFormat:    map[*format]*http.ServeMux{},
		origin:      http.NewCrossOriginProtection(),
		rebuilt:     map[string]time.Time{},
		known:       map[string]session{},
		spent:       map[string]spending{},
		owed:        map[string]int{},
		seen:        map[data.ID]time.Time{},
		usedTokens:  map[data.ID]time.Time{},
	}
	a.limits = &group.Group[limited]{Now: c.Source.Now, Sleep: c.Sleep, Run: a.countCalls}
	a.web = &links.Client{Web: c.Web, Resolver: c.Resolver, SiteURL: c.SiteURL, OwnHost: strings.ToLower(own.Hostname()), Now: c.Source.Now}
	a.publishing = &publishing.Store{DB: c.DB, Posts: a.posts, Comments: a.comments, Communities: a.communities, Rules: a.rules}
	a.appeals = &appeals.Store{DB: c.DB, Source: c.Source, Modmail: a.modmail, Moderation: a.moderation, Bans: a.bans, Users: a.users, Log: c.Log}
	a.looks = &links.Previews{Client: a.web, Store: a.previews, Log: c.Log}
	a.pictures = links.NewPictures(a.web, c.Sleep)
	a.DB.Send, a.DB.ListingsChanged = a.send, a.listings.Forget
	a.users.Sleep = c.Sleep
	a.searches = &gate.Gate{Places: 1, Sleep: c.Sleep}
	a.users.Hashes = &gate.Gate{Places: 1, Sleep: c.Sleep}
	a.fuzzKey = a.sign("fuzz")
	a.letters, a.logInForm = a.letterWriters(), a.logInPage
	a.forms = map[string]form{}
	for _, forms := range []map[string]form{a.postForms(), a.communityForms(), a.contactForms()} {
		maps.Copy(a.forms, forms)
	}
	if a.site, err = webauthn.SiteOf(c.SiteURL); err != nil {
		return nil, err
	}
	for _, p := range c.Providers {
		p.Connect(c.Web, c.Source.Now, c.SiteURL+"/auth/"+p.Name+"/callback")
	}
	for _, f := range formatList {
		a.inFormat[f] = http.NewServeMux()
		a.inFormat[f].Handle("/", a.serve(a.noRoute(), f))
	}
	for _, rt := range a.routes() {
		a.mux.Handle(rt.Method+" "+rt.pattern(), a.serve(rt, nil))
		for _, f := range rt.formats() {
			a.inFormat[f].Handle(rt.Method+" "+rt.pattern(), a.serve(rt, f))
		}
	}
	a.mux.Handle("/", a.serve(a.noRoute(), nil))
	return a, nil
}

// ServeHTTP answers one request.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	Secure(w.Header()) // the mux has answers of its own
	if f, page := formatOf(r); f != nil {
		a.serveFormat(w, page, f)
		return
	}
	a.mux.ServeHTTP(w, r)
}
