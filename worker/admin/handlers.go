// Package admin has the handlers for administrators and for the site's own pages: settings, members, dead letters, the state of databases,
// pages such as the rules, and the addresses below /.well-known. No API token can call the administrators' routes.
package admin

import (
	"sync"
	"time"

	"plaza/data/accounts/invitations"
	"plaza/data/accounts/signup"
	"plaza/data/accounts/suspensions"
	"plaza/data/events/deadletters"
	"plaza/data/moderation/pictureblocks"
	"plaza/data/site/health"
	"plaza/worker/view"
)

// Handlers has the handlers of this package.
type Handlers struct {
	*view.Views
	Blocks      *pictureblocks.Store // of pictures
	DeadLetters *deadletters.Store
	Invitations *invitations.Store
	Signup      *signup.Store
	Suspensions *suspensions.Store
	// HealthToken is the token with which /healthz says more than ok; "" for no token.
	HealthToken string
	// SecurityContact is where vulnerabilities are reported: a mail address, or the address of a page; "" for none.
	SecurityContact string

	mu      sync.Mutex        // never held across I/O
	tried   time.Time         // when /healthz last tried to write
	states  []health.Database // the result of that try
	watched bool              // WatchSchema has run
}
