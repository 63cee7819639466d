package request

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/sessions"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/events/mails"
	"plaza/data/lists/timelines"
	"plaza/data/site"
	"plaza/data/site/metrics"
	"plaza/data/site/ratelimit"
	"plaza/data/wire/upstash"
	"plaza/protocol/mail"
	"plaza/render/ui"
	"plaza/worker/oidc"
	"plaza/worker/queue"
	"plaza/worker/request/limit"
	"plaza/worker/request/session"
)

// Server is what all requests share. Route and then Serve make it ready. It keeps no state of requests, and serves any number at once.
type Server struct {
	Dependencies

	mux      *http.ServeMux
	inFormat map[*Format]*http.ServeMux // pages in each format
	wanted   map[string]*Route          // by pattern: actions that are carried out after logging in (resume_form.go)
	origin   *http.CrossOriginProtection
	counter  *limit.Counter
	budget   *limit.Budget
	fuzzKey  []byte // a separate key: fuzzed counts must reveal nothing about the one that signs sessions

	mu         sync.Mutex                 // never held across I/O
	known      map[string]session.Session // by session cookies whose signature was checked and is valid
	seen       map[data.ID]time.Time      // when a member's visit was last recorded
	usedTokens map[data.ID]time.Time      // the last day of use that was recorded for a token (token.go)
}

// Dependencies are what a Server works with. They never change while it serves.
type Dependencies struct {
	DB         *data.DB
	Redis      *upstash.Client // nil for a site without Redis
	Queue      queue.Queue
	Background Background
	Source     data.Source
	Key        session.Key
	// SiteURL has the scheme and host of the public address, without a slash at the end.
	SiteURL string
	// DeployedName is the name of the site until administrators name it.
	DeployedName string
	// LimitFactor multiplies every rate limit; 1 in production.
	LimitFactor int
	// Mail sends mails; nil for a site that sends none.
	Mail *mail.Sender
	// Providers are the sites with whose accounts people may log in here. With SSOOnly there is no other way to log in.
	Providers []*oidc.Provider
	SSOOnly   bool
	Log       *slog.Logger

	Settings    *site.Store
	Accounts    *accounts.Store
	Sessions    *sessions.Store
	Communities *communities.Store
	Comments    *comments.Store
	Mails       *mails.Store
	Timelines   *timelines.Store
	Calls       *ratelimit.Store
	Metrics     *metrics.Store

	// FormsByName are the forms that are shown again with what was typed, by the names that pages have for them.
	FormsByName map[string]Form
	// LogInForm shows the page at which people log in.
	LogInForm func(*Call, int, ui.Form) error
}

// Route sets the server's routes. It needs no Dependencies yet.
func (s *Server) Route(routes Table) {
	s.mux, s.inFormat, s.origin = http.NewServeMux(), map[*Format]*http.ServeMux{}, http.NewCrossOriginProtection()
	noRoute := new(Table).Page("/", s.notFound, Public, Reads, CacheNever).ForVisitors(Always) // whatever the table does not name
	for _, f := range formatList {
		s.inFormat[f] = http.NewServeMux()
		s.inFormat[f].Handle("/", s.handler(noRoute, f))
	}
	s.wanted = map[string]*Route{}
	for _, rt := range routes {
		if rt.afterSignIn {
			s.wanted[rt.Pattern] = rt
		}
		s.mux.Handle(rt.Method+" "+rt.Path(), s.handler(rt, nil))
		for _, f := range rt.formats() {
			s.inFormat[f].Handle(rt.Method+" "+rt.Path(), s.handler(rt, f))
		}
	}
	s.mux.Handle("/", s.handler(noRoute, nil))
}

// Serve makes the server ready for requests.
func (s *Server) Serve(with Dependencies, sleep func(context.Context, time.Duration) error) {
	s.Dependencies = with
	s.known, s.seen, s.usedTokens = map[string]session.Session{}, map[data.ID]time.Time{}, map[data.ID]time.Time{}
	s.counter = &limit.Counter{Redis: s.Redis, Calls: s.Calls, Factor: s.LimitFactor, Now: s.Source.Now, Sign: s.Key.Sign}
	s.budget = limit.NewBudget(s.Source.Now, s.LimitFactor, sleep)
	s.fuzzKey = s.Key.Sign("fuzz")
}

// ServeHTTP serves one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	Secure(w.Header()) // the mux has responses of its own
	s.Metrics.Recorder.AddEdge(s.Metrics.Source.Now(), r.Header.Get(countsHeader))
	if f, page := formatOf(r); f != nil {
		s.serveFormat(w, page, f)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// Background runs a task that the response does not wait for. At the edge it runs once the response has been passed on, in the same event,
// which the platform keeps alive for it (30 seconds at most); ctx passed to the task is the event's. What must not be lost belongs in
// a queue instead.
type Background func(ctx context.Context, task func(ctx context.Context))
