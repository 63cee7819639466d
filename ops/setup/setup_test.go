package setup

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/ops/setup/services"
	"plaza/protocol/webpush"
	"plaza/test/stacktest"
)

// check compares the result with that of one complete run.
func (s *stage) check() {
	s.Helper()
	w := s.providers
	var queues []string
	for _, q := range w.Cloudflare.Queues {
		queues = append(queues, q.Name)
		require.Equal(s, "plaza", q.Consumer)
	}
	slices.Sort(queues)
	require.Equal(s, []string{"plaza-events", "plaza-events-dead", "plaza-votes", "plaza-votes-dead"}, queues)
	require.Equal(s, []string{"plaza-pictures"}, w.Cloudflare.Buckets)
	require.Equal(s, []string{"default"}, w.Turso.Groups)
	require.Len(s, w.Turso.Databases, 1)
	require.Len(s, w.Upstash.List, 1)
	require.Equal(s, map[string]string{"plaza.example.org": "plaza"}, w.Cloudflare.Domains)

	file := s.wrangler()
	require.False(s, file.WorkersDev, "no second name, which has no rules of the zone in front")
	require.Equal(s, siteURL, file.Vars["SITE_URL"])
	require.Equal(s, `The "Plaza"`, file.Vars["SITE_NAME"])
	require.Equal(s, "http://"+w.Turso.Databases["plaza"].Host, file.Vars["LIBSQL_URL"])
	require.Equal(s, "https://eu1-plaza.upstash.io", file.Vars["UPSTASH_REDIS_REST_URL"])
	require.Equal(s, "resend", file.Vars["MAIL_PROVIDER"])

	script := w.Cloudflare.Scripts["plaza"]
	names := []string{}
	for name, values := range script.Secrets {
		names = append(names, name)
		if name == "MAIL_TOKEN" { // each run with a new one sets it
			values = slices.Compact(slices.Clone(values))
		}
		require.Len(s, values, 1, "%s was set more than once", name)
	}
	slices.Sort(names)
	require.Equal(s, []string{"HEALTH_TOKEN", "LIBSQL_AUTH_TOKEN", "MAIL_TOKEN", "PICTURES_TOKEN", "SESSION_SECRET",
		"UPSTASH_REDIS_REST_TOKEN", "VAPID_PRIVATE_KEY"}, names)
	require.GreaterOrEqual(s, len(w.Cloudflare.Value("plaza", "SESSION_SECRET")), 43)
	_, err := webpush.ParseKeys(w.Cloudflare.Value("plaza", "VAPID_PRIVATE_KEY"))
	require.NoError(s, err)
	require.Contains(s, w.Turso.Databases["plaza"].Tokens["never"], w.Cloudflare.Value("plaza", "LIBSQL_AUTH_TOKEN"))
	require.Equal(s, w.Upstash.List[0].Token, w.Cloudflare.Value("plaza", "UPSTASH_REDIS_REST_TOKEN"))

	kept, err := os.ReadFile(filepath.Join(s.folder, keptFile))
	require.NoError(s, err)
	for _, name := range []string{"HEALTH_TOKEN", "PICTURES_TOKEN"} {
		require.Contains(s, string(kept), name+"="+w.Cloudflare.Value("plaza", name)+"\n")
	}
	info, err := os.Stat(filepath.Join(s.folder, keptFile))
	require.NoError(s, err)
	require.Equal(s, os.FileMode(0o600), info.Mode().Perm())

	require.EqualValues(s, 1, s.site.One(`SELECT count(*) FROM users`))
	require.EqualValues(s, 1, s.site.One(`SELECT admin FROM users WHERE username = 'Georg'`))
	require.EqualValues(s, 1, s.site.One(`SELECT count(*) FROM communities WHERE name = 'town' AND title = 'The town'`))
	require.EqualValues(s, 1, s.site.One(`SELECT count(*) FROM moderators WHERE role = 'owner'`))
	var subjects []string
	for _, m := range s.mailbox.Mails("georg@example.org") {
		subjects = append(subjects, m.Subject)
	}
	require.Len(s, subjects, 2)
	require.Equal(s, `A test by The "Plaza"`, subjects[0])
	require.Contains(s, subjects[1], "Confirm")
}

// everyStep are the steps in their order.
var everyStep = []string{"accounts", "queues", "bucket", "database", "redis", "wrangler.toml", "secrets", "tables", "administrator", "community",
	"deploy", "address", "mail", "doctor"}

func TestFromNothingToASite(t *testing.T) {
	s := newStage(t, stacktest.OpenRedis(t))
	before, err := os.ReadFile(filepath.Join(s.folder, "wrangler.toml"))
	require.NoError(t, err)

	out, err := s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	for _, step := range everyStep {
		require.Regexp(t, `(?m)^`+regexp.QuoteMeta(step)+` +(done|already there): .*\(\d+\.\d s\)$`, out)
	}
	for _, part := range []string{"health", "parts", "page", "cache", "cron", "mail"} {
		require.Regexp(t, `(?m)^ok  `+part, out)
	}
	require.NotRegexp(t, `(?m)^RED`, out)
	require.Contains(t, out, "deploying with CLOUDFLARE_API_TOKEN=*** CLOUDFLARE_ACCOUNT_ID="+s.providers.Cloudflare.Account+" to the account\n")
	require.Equal(t, 1, s.deploys)
	s.check()

	t.Run("wrangler.toml has the same lines in the same order, but for values", func(t *testing.T) {
		after, err := os.ReadFile(filepath.Join(s.folder, "wrangler.toml"))
		require.NoError(t, err)
		old, now := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
		require.Len(t, now, len(old))
		changed := 0
		for i := range old {
			if old[i] != now[i] {
				changed++
				bare := func(line string) string {
					return workersDevLine.ReplaceAllString(quoted.ReplaceAllString(line, ""), "$1")
				}
				require.Equal(t, bare(old[i]), bare(now[i]), "only a value changes")
			}
		}
		require.Equal(t, 7, changed)
	})

	t.Run("again it changes nothing, and needs no answer", func(t *testing.T) {
		s.providers.Writes = nil
		o := s.options()
		o.SiteURL, o.SiteName, o.Location, o.RedisRegion = "", "", "", ""
		o.Admin, o.Email, o.AdminPassword, o.Community, o.MailToken = "", "", "", "", ""
		o.MailProvider, o.MailFrom = "", ""
		out, err := s.setup(t.Context(), o)
		require.NoError(t, err, out)
		require.NotRegexp(t, `(?m)^(`+strings.Join(everyStep[:12], "|")+`) +done`, out)
		require.Equal(t, []string{"POST /v1/organizations/example/databases/plaza/auth/tokens"}, s.providers.Writes, "the run's own token")
		require.Len(t, s.providers.Turso.Databases["plaza"].Tokens["never"], 1)
		require.Equal(t, 1, s.deploys)
		s.check()
	})

	t.Run("a dry run of what is there sends no writing request", func(t *testing.T) {
		s.providers.Writes = nil
		o := s.options()
		o.DryRun, o.MailToken = true, ""
		out, err := s.setup(t.Context(), o)
		require.NoError(t, err, out)
		require.Empty(t, s.providers.Writes)
		require.Contains(t, out, "secrets        already there:")
	})

	t.Run("another address is refused", func(t *testing.T) {
		o := s.options()
		o.SiteURL = "https://other.example.org"
		_, err := s.setup(t.Context(), o)
		require.ErrorContains(t, err, "step accounts: wrangler.toml says that the site is https://plaza.example.org")
	})

	t.Run("a changed variable is deployed", func(t *testing.T) {
		o := s.options()
		o.SiteName = "Another name"
		out, err := s.setup(t.Context(), o)
		require.NoError(t, err, out)
		require.Equal(t, 2, s.deploys)
		require.Equal(t, "Another name", s.providers.Cloudflare.Scripts["plaza"].Variables["SITE_NAME"])
	})
}

func TestASiteWithoutRedis(t *testing.T) {
	s := newStage(t, stacktest.OpenRedis(t))
	without := s.options()
	without.NoRedis, without.UpstashEmail, without.UpstashKey, without.RedisRegion = true, "", "", ""
	out, err := s.setup(t.Context(), without)
	require.NoError(t, err, out)
	require.Contains(t, out, "no Redis, as it is set")
	require.Empty(t, s.providers.Upstash.List)
	require.Empty(t, s.wrangler().Vars["UPSTASH_REDIS_REST_URL"])
	require.Empty(t, s.providers.Cloudflare.Value("plaza", "UPSTASH_REDIS_REST_TOKEN"))

	without.NoRedis = false // wrangler.toml has it
	out, err = s.setup(t.Context(), without)
	require.NoError(t, err, out)
	require.Equal(t, 1, s.deploys)

	with := s.options()
	with.Redis = "plaza"
	out, err = s.setup(t.Context(), with)
	require.NoError(t, err, out)
	require.Equal(t, 2, s.deploys)
	s.check()
}

// Wherever a run is killed, the next one has the same result, and has made nothing twice.
func TestKilledAndRunAgain(t *testing.T) {
	redis := stacktest.OpenRedis(t)
	again := func(t *testing.T, s *stage) {
		t.Helper()
		s.providers.OnWrite, s.providers.OnDatabase = nil, nil
		out, err := s.setup(t.Context(), s.options())
		require.NoError(t, err, out)
		require.Equal(t, 1, s.deploys)
		s.check()
	}
	t.Run("after each step", func(t *testing.T) {
		for _, step := range everyStep[:len(everyStep)-1] {
			t.Run(step, func(t *testing.T) {
				if slices.Contains([]string{"accounts", "queues", "bucket", "database", "redis", "address"}, step) {
					stacktest.ByNight(t, "it only sends requests to services, and runs are killed within those by day")
				}
				s := newStage(t, redis)
				ctx, kill := context.WithCancel(t.Context())
				o := s.options()
				o.Out = killer{step, kill}
				require.ErrorIs(t, Run(ctx, o), context.Canceled)
				again(t, s)
			})
		}
	})
	t.Run("within each request that changes something at a service, before its answer", func(t *testing.T) {
		whole := newStage(t, redis)
		out, err := whole.setup(t.Context(), whole.options())
		require.NoError(t, err, out)
		calls, before := whole.providers.Writes, map[string]bool{}
		require.Greater(t, len(calls), 14, "there are as many requests")
		for n, call := range calls {
			t.Run(fmt.Sprintf("%02d", n+1), func(t *testing.T) { // a site of its own, which ends with it
				if before[call] {
					stacktest.ByNight(t, "a run is killed within another request of this kind by day")
				}
				before[call] = true
				s := newStage(t, redis)
				ctx, kill := context.WithCancel(t.Context())
				count := 0
				s.providers.OnWrite = func(string) bool {
					if count++; count == n+1 {
						kill()
					}
					return count != n+1
				}
				_, err := s.setup(ctx, s.options())
				require.Error(t, err, call)
				again(t, s)
			})
		}
	})
}

// Whether or not a database has run the request when the run was killed.
func TestKilledWithinTheDatabase(t *testing.T) {
	redis := stacktest.OpenRedis(t)
	n := int64(1)
	for more := true; more; n += 3 {
		t.Run(fmt.Sprintf("%02d", n), func(t *testing.T) {
			s := newStage(t, redis)
			ctx, kill := context.WithCancel(t.Context())
			var count atomic.Int64
			s.providers.OnDatabase = func() bool {
				if count.Add(1) != n {
					return true
				}
				kill()
				return false
			}
			_, err := s.setup(ctx, s.options())
			s.mu.Lock()
			more = err != nil && s.site == nil // a deployed site uses the database, too
			s.mu.Unlock()
			if !more {
				return
			}
			s.providers.OnDatabase = nil
			out, err := s.setup(t.Context(), s.options())
			require.NoError(t, err, out)
			s.check()
		})
		more = more && !t.Failed()
	}
	require.Greater(t, n, int64(12), "there are as many requests")
}

// The name of the administrator may be taken, and an earlier run may have had another password.
func TestAnAdministratorThatIsNot(t *testing.T) {
	s := newStage(t, stacktest.OpenRedis(t))
	ctx, kill := context.WithCancel(t.Context())
	o := s.options()
	o.Out = killer{"tables", kill}
	require.ErrorIs(t, Run(ctx, o), context.Canceled)
	db := hrana.New(hrana.Options{URL: s.providers.Turso.Databases["plaza"].Real})
	exec := func(sql string) {
		t.Helper()
		_, err := db.Tx(t.Context(), hrana.Stmt{SQL: sql})
		require.NoError(t, err)
	}
	exec(`INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (42, 'Georg', 'georg', '', 0)`)
	out, err := s.setup(t.Context(), s.options())
	require.ErrorContains(t, err, "step administrator: somebody has the name Georg. If that is you, run plaza admin Georg", out)
	exec(`DELETE FROM users`)

	ctx, kill = context.WithCancel(t.Context())
	o = s.options()
	o.Out = killer{"administrator", kill}
	require.ErrorIs(t, Run(ctx, o), context.Canceled)
	exec(`UPDATE users SET admin = 0`)
	o = s.options()
	o.AdminPassword = "another long password"
	out, err = s.setup(t.Context(), o)
	require.ErrorContains(t, err, "an earlier run has made an account with another name, address or password", out)
	out, err = s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	s.check()
}

// killer ends a run when a step has reported that it is done.
type killer struct {
	step string
	kill context.CancelFunc
}

func (k killer) Write(b []byte) (int, error) {
	if strings.HasPrefix(string(b), k.step+" ") {
		k.kill()
	}
	return len(b), nil
}

func TestDryRunOfNothing(t *testing.T) {
	s := newStage(t, nil)
	before, err := os.ReadFile(filepath.Join(s.folder, "wrangler.toml"))
	require.NoError(t, err)
	o := s.options()
	o.DryRun = true
	out, err := s.setup(t.Context(), o)
	require.NoError(t, err, out)
	for _, step := range everyStep[1:] {
		require.Regexp(t, `(?m)^`+regexp.QuoteMeta(step)+` +would `, out)
	}
	require.Empty(t, s.providers.Writes)
	require.Zero(t, s.deploys)
	after, err := os.ReadFile(filepath.Join(s.folder, "wrangler.toml"))
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	list, err := os.ReadDir(s.folder)
	require.NoError(t, err)
	require.Len(t, list, 1)

	t.Run("the clients themselves send nothing that writes", func(t *testing.T) {
		c := services.NewCloudflare(s.providers.Cloudflare.URL, s.providers.Cloudflare.Token, s.client())
		c.ReadOnly, c.Account = true, s.providers.Cloudflare.Account
		require.ErrorContains(t, c.CreateQueue(t.Context(), "x"), "this is a dry run")
		require.Empty(t, s.providers.Writes)
	})
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	tests := []struct {
		name   string
		change func(*stage, *Options)
		says   []string
	}{
		{"a wrong token of Cloudflare", func(_ *stage, o *Options) { o.CloudflareToken = "a wrong token" },
			[]string{"step accounts: Cloudflare refused GET /accounts?page=1&per_page=50 with status 401: Invalid API Token [1000]",
				"The token is wrong, or lacks the permission: Account, Account Settings, Read.", "The same command goes on from this step."}},
		{"a wrong token of Turso", func(_ *stage, o *Options) { o.TursoToken = "a wrong token" },
			[]string{"step accounts: Turso refused GET /v1/organizations with status 401: Unauthorized", "TURSO_API_TOKEN is wrong"}},
		{"a wrong key of Upstash", func(_ *stage, o *Options) { o.UpstashKey = "a wrong key" },
			[]string{"step accounts: Upstash refused GET /redis/databases with status 401", "UPSTASH_API_KEY is wrong"}},
		{"no permission for queues", func(s *stage, _ *Options) { s.providers.Cloudflare.Forbidden["queues"] = true },
			[]string{"step accounts", "lacks the permission: Account, Queues, Edit."}},
		{"no permission for buckets", func(s *stage, _ *Options) { s.providers.Cloudflare.Forbidden["r2"] = true },
			[]string{"step accounts", "lacks the permission: Account, Workers R2 Storage, Edit."}},
		{"no permission for scripts", func(s *stage, _ *Options) { s.providers.Cloudflare.Forbidden["scripts"] = true },
			[]string{"step accounts", "lacks the permission: Account, Workers Scripts, Edit."}},
		{"R2 is off", func(s *stage, _ *Options) { s.providers.Cloudflare.NoR2 = true },
			[]string{"step accounts", "Switch R2 on at", "or take [[r2_buckets]] out of wrangler.toml"}},
		{"no address below workers.dev", func(s *stage, _ *Options) { s.providers.Cloudflare.Subdomain = "" },
			[]string{"step accounts", "no address below workers.dev yet"}},
		{"several accounts, and none named", func(s *stage, _ *Options) { s.providers.Cloudflare.Accounts = []string{"A", "B", "C"} },
			[]string{"step accounts: Which account at Cloudflare (A, B, C, Example): it is needed. Give --account"}},
		{"an account that is not there", func(_ *stage, o *Options) { o.Account = "Other" }, []string{`reaches no account "Other"`}},
		{"an address that is none", func(_ *stage, o *Options) { o.SiteURL = "http://plaza.example.org/x" },
			[]string{`"http://plaza.example.org/x" is not an address like https://plaza.example.org`}},
		{"a place that Turso does not have", func(_ *stage, o *Options) { o.Location = "moon" },
			[]string{"step database: Turso refused POST /v1/organizations/example/groups with status 400: invalid location"}},
		{"a plan that is used up", func(s *stage, _ *Options) { s.providers.Upstash.Full = true },
			[]string{"step redis: Upstash refused POST /redis/database with status 400: your plan allows no further database"}},
		{"the address of another database", func(s *stage, _ *Options) { s.variable("LIBSQL_URL", "https://town-example.turso.io") },
			[]string{"step database: wrangler.toml has LIBSQL_URL = https://town-example.turso.io, but the account has nothing named plaza. " +
				"Give the name of what is at that address with --database."}},
		{"the address of another Redis", func(s *stage, _ *Options) { s.variable("UPSTASH_REDIS_REST_URL", "https://eu1-town.upstash.io") },
			[]string{"step redis: wrangler.toml has UPSTASH_REDIS_REST_URL = https://eu1-town.upstash.io, but the account has nothing named",
				"with --redis."}},
		{"a provider of mails that is none", func(_ *stage, o *Options) { o.MailProvider = "pigeon" },
			[]string{`step wrangler.toml: --mail-provider is "pigeon"`}},
		{"no token of the provider", func(_ *stage, o *Options) { o.MailToken = "" },
			[]string{"step secrets: The token of the provider of mails: it is needed. Give MAIL_TOKEN in the environment"}},
		{"a password that is too short", func(_ *stage, o *Options) { o.AdminPassword = "too short" }, []string{"step administrator: "}},
		{"a zone that the account does not have", func(s *stage, _ *Options) { s.providers.Cloudflare.Zones = nil },
			[]string{"step address: Cloudflare refused PUT /accounts/", "no zone of this account has that host name"}},
		{"a cron that does not run", func(s *stage, o *Options) { s.noCron, o.MailWait = true, 1 },
			[]string{"step mail: the site has not begun to send the mail: the cron trigger or the consumer of plaza-events does not run"}},
	}
	redis := stacktest.OpenRedis(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStage(t, redis)
			o := s.options()
			test.change(s, &o)
			out, err := s.setup(t.Context(), o)
			require.Error(t, err)
			for _, says := range test.says {
				require.Contains(t, out, says)
			}
		})
	}
}

// If the provider refuses the token, the error quotes the provider and not the token, and the site does not get the token.
func TestAMailThatIsRefused(t *testing.T) {
	s := newStage(t, nil)
	o := s.options()
	o.MailToken = "another token than the mailbox has"
	out, err := s.setup(t.Context(), o)
	require.ErrorContains(t, err, "step secrets: a test mail to georg@example.org was not sent: status 401", out)
	require.Contains(t, out, "The token in Authorization is missing or wrong.")
	require.Empty(t, s.providers.Cloudflare.Value("plaza", "MAIL_TOKEN"))
}

// A provider may accept the test mail and refuse the site's mail.
func TestAMailThatTheSiteGivesUp(t *testing.T) {
	s := newStage(t, nil)
	var asked atomic.Int64
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) > 1 {
			w.WriteHeader(http.StatusUnprocessableEntity)
		}
	}))
	t.Cleanup(provider.Close)
	s.variable("MAIL_URL", provider.URL)
	o := s.options()
	o.NoRedis = true
	out, err := s.setup(t.Context(), o)
	require.ErrorContains(t, err, "step mail: the site gave up the mail to the address of Georg", out)
	require.EqualValues(t, 2, asked.Load())
}
