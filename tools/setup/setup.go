// Package setup deploys a site, from accounts at Cloudflare, Turso and Upstash to a page that answers (docs/deploy.md). It is native
// code.
//
// The idea: it is a list of steps without state. Each step checks in the service, the database or wrangler.toml whether it is done, and
// does only what is missing. So the same command continues after any interruption.
//
// It makes the administrator and the first community before it deploys, so a stranger can't sign up first. Begin with Run. The APIs are
// in services. docs/inside/tools.md says how secrets are handled.
package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/wire/hrana"
	"plaza/tools/setup/services"
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

	// Ask asks the operator, without showing the answer if it is a secret. nil if the run is not interactive.
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
	Gateway     bool              // the site has one, which is deployed after it
	Environment []string          // more variables of the build's environment
	Secrets     map[string]string // secrets that this deployment sets. Others stay
}

// run is one run.
type run struct {
	Options
	secrets    *secrets
	config     *config
	changed    []string // variables that differ from those in the file
	script     string
	host       string            // of the site
	deployed   map[string]string // the script's variables when the run began; empty before the first deployment
	cloudflare *services.Cloudflare
	turso      *services.Turso
	upstash    *services.Upstash

	redis    *services.Redis
	database *services.Database // nil in a dry run that would make it
	url      string             // of the database
	clients  []*hrana.Client    // of the database and the shards, once there is a token
	db       *data.DB
	admin    data.Actor
	kept     map[string]string // keptFile
	along    map[string]string // secrets that the deployment sets, "" in a dry run
}

// result is what a step has done.
type result struct{ how, said string }

func done(format string, args ...any) (result, error) {
	return result{"done", fmt.Sprintf(format, args...)}, nil
}

// already is for a step that has nothing to do.
func already(format string, args ...any) (result, error) {
	return result{"already there", fmt.Sprintf(format, args...)}, nil
}

// skipStep is for a step that does not concern this site.
func skipStep(format string, args ...any) (result, error) {
	return result{"left out", fmt.Sprintf(format, args...)}, nil
}

// Run does what is missing. An error has its step, the service's message, and how to continue. It refuses to begin while another run
// works in the folder, except for a dry run, which changes nothing.
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
	for _, s := range []struct {
		name  string
		do    func(context.Context) (result, error)
		would string // what a dry run says without looking
	}{
		{"accounts", r.accounts, ""}, {"queues", r.queues, ""}, {"bucket", r.bucket, ""}, {"database", r.findDatabase, ""},
		{"redis", r.findRedis, ""}, {"wrangler.toml", r.variables, ""}, {"secrets", r.setSecrets, ""},
		{"tables", r.tables, "take the steps of the schema that are missing"},
		{"administrator", r.administrator, "make the first administrator, if there is none"},
		{"community", r.community, "make the first community, if there is none"},
		{"deploy", r.deploy, ""}, {"address", r.address, ""}, {"mail", r.mail, ""}, {"doctor", r.doctor, "run plaza doctor"},
	} {
		begun := time.Now()
		if ctx.Err() != nil {
			return r.failed(s.name, ctx.Err())
		}
		res, err := result{"done", s.would}, error(nil)
		if !r.DryRun || s.would == "" {
			res, err = s.do(ctx)
		}
		if err != nil {
			return r.failed(s.name, err)
		}
		how := res.how + ":"
		if r.DryRun && res.how == "done" {
			how = "would"
		}
		fmt.Fprintf(r.Out, "%-14s %s %s (%.1f s)\n", s.name, how, res.said, time.Since(begun).Seconds())
	}
	return nil
}

// Error is why a run has ended at a step.
type Error struct {
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
	return &Error{r.secrets.hide(text), err}
}

// errMissing is for a missing input when the run is not interactive.
var errMissing = errors.New("it is needed")

// input is a value that a run may have to ask for.
type input struct {
	value         *string
	question, how string // how names the flag or variable that gives it
	fallback      string
	secret        bool
}

// ask fills in the values that are missing.
func (r *run) ask(ctx context.Context, inputs ...input) error {
	for _, in := range inputs {
		if *in.value != "" {
			continue
		}
		response := ""
		if r.Ask != nil {
			var err error
			if response, err = r.Ask(ctx, in.question, in.fallback, in.secret); err != nil {
				return err
			}
		}
		if response = cmp.Or(response, in.fallback); response == "" {
			return fmt.Errorf("%s: %w. Give %s", in.question, errMissing, in.how)
		}
		if in.secret {
			r.secrets.add(response)
		}
		*in.value = response
	}
	return nil
}

// lockFile is the name of a file beside wrangler.toml. While a run has it locked, no other one begins: each would draw secrets of its own
// and replace what the other writes.
const lockFile = ".plaza-setup.lock"

// lock locks the folder until unlock is called. The system ends the lock of a process that is killed, so the file that it leaves does no
// harm. The file has the number of the process, for the message to the next one.
func lock(folder string) (unlock func(), err error) {
	path := filepath.Join(folder, lockFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		_, err = fmt.Fprintf(f, "%-20d\n", os.Getpid()) // as long as the one before
	} else if errors.Is(err, syscall.EWOULDBLOCK) {
		process, _ := os.ReadFile(path) // empty in the moment in which the other one begins
		err = fmt.Errorf("another plaza setup works in this folder (process %s). Run this again when it has ended",
			strings.TrimSpace(string(process)))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Join(err, f.Close()))
	}
	return func() { f.Close() }, nil
}

// secrets are the texts that no output may have.
type secrets struct {
	mu   sync.Mutex
	list []string
}

// add names a secret. Short texts are left alone: they are no secrets, and would tear words apart.
func (s *secrets) add(text string) {
	if len(text) < 8 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, text, "***")
}

func (s *secrets) hide(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.NewReplacer(s.list...).Replace(text)
}

// masked is a writer that never writes one of the secrets: each is replaced by asterisks. It works line by line, because a child process
// may write a secret in two pieces. No two may write at the same time.
type masked struct {
	to      io.Writer
	secrets *secrets
	rest    string
}

func (m *masked) Write(b []byte) (int, error) {
	text := m.rest + string(b)
	end := strings.LastIndexByte(text, '\n') + 1
	m.rest = text[end:]
	_, err := io.WriteString(m.to, m.secrets.hide(text[:end]))
	return len(b), err
}

// flush writes what has no end of line yet.
func (m *masked) flush() {
	_, _ = io.WriteString(m.to, m.secrets.hide(m.rest))
	m.rest = ""
}
