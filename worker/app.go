// Package worker is the web application: plain Go on net/http. Code for the platform is in worker/edge. This package is the wiring.
// A package may import those below it, and none above:
//
//	edge      the platform
//	worker    app, routes, queue consumers, the job of each minute
//	subjects  account, admin, community, inbox, listing, moderation, post: their handlers; none of them imports another
//	view      what several subjects show
//	request   what all requests share
package worker

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/events/mails"
	"plaza/data/pace/semaphore"
	"plaza/data/site/metrics"
	"plaza/data/wire/upstash"
	"plaza/protocol/mail"
	"plaza/protocol/webauthn"
	"plaza/protocol/webpush"
	"plaza/worker/account"
	"plaza/worker/admin"
	"plaza/worker/community"
	"plaza/worker/inbox"
	"plaza/worker/links"
	"plaza/worker/listing"
	"plaza/worker/moderation"
	"plaza/worker/oidc"
	"plaza/worker/pictures"
	"plaza/worker/post"
	"plaza/worker/queue"
	"plaza/worker/request"
	"plaza/worker/view"
)

// Config is everything an App depends on.
type Config struct {
	DB         *data.DB
	Redis      *upstash.Client // nil for a site without Redis (docs/operations/without-redis.md)
	Queue      queue.Queue
	Background request.Background
	Source     data.Source
	Secret     []byte // signs session cookies; at least 32 bytes
	SiteURL    string // scheme and host of the public address
	SiteName   string
	// VotesByMinute makes the job of each minute count votes and comments. No message is sent for them.
	VotesByMinute bool
	// RetryAgain is how long after its start the job of a minute retries once more what waited for a database; 0 for never.
	RetryAgain time.Duration
	// Sleep waits within the request of the context. nil uses a timer; in Wasm, where a timer would fire in another request's event,
	// nil means that requests don't wait.
	Sleep func(context.Context, time.Duration) error
	// LimitFactor multiplies every rate limit; 1 in production.
	LimitFactor int
	// HashCost is the cost of hashing a password; zero, as in production, is credentials.SafeHashCost.
	HashCost credentials.HashCost
	// TimelineThreshold is the fan-out threshold, a number of followers; 0 is timelines.DefaultThreshold.
	TimelineThreshold int64
	// HealthToken is the token with which /healthz shows more than ok; "" for no token.
	HealthToken string
	// SecurityContact is where vulnerabilities are reported: a mail address, or the address of a page; "" names none.
	SecurityContact string
	// PurgeZone is the zone at Cloudflare whose cache an erasure purges, with the API token PurgeToken; "" purges none.
	PurgeZone, PurgeToken string
	// Mail sends mails; nil for a site that sends none.
	Mail *mail.Sender
	// PushKeys identify the site to push services; nil for a site without push notifications.
	PushKeys *webpush.Keys
	// Providers are the sites with whose accounts people may log in here. With SSOOnly there is no other way to log in.
	Providers []*oidc.Provider
	SSOOnly   bool
	// Web sends requests to other people's servers.
	Web links.Web
	// Resolver is a DNS resolver over HTTPS that responds in JSON. With "" the site relies on Web to reach only public addresses.
	Resolver string
	// Pictures stores the pictures that members upload; nil for a site without uploads.
	Pictures pictures.Bucket
	// MetricsNow is the clock of the metrics; nil for the system's. It is not the clock of Source, because tests set that one forward, and
	// a period of five minutes would end in the middle of what they measure.
	MetricsNow func() time.Time
	// Analytics also gets the metrics; nil without an Analytics Engine.
	Analytics metrics.Analytics
	Log       *slog.Logger
}

// App is the whole site behind one http.Handler, one queue consumer and one scheduled job.
type App struct {
	Config
	stores      *stores
	mailWriters map[mails.Kind]mailWriter
	server      *request.Server
	view        *view.Views

	account    *account.Handlers
	admin      *admin.Handlers
	community  *community.Handlers
	inbox      *inbox.Handlers
	listing    *listing.Handlers
	moderation *moderation.Handlers
	post       *post.Handlers
}

// New makes an App.
func New(c Config) (*App, error) {
	a := Prepare()
	if err := a.Open(c); err != nil {
		return nil, err
	}
	return a, nil
}

// Prepare makes an App that has its routes, but nothing of its Config. At the edge this runs during the build (package edge).
func Prepare() *App {
	a := &App{server: &request.Server{}, view: &view.Views{}, account: &account.Handlers{}, admin: &admin.Handlers{},
		community: &community.Handlers{}, inbox: &inbox.Handlers{}, listing: &listing.Handlers{}, moderation: &moderation.Handlers{},
		post: &post.Handlers{}}
	a.server.Route(a.routes())
	return a
}

// Open gives an App what it depends on. It then serves requests.
func (a *App) Open(c Config) error {
	if len(c.Secret) < 32 {
		return errors.New("SESSION_SECRET needs at least 32 bytes")
	}
	own, err := url.Parse(c.SiteURL)
	if err != nil || own.Scheme == "" || own.Host == "" {
		return errors.New("SITE_URL is not an address like https://example.org")
	}
	c.SiteURL = strings.TrimSuffix(c.SiteURL, "/")
	if c.SiteName == "" {
		c.SiteName = "Plaza"
	}
	if c.LimitFactor < 1 {
		c.LimitFactor = 1
	}
	if c.Pictures == nil {
		c.Pictures = pictures.None{}
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	site, err := webauthn.SiteOf(c.SiteURL)
	if err != nil {
		return err
	}
	for _, p := range c.Providers {
		p.Connect(c.Web, c.Source.Now, c.SiteURL+"/auth/"+p.Name+"/callback")
	}
	s := newStores(c)
	c.Background = counted(c.Background, s.metrics)
	web := &links.Client{Web: c.Web, Resolver: c.Resolver, SiteURL: c.SiteURL, OwnHost: strings.ToLower(own.Hostname()), Now: c.Source.Now}
	a.Config, a.stores = c, s
	forms := map[string]request.Form{}
	for _, list := range []map[string]request.Form{a.post.Forms(), a.community.Forms(), a.admin.Forms()} {
		maps.Copy(forms, list)
	}
	a.server.Serve(request.Dependencies{
		DB: c.DB, Redis: c.Redis, Queue: c.Queue, Background: c.Background, Source: c.Source, Key: c.Secret, SiteURL: c.SiteURL,
		DeployedName: c.SiteName, LimitFactor: c.LimitFactor, Mail: c.Mail, Providers: c.Providers,
		SSOOnly: c.SSOOnly, Log: c.Log,
		Settings: s.settings, Accounts: s.accounts, Sessions: s.sessions, Communities: s.communities, Comments: s.comments, Mails: s.mails,
		Timelines: s.timelines, Calls: s.calls, Metrics: s.metrics, FormsByName: forms, LogInForm: a.account.LogInPage,
	}, c.Sleep)
	*a.view = view.Views{Server: a.server, Inbox: s.inbox, Listings: s.listings, Pushes: s.pushes, Visits: s.visits, ViewCounts: s.views,
		Pictures: links.NewPictures(web, c.Sleep), Bucket: c.Pictures, Uploads: s.pictures, PushKeys: c.PushKeys}
	*a.account = account.Handlers{Views: a.view, Credentials: s.credentials, Deletion: s.deletion, Exports: s.exports, TwoFactor: s.twofactor,
		Identities: s.identities,
		Passkeys:   s.passkeys, Invitations: s.invitations, Signup: s.signup, Site: site}
	*a.admin = admin.Handlers{Views: a.view, Blocks: s.blocks, DeadLetters: s.deadLetters, Invitations: s.invitations, Signup: s.signup,
		Suspensions: s.suspensions,
		HealthToken: c.HealthToken, SecurityContact: c.SecurityContact}
	*a.community = community.Handlers{Views: a.view, Flairs: s.flairs, Posts: s.posts, Tags: s.tags, Wiki: s.wiki}
	*a.inbox = inbox.Handlers{Views: a.view, Credentials: s.credentials, Moderation: s.moderation, Posts: s.posts, Web: web,
		Resolver: c.Resolver}
	*a.listing = listing.Handlers{Views: a.view, Hot: s.hot, Saves: s.saves, Search: s.search, Searches: &semaphore.Semaphore{Places: 1,
		Sleep: c.Sleep},
		Sitemaps: s.sitemaps, Tags: s.tags, Wiki: s.wiki, Editions: s.editions}
	*a.moderation = moderation.Handlers{Views: a.view, Appeals: s.appeals, Bans: s.bans, Blocks: s.blocks, Erasing: s.erase, Flairs: s.flairs,
		Moderation: s.moderation,
		Modmail:    s.modmail, Notes: s.notes, LegalNotices: s.legalNotices,
		Posts: s.posts, Purge: links.Purge{Web: c.Web, Zone: c.PurgeZone, Token: c.PurgeToken}, Reports: s.reports, Rules: s.rules,
		Votes: s.votes}
	*a.post = post.Handlers{Views: a.view, Bans: s.bans, Flairs: s.flairs, LinkFetcher: &links.Previews{Client: web, Store: s.previews,
		Log: c.Log},
		Posts:    s.posts,
		Previews: s.previews, Publishing: s.publishing, Saves: s.saves, Votes: s.votes}

	a.mailWriters = a.newMailWriters()
	c.DB.Send, c.DB.ListingsChanged = queue.Publisher(c.Queue, c.Log), s.listings.Forget
	c.DB.VotesByMinute = c.VotesByMinute
	return nil
}

// ServeHTTP serves one request.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.server.ServeHTTP(w, r) }

// SenderOf is request.Server.SenderOf.
func (a *App) SenderOf(cookies, authorization string) string {
	return a.server.SenderOf(cookies, authorization)
}
