// Package setup deploys a site, with accounts at Cloudflare, Turso and Upstash (docs/deploy.md). It is native code.
//
// The idea: it is a list of steps without state. Each step checks in the service, the database or wrangler.toml what is done already, and
// does only the rest. So the same command continues after any interruption.
//
// It creates the administrator and the first community before it deploys, so a stranger can't sign up first. Begin with Run. The APIs are
// in services. docs/inside/ops.md says how secrets are handled.
package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/wire/hrana"
	"plaza/ops/setup/services"
)

// Options are the inputs of a run. It asks for missing ones without a default.
type Options struct {
	Folder string // with wrangler.toml and build.sh

	SiteURL, SiteName           string
	Account                     string // at Cloudflare: id or name
	Organization, Group         string // at Turso
	Location                    string // of a group that is made
	Database, Redis             string // their names there
	RedisRegion                 string
	Admin, Email                string // the first administrator
	Community, CommunityTitle   string // the first one
	MailProvider, MailFrom      string
	CloudflareToken, TursoToken string
	UpstashEmail, UpstashKey    string
	AdminPassword, MailToken    string
	HealthToken, PicturesToken  string

	NoRedis bool // the site has no Redis
	DryRun  bool
	Out     io.Writer // a line for each step
	Log     io.Writer // the output of the deployment

	// Ask asks the operator, and does not show what is typed if secret is set. nil if the run is not interactive.
	Ask func(ctx context.Context, question, fallback string, secret bool) (string, error)
	// Deploy builds and deploys the site.
	Deploy func(ctx context.Context, d Deployment, log io.Writer) error
	// Doctor checks the site, and prints its findings. It returns the number of problems.
	Doctor func(ctx context.Context, siteURL, healthToken string, out io.Writer) int

	HTTP                                   *http.Client
	CloudflareURL, TursoURL, UpstashURL    string // "" for the default
	DatabaseURL                            func(hostname string) string
	HashCost                               credentials.HashCost
	DatabaseWait, MailWait, MailAskedEvery time.Duration // 0 for the default
}

// Deployment is what a run deploys.
type Deployment struct {
	Gateway     bool              // deploy the gateway, too, after the site
	Environment []string          // more variables of the build's environment
	Secrets     map[string]string // secrets that this deployment sets; others stay
}

// run is the state of a run.
type run struct {
	Options
	secrets    *secrets
	config     *config
	changed    []string // variables that differ from those in the file
	script     string
	deployed   map[string]string // the script's variables when the run began; empty before the first deployment
	cloudflare *services.Cloudflare
	turso      *services.Turso
	upstash    *services.Upstash

	redis    *services.Redis
	database *services.Database // nil in a dry run that would create it
	url      string             // of the database
	clients  []*hrana.Client    // of the database and the shards; nil before open
	token    string             // for these clients; expires after an hour
	db       *data.DB
	admin    data.Actor
	kept     map[string]string // content of keptFile
	pending  map[string]string // secrets that the deployment sets; with values "" in a dry run
}

// result is what a step has done.
type result struct {
	summary string
	already bool // there was nothing to do
	skipped bool // the step was skipped, because it does not concern this site
}

func done(format string, args ...any) (result, error) {
	return result{summary: fmt.Sprintf(format, args...)}, nil
}
func already(format string, args ...any) (result, error) {
	return result{summary: fmt.Sprintf(format, args...), already: true}, nil
}
func skipStep(format string, args ...any) (result, error) {
	return result{summary: fmt.Sprintf(format, args...), skipped: true}, nil
}

type step struct {
	name string
	do   func(context.Context) (result, error)
}

func (r *run) steps() []step {
	return []step{
		{"accounts", r.accounts}, {"queues", r.queues}, {"bucket", r.bucket}, {"database", r.findDatabase}, {"redis", r.findRedis},
		{"wrangler.toml", r.variables}, {"secrets", r.setSecrets}, {"tables", r.tables}, {"administrator", r.administrator},
		{"community", r.community}, {"deploy", r.deploy}, {"address", r.address}, {"mail", r.mail}, {"doctor", r.doctor},
	}
}

// Run runs the steps. An error has its step, the service's message, and how to continue. While another run works in the folder, it only
// accepts dry runs, which change nothing.
func Run(ctx context.Context, o Options) error {
	if !o.DryRun {
		unlock, err := lock(o.Folder)
		if err != nil {
			return err
		}
		defer unlock()
	}
	r := &run{Options: o, secrets: &secrets{}}
	for _, secret := range []string{o.CloudflareToken, o.TursoToken, o.UpstashKey, o.AdminPassword, o.MailToken, o.HealthToken,
		o.PicturesToken} {
		r.secrets.add(secret)
	}
	out, log := &masked{to: o.Out, secrets: r.secrets}, &masked{to: cmp.Or[io.Writer](o.Log, io.Discard), secrets: r.secrets}
	r.Out, r.Log = out, log
	defer log.flush()
	defer out.flush()
	if r.HTTP == nil {
		r.HTTP = &http.Client{Timeout: time.Minute}
	}
	if r.DatabaseURL == nil {
		r.DatabaseURL = func(hostname string) string { return "libsql://" + hostname }
	}
	for _, s := range r.steps() {
		begun := time.Now()
		if ctx.Err() != nil {
			return r.failed(s.name, ctx.Err())
		}
		res, err := s.do(ctx)
		if err != nil {
			return r.failed(s.name, err)
		}
		prefix := "done: "
		switch {
		case res.already:
			prefix = "already there: "
		case res.skipped:
			prefix = "left out: "
		case r.DryRun:
			prefix = "would "
		}
		fmt.Fprintf(r.Out, "%-14s %s (%.1f s)\n", s.name, prefix+res.summary, time.Since(begun).Seconds())
	}
	return nil
}

// Error is the error of a step, which ends the run.
type Error struct {
	Step string
	text string
	err  error
}

func (e *Error) Error() string { return e.text }
func (e *Error) Unwrap() error { return e.err }

func (r *run) failed(step string, err error) error {
	text := fmt.Sprintf("step %s: %v", step, err)
	if advice := adviceFor(err); advice != "" {
		text += "\n" + advice
	}
	if !errors.Is(err, errMissing) {
		text += "\nThe same command goes on from this step."
	}
	return &Error{Step: step, text: r.secrets.hide(text), err: err}
}

// errMissing is the error for a missing input if the run is not interactive.
var errMissing = errors.New("it is needed")

// ask asks for a missing value. how names the flag or variable for it.
func (r *run) ask(ctx context.Context, value *string, question, fallback, how string, secret bool) error {
	if *value != "" {
		return nil
	}
	if r.Ask == nil {
		if fallback != "" {
			*value = fallback
			return nil
		}
		return fmt.Errorf("%s: %w. Give %s", question, errMissing, how)
	}
	response, err := r.Ask(ctx, question, fallback, secret)
	if err != nil {
		return err
	}
	if response = cmp.Or(response, fallback); response == "" {
		return fmt.Errorf("%s: %w. Give %s", question, errMissing, how)
	}
	if secret {
		r.secrets.add(response)
	}
	*value = response
	return nil
}
