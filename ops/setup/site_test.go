package setup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/ops/doctor"
	"plaza/protocol/mail"
	"plaza/stack"
	"plaza/test/servicestest"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

const siteURL = "https://plaza.example.org"

// stage is a folder with a wrangler.toml, three empty accounts, and the site that a deployment results in, in this process, on the
// database that setup has made. Cron and queues run every few milliseconds, and its mails go to a mailbox. The edge cache in front of it
// is imitated: the second response at an address is a hit.
type stage struct {
	*testing.T
	providers *providers
	folder    string
	redis     *upstash.Client
	mailbox   *stack.Mailbox
	deploys   int
	gateway   bool // the last deployment was with the gateway
	broken    bool // the gateway can't be deployed
	noCron    bool

	mu      sync.Mutex
	site    *workertest.Site
	visited map[string]bool
}

// providers are the accounts at all services that setup uses.
type providers struct {
	*servicestest.Services
	t          *testing.T
	Cloudflare *cloudflare
	Upstash    *upstashAccount
}

func openProviders(t *testing.T) *providers {
	w := &providers{Services: servicestest.NewServices(t), t: t}
	w.Cloudflare, w.Upstash = openCloudflare(w), openUpstash(w)
	return w
}

// secrets are all that the services have made or received.
func (w *providers) secrets() []string {
	all := w.Tokens()
	w.Lock()
	defer w.Unlock()
	for _, script := range w.Cloudflare.Scripts {
		for _, values := range script.Secrets {
			all = append(all, values...)
		}
	}
	return all
}

// wranglerFile is the part of wrangler.toml that the tests read, by a complete TOML parser.
type wranglerFile struct {
	Name       string            `toml:"name"`
	WorkersDev bool              `toml:"workers_dev"`
	Vars       map[string]string `toml:"vars"`

	Queues struct {
		Consumers []struct {
			Queue string `toml:"queue"`
		} `toml:"consumers"`
	} `toml:"queues"`
	Triggers struct {
		Crons []string `toml:"crons"`
	} `toml:"triggers"`
}

func newStage(t *testing.T, redis *upstash.Client) *stage {
	t.Helper()
	s := &stage{T: t, folder: t.TempDir(), redis: redis, visited: map[string]bool{}}
	s.providers = openProviders(t)
	text, err := os.ReadFile("testdata/wrangler.toml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(s.folder, "wrangler.toml"), text, 0o644))
	s.mailbox, err = stack.StartMailbox("mail-token-of-the-provider")
	require.NoError(t, err)
	t.Cleanup(func() { s.mailbox.Close() })
	s.variable("MAIL_URL", s.mailbox.URL+"/emails")
	return s
}

// variable changes a variable of wrangler.toml.
func (s *stage) variable(name, value string) {
	s.Helper()
	file, err := readConfig(filepath.Join(s.folder, "wrangler.toml"))
	require.NoError(s, err)
	require.NoError(s, file.setVariable(name, value))
	require.NoError(s, file.write())
}

func (s *stage) wrangler() (f wranglerFile) {
	s.Helper()
	_, err := toml.DecodeFile(filepath.Join(s.folder, "wrangler.toml"), &f)
	require.NoError(s, err)
	return f
}

// options is a whole command line.
func (s *stage) options() Options {
	w := s.providers
	return Options{
		Folder: s.folder, SiteURL: siteURL, SiteName: `The "Plaza"`, Location: "aws-eu-west-1", RedisRegion: "eu-west-1",
		Admin: "Georg", Email: "georg@example.org", AdminPassword: "correct horse battery", Community: "town", CommunityTitle: "The town",
		MailProvider: "resend", MailFrom: "Plaza <plaza@example.org>", MailToken: "mail-token-of-the-provider",
		CloudflareToken: w.Cloudflare.Token, TursoToken: w.Turso.Token, UpstashEmail: w.Upstash.Email, UpstashKey: w.Upstash.Key,
		CloudflareURL: w.Cloudflare.URL, TursoURL: w.Turso.URL, UpstashURL: w.Upstash.URL,
		DatabaseURL: func(host string) string { return "http://" + host },
		HashCost:    credentials.HashCost{Memory: 64, Passes: 1},
		Deploy:      s.deploy,
		Doctor: func(ctx context.Context, url, token string, out io.Writer) int {
			return doctor.Run(ctx, doctor.Options{URL: url, HealthToken: token, HTTP: s.client(), Out: out, Pause: 10 * time.Millisecond})
		},
		HTTP: s.client(), MailAskedEvery: 10 * time.Millisecond, DatabaseWait: 2 * time.Second,
	}
}

// setup is one run. Its output has none of the secrets.
func (s *stage) setup(ctx context.Context, o Options) (out string, err error) {
	s.Helper()
	var b bytes.Buffer
	o.Out, o.Log = &b, &b
	err = Run(ctx, o)
	if err != nil {
		b.WriteString(err.Error())
	}
	for _, secret := range append(s.providers.secrets(), o.AdminPassword, o.MailToken) {
		if secret != "" {
			require.NotContains(s, b.String(), secret)
		}
	}
	return b.String(), err
}

// deploy has the effects of ./build.sh deploy.
func (s *stage) deploy(_ context.Context, d Deployment, log io.Writer) error {
	s.deploys++
	s.gateway = d.Gateway
	_, _ = io.WriteString(log, "deploying with "+strings.Join(d.Environment, " ")+" to")
	_, _ = io.WriteString(log, " the account\n")
	file := s.wrangler()
	var queues []string
	for _, c := range file.Queues.Consumers {
		queues = append(queues, c.Queue)
	}
	s.providers.Cloudflare.Deploy(file.Name, file.Vars, d.Secrets, file.Triggers.Crons, queues, file.WorkersDev)
	s.open()
	if d.Gateway && s.broken {
		return errors.New("exit status 1")
	}
	if d.Gateway {
		s.gatewayDeployed()
	}
	return nil
}

// gatewayDeployed is build.sh's record of the gateway.
func (s *stage) gatewayDeployed() {
	text, err := os.ReadFile(filepath.Join(s.folder, "wrangler.toml"))
	require.NoError(s, err)
	s.providers.Cloudflare.Deploy("plaza-gateway", map[string]string{gatewayVariable: gatewaySum(text)}, nil, nil, nil, false)
}

// open starts the site with the variables and secrets that Cloudflare has.
func (s *stage) open() {
	s.Helper()
	vars, value := s.wrangler().Vars, func(name string) string { return s.providers.Cloudflare.Value("plaza", name) }
	redis := s.redis
	if vars["UPSTASH_REDIS_REST_URL"] == "" {
		redis = nil
	}
	site := workertest.OpenOn(s.T, hrana.New(hrana.Options{URL: vars["LIBSQL_URL"], Token: value("LIBSQL_AUTH_TOKEN"),
		ReadTime: stacktest.ReadTime}), redis, 100)
	site.LosesMessages = true // setup enqueues work without messages: the cron finds it
	site.Now = time.Now().Add(2 * time.Minute)
	c := site.Config
	c.SiteURL, c.SiteName, c.Secret, c.HealthToken = vars["SITE_URL"], vars["SITE_NAME"], []byte(value("SESSION_SECRET")), value("HEALTH_TOKEN")
	if vars["MAIL_PROVIDER"] != "" {
		sender, err := mail.NewSender(mail.Options{Provider: vars["MAIL_PROVIDER"], From: vars["MAIL_FROM"], Token: value("MAIL_TOKEN"),
			URL: vars["MAIL_URL"], HTTP: http.DefaultClient})
		require.NoError(s, err)
		c.Mail = sender
	}
	site.Restart(c)
	s.mu.Lock()
	s.site = site
	s.mu.Unlock()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	s.Cleanup(func() { stop(); <-ended })
	go func() {
		defer close(ended)
		for at := time.Date(2026, 11, 26, 12, 1, 0, 0, time.UTC); !s.noCron && pause(ctx, 20*time.Millisecond); {
			_ = site.App.Scheduled(ctx, at)
			for _, queue := range []string{data.QueueVotes, data.QueueEvents} {
				_, _ = site.App.Consume(ctx, queue, site.Queue.Take(queue))
			}
		}
	}()
}

func pause(ctx context.Context, d time.Duration) bool { return wait(ctx, d) == nil }

// client sends requests to the site at its name, and everything else as usual.
func (s *stage) client() *http.Client { return &http.Client{Transport: s} }

func (s *stage) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Host, ".upstash.io") {
		return s.providers.Upstash.RoundTrip(r)
	}
	if u, _ := url.Parse(siteURL); r.URL.Host != u.Host {
		return http.DefaultTransport.RoundTrip(r)
	}
	s.mu.Lock()
	site, hit := s.site, s.visited[r.URL.Path]
	if r.Header.Get("Authorization") == "" && r.Method == http.MethodGet {
		s.visited[r.URL.Path] = true
	}
	s.mu.Unlock()
	if site == nil || s.providers.Cloudflare.Domains["plaza.example.org"] == "" {
		return nil, errors.New("no such host")
	}
	w := httptest.NewRecorder()
	if strings.HasPrefix(r.URL.Path, "/_/") {
		return w.Result(), nil // a static file, which Cloudflare has
	}
	r = r.Clone(r.Context())
	r.RemoteAddr = "192.0.2.1:1234"
	if r.Body == nil {
		r.Body = http.NoBody
	}
	site.App.ServeHTTP(w, r)
	res := w.Result()
	res.Header.Set("X-Cache", map[bool]string{true: "HIT", false: "MISS"}[hit])
	return res, nil
}
