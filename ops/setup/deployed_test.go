package setup

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/ops/setup/services"
	"plaza/test/servicestest"
	"plaza/test/stacktest"
)

// fresh replaces wrangler.toml by the unchanged one of a new clone.
func (s *stage) fresh() {
	s.Helper()
	text, err := os.ReadFile("testdata/wrangler.toml")
	require.NoError(s, err)
	require.NoError(s, os.WriteFile(filepath.Join(s.folder, "wrangler.toml"), text, 0o644))
}

// accounts runs only the first step, which changes nothing.
func (s *stage) accounts(o Options) error {
	s.Helper()
	s.providers.Writes = nil
	ctx, kill := context.WithCancel(s.Context())
	o.Out = killer{"accounts", kill}
	err := Run(ctx, o)
	require.Empty(s, s.providers.Writes)
	return err
}

func TestTheFileOfADeployedSiteIsLost(t *testing.T) {
	s := newStage(t, stacktest.OpenRedis(t))
	s.variable("AUTH_PROVIDERS", "google")
	out, err := s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	file := s.wrangler().Vars

	t.Run("a run without an address takes the variables of what is deployed", func(t *testing.T) {
		s.fresh()
		o := s.options()
		o.SiteURL, o.SiteName, o.MailProvider, o.MailFrom = "", "", "", ""
		out, err := s.setup(t.Context(), o)
		require.NoError(t, err, out)
		require.Equal(t, file, s.wrangler().Vars)
		require.Regexp(t, `(?m)^wrangler.toml +done: set AUTH_PROVIDERS, .*SITE_URL`, out)
		require.Equal(t, 1, s.deploys)
		s.check()
	})

	t.Run("another address is a second site, which needs a name of its own", func(t *testing.T) {
		s.fresh()
		before := s.wrangler().Vars
		o := s.options()
		o.SiteURL = "https://second.example.org"
		err := s.accounts(o)
		require.ErrorContains(t, err, "step accounts: the Worker plaza of the account is the site https://plaza.example.org, and this one is to be "+
			"https://second.example.org. For a second site, change name in wrangler.toml, and the names of the queues and of the bucket.")
		require.Equal(t, before, s.wrangler().Vars)
	})

	t.Run("the file of another site is refused", func(t *testing.T) {
		s.variable("SITE_URL", "https://second.example.org")
		s.variable("LIBSQL_URL", "https://second-example.turso.io")
		o := s.options()
		o.SiteURL = ""
		err := s.accounts(o)
		require.ErrorContains(t, err, "the Worker plaza of the account is the site https://plaza.example.org")
	})

	t.Run("an address that was changed in the file is taken", func(t *testing.T) {
		s.variable("LIBSQL_URL", file["LIBSQL_URL"])
		o := s.options()
		o.SiteURL = ""
		err := s.accounts(o)
		require.ErrorIs(t, err, context.Canceled, "the step itself had no error")
	})
}

func TestAWorkerThatIsNoPlaza(t *testing.T) {
	s := newStage(t, nil)
	s.providers.Cloudflare.Scripts["plaza"] = &cloudScript{Variables: map[string]string{"GREETING": "hello"}}
	err := s.accounts(s.options())
	require.ErrorContains(t, err, "step accounts: the account has a Worker plaza that is no Plaza: it has no SITE_URL. Change name in wrangler.toml")

	s.providers.Cloudflare.Scripts["plaza"] = &cloudScript{Secrets: map[string][]string{"KEY": {"of theirs"}}}
	err = s.accounts(s.options())
	require.ErrorContains(t, err, "step accounts: the account has a Worker plaza that is no Plaza", "one without variables is no draft of setup's")
	require.ErrorContains(t, err, "delete it (npx wrangler delete --name plaza) and run this again")
}

// TestARedisOfAnotherApp: another app's Redis has the site's name. A run that was killed may have made one, but then it is empty.
func TestARedisOfAnotherApp(t *testing.T) {
	s := newStage(t, nil)
	s.providers.Upstash.List = []upstashRedis{{ID: "id-plaza", Name: "plaza", Endpoint: "eu1-plaza.upstash.io", Token: s.providers.Token("rest_"),
		Keys: 12}}
	out, err := s.setup(t.Context(), s.options())
	require.ErrorContains(t, err, "step redis: the account has a Redis plaza with 12 keys, which may be another app's", out)
	require.ErrorContains(t, err, "--redis")
	require.Equal(t, "http://127.0.0.1:8079", s.wrangler().Vars["UPSTASH_REDIS_REST_URL"])
	s.variable("UPSTASH_REDIS_REST_URL", "https://eu1-plaza.upstash.io")
	out, err = s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	require.Regexp(t, `(?m)^redis +already there: eu1-plaza.upstash.io`, out)
}

// TestWhoseADatabaseIs: a database has the name that the site's would have, or wrangler.toml has its address.
func TestWhoseADatabaseIs(t *testing.T) {
	const second = "https://second.example.org"
	for _, test := range []struct {
		name   string
		change func(s *stage, o *Options, db *hrana.Client, url string)
		says   string // "" if it is this site's
	}{
		{"another site's, by its name", func(_ *stage, o *Options, _ *hrana.Client, _ string) { o.SiteURL = second },
			"step database: the database at URL belongs to the site https://plaza.example.org, and this one is to be https://second.example.org. " +
				"Give the name of another database with --database NAME"},
		{"another site's, in a file that was copied", func(s *stage, o *Options, _ *hrana.Client, url string) {
			o.SiteURL = second
			s.variable("LIBSQL_URL", url)
		}, "belongs to the site https://plaza.example.org"},
		{"another site's, in a file that was copied whole, with another name of the Worker", func(s *stage, o *Options, _ *hrana.Client, url string) {
			s.variable("SITE_URL", second)
			s.variable("LIBSQL_URL", url)
			o.SiteURL = ""
		}, "belongs to the site https://plaza.example.org"},
		{"another site's, as a shard", func(s *stage, o *Options, _ *hrana.Client, url string) {
			o.SiteURL, o.Database = second, "second"
			s.variable("LIBSQL_SHARD_URLS", url)
		}, "belongs to the site https://plaza.example.org, and this one is to be https://second.example.org"},
		{"another site's, at the same host by another scheme or port", func(_ *stage, o *Options, _ *hrana.Client, _ string) {
			o.SiteURL = "https://plaza.example.org:8443"
		}, "belongs to the site https://plaza.example.org"},
		{"another site's, beside a draft of this one", func(s *stage, o *Options, _ *hrana.Client, url string) {
			o.SiteURL = second
			s.providers.Cloudflare.Scripts["plaza"] = &cloudScript{Variables: map[string]string{services.DraftVariable: "1", "LIBSQL_URL": url}}
		}, "belongs to the site https://plaza.example.org"},
		{"a Plaza's that does not say whose", func(_ *stage, _ *Options, db *hrana.Client, _ string) {
			execute(db, `UPDATE schema_steps SET site_url = ''`)
		}, "step database: the organization has a database plaza with "},
		{"another app's", func(_ *stage, _ *Options, db *hrana.Client, _ string) {
			execute(db, `DROP TABLE schema_steps`)
		}, "which may be another site's or app's: wrangler.toml does not name it. Give the name of another database with --database NAME."},
		{"one of a build before 1.0, or with a table of the same name", func(_ *stage, _ *Options, db *hrana.Client, _ string) {
			execute(db, `ALTER TABLE schema_steps DROP COLUMN site_url`)
		}, "which may be another site's or app's: wrangler.toml does not name it. Give the name of another database with --database NAME."},
		{"a Plaza's that does not say whose, and the file names it", func(s *stage, _ *Options, db *hrana.Client, url string) {
			execute(db, `UPDATE schema_steps SET site_url = ''`)
			s.variable("LIBSQL_URL", url)
		}, ""},
		{"its own, and the file is lost", func(*stage, *Options, *hrana.Client, string) {}, ""},
		{"its own, and the address is typed in another way", func(_ *stage, o *Options, _ *hrana.Client, _ string) {
			o.SiteURL = "https://Plaza.Example.org/"
		}, ""},
		{"its own, and the site that is deployed gets another address", func(s *stage, o *Options, _ *hrana.Client, url string) {
			s.variable("SITE_URL", second)
			s.variable("LIBSQL_URL", url)
			s.providers.Cloudflare.Scripts["plaza"] = &cloudScript{Secrets: map[string][]string{},
				Variables: map[string]string{"SITE_URL": siteURL, "LIBSQL_URL": url}}
			o.SiteURL = ""
		}, ""},
		{"its own, and it is to have the address of before again", func(s *stage, o *Options, db *hrana.Client, url string) {
			execute(db, `UPDATE schema_steps SET site_url = 'https://second.example.org'`)
			s.variable("SITE_URL", siteURL)
			s.variable("LIBSQL_URL", url)
			s.providers.Cloudflare.Scripts["plaza"] = &cloudScript{Secrets: map[string][]string{},
				Variables: map[string]string{"SITE_URL": siteURL, "LIBSQL_URL": url}}
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStage(t, nil)
			until := func(o Options, step string) error {
				ctx, kill := context.WithCancel(t.Context())
				o.Out = killer{step, kill}
				return Run(ctx, o)
			}
			require.ErrorIs(t, until(s.options(), "administrator"), context.Canceled)
			there := s.providers.Turso.Databases["plaza"]
			db, url := hrana.New(hrana.Options{URL: there.Real}), "http://"+there.Host
			s.providers.Cloudflare.Scripts = map[string]*cloudScript{} // as from another account
			s.fresh()
			o := s.options()
			o.NoRedis, o.MailProvider, o.MailFrom, o.MailToken = true, "", "", ""
			test.change(s, &o, db, url)
			state := func() string {
				results, err := db.Query(t.Context(), hrana.Stmt{SQL: `SELECT group_concat(name || sql) FROM sqlite_schema`},
					hrana.Stmt{SQL: `SELECT count(*), group_concat(username) FROM users`})
				require.NoError(t, err)
				file, err := os.ReadFile(filepath.Join(s.folder, "wrangler.toml"))
				require.NoError(t, err)
				return fmt.Sprint(results[0].Rows(), results[1].Rows(), string(file), len(s.providers.Cloudflare.Scripts))
			}
			before := state()
			err := until(o, "tables")
			if test.says != "" {
				require.ErrorContains(t, err, strings.Replace(test.says, "URL", url, 1))
				require.Equal(t, before, state(), "nothing was changed")
				return
			}
			require.ErrorIs(t, err, context.Canceled)
			want := s.wrangler().Vars["SITE_URL"]
			results, err := db.Query(t.Context(), hrana.Stmt{SQL: `SELECT site_url FROM schema_steps`})
			require.NoError(t, err)
			require.Equal(t, want, results[0].Rows()[0][0])
			require.Equal(t, url, s.wrangler().Vars["LIBSQL_URL"])
		})
	}
}

func execute(db *hrana.Client, sql string) {
	if _, err := db.Tx(context.Background(), hrana.Stmt{SQL: sql}); err != nil {
		panic(err)
	}
}

// TestAGatewayThatWasNotDeployed: the site was deployed, and the gateway was not. The next run deploys both.
func TestAGatewayThatWasNotDeployed(t *testing.T) {
	s := newStage(t, stacktest.OpenRedis(t))
	text, err := os.ReadFile("../../wrangler.gateway.toml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(s.folder, "wrangler.gateway.toml"), text, 0o644))
	out, err := s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	s.gatewayDeployed()
	s.providers.Cloudflare.Domains["plaza.example.org"] = "plaza-gateway"
	out, err = s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	require.Equal(t, 1, s.deploys, "both are deployed")

	s.broken = true
	o := s.options()
	o.SiteName = "Another name"
	out, err = s.setup(t.Context(), o)
	require.ErrorContains(t, err, "step deploy: ./build.sh deploy: exit status 1", out)
	s.broken = false
	out, err = s.setup(t.Context(), o)
	require.NoError(t, err, out)
	require.Equal(t, 3, s.deploys)
	require.Regexp(t, `(?m)^deploy +done`, out)
	out, err = s.setup(t.Context(), o)
	require.NoError(t, err, out)
	require.Equal(t, 3, s.deploys)
}

// A token of Turso or Upstash belongs to one database. The site needs another one for a new database.
func TestANewDatabaseAndANewRedis(t *testing.T) {
	s := newStage(t, stacktest.OpenRedis(t))
	out, err := s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	old := s.providers.Cloudflare.Value("plaza", "LIBSQL_AUTH_TOKEN")

	s.providers.Turso.Databases, s.providers.Upstash.List = map[string]*servicestest.Database{}, nil
	s.variable("LIBSQL_URL", "http://127.0.0.1:8080")
	s.variable("UPSTASH_REDIS_REST_URL", "http://127.0.0.1:8079")
	o := s.options()
	o.Deploy = func(ctx context.Context, d Deployment, log io.Writer) error {
		require.Equal(t, old, s.providers.Cloudflare.Value("plaza", "LIBSQL_AUTH_TOKEN"), "the site that runs has the old database")
		require.Len(t, d.Secrets, 2)
		return s.deploy(ctx, d, log)
	}
	out, err = s.setup(t.Context(), o)
	require.NoError(t, err, out)
	require.Regexp(t, `(?m)^secrets +done: .*take other tokens for what wrangler.toml names now, which go with the deployment: `+
		`LIBSQL_AUTH_TOKEN, UPSTASH_REDIS_REST_TOKEN \(`, out)
	require.Equal(t, 2, s.deploys)
	now := s.providers.Cloudflare.Value("plaza", "LIBSQL_AUTH_TOKEN")
	require.NotEqual(t, old, now)
	require.Contains(t, s.providers.Turso.Databases["plaza"].Tokens["never"], now)
	require.Equal(t, s.providers.Upstash.List[0].Token, s.providers.Cloudflare.Value("plaza", "UPSTASH_REDIS_REST_TOKEN"))
	require.Len(t, s.providers.Cloudflare.Scripts["plaza"].Secrets["SESSION_SECRET"], 1)
}

// A run has ended before the deployment, and the next one is for another database, Redis and provider. The secrets of the draft can't be
// used there.
func TestADraftForAnotherDatabase(t *testing.T) {
	redis := stacktest.OpenRedis(t)
	postmark := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(postmark.Close)
	// endsAfter is a run that is killed after a step.
	endsAfter := func(t *testing.T, o Options, step string) {
		t.Helper()
		ctx, kill := context.WithCancel(t.Context())
		o.Out = killer{step, kill}
		require.ErrorIs(t, Run(ctx, o), context.Canceled)
	}
	forTown := func(s *stage) Options {
		o := s.options()
		o.Database, o.Redis, o.MailProvider, o.MailToken = "town", "town", "postmark", "a server token of postmark"
		s.variable("MAIL_URL", postmark.URL)
		s.variable("UPSTASH_REDIS_REST_URL", "http://127.0.0.1:8079") // the operator removes the old one
		return o
	}

	t.Run("it has the tokens of the first ones", func(t *testing.T) {
		s := newStage(t, redis)
		endsAfter(t, s.options(), "secrets")
		session := s.providers.Cloudflare.Value("plaza", "SESSION_SECRET")
		require.NotEmpty(t, s.providers.Cloudflare.Value("plaza", "LIBSQL_AUTH_TOKEN"))
		endsAfter(t, forTown(s), "secrets") // its tokens are lost

		out, err := s.setup(t.Context(), forTown(s))
		require.NoError(t, err, out)
		require.Regexp(t, `(?m)^secrets +done: take other tokens for what wrangler.toml names now, which go with the deployment: `+
			`LIBSQL_AUTH_TOKEN, UPSTASH_REDIS_REST_TOKEN, MAIL_TOKEN \(`, out)
		value := func(name string) string { return s.providers.Cloudflare.Value("plaza", name) }
		require.Contains(t, s.providers.Turso.Databases["town"].Tokens["never"], value("LIBSQL_AUTH_TOKEN"))
		require.Equal(t, s.providers.Upstash.List[1].Token, value("UPSTASH_REDIS_REST_TOKEN"))
		require.Equal(t, "a server token of postmark", value("MAIL_TOKEN"))
		require.Equal(t, session, value("SESSION_SECRET"), "it belongs to no address")
	})
	t.Run("it has none yet, and the next run but one is for the first ones again", func(t *testing.T) {
		s := newStage(t, redis)
		ctx, kill := context.WithCancel(t.Context())
		s.providers.OnWrite = func(call string) bool {
			if draft := strings.HasSuffix(call, "/workers/scripts/plaza"); draft {
				kill()
				return false
			}
			return true
		}
		_, err := s.setup(ctx, s.options())
		require.Error(t, err) // that it was killed, or that the response is lost: whichever the client sees first
		s.providers.OnWrite = nil
		mails := s.wrangler().Vars["MAIL_URL"]
		endsAfter(t, forTown(s), "secrets")

		s.variable("MAIL_URL", mails)
		s.variable("UPSTASH_REDIS_REST_URL", "http://127.0.0.1:8079")
		out, err := s.setup(t.Context(), s.options())
		require.NoError(t, err, out)
		require.Contains(t, s.providers.Turso.Databases["plaza"].Tokens["never"], s.providers.Cloudflare.Value("plaza", "LIBSQL_AUTH_TOKEN"))
	})
}

// The site had shards, and the line is missing in wrangler.toml. The token of the group is part of the deployment, though nothing else
// requires one.
func TestAVariableThatIsGone(t *testing.T) {
	s := newStage(t, stacktest.OpenRedis(t))
	out, err := s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	path := filepath.Join(s.folder, "wrangler.toml")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, regexp.MustCompile(`(?m)^LIBSQL_SHARD_URLS .*\n`).ReplaceAll(text, nil), 0o600))
	s.providers.Cloudflare.Scripts["plaza"].Variables["LIBSQL_SHARD_URLS"] = "libsql://b.turso.io"
	old := s.providers.Cloudflare.Value("plaza", "LIBSQL_AUTH_TOKEN")

	o := s.options()
	o.DryRun, o.MailToken = true, ""
	out, err = s.setup(t.Context(), o)
	require.NoError(t, err, out)
	require.Regexp(t, `(?m)^deploy +would run ./build.sh deploy, because Cloudflare lacks the new LIBSQL_AUTH_TOKEN`, out)
	out, err = s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	require.Regexp(t, `(?m)^deploy +done: deploy plaza \(`, out)
	require.NotEqual(t, old, s.providers.Cloudflare.Value("plaza", "LIBSQL_AUTH_TOKEN"))
	out, err = s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	require.Equal(t, 2, s.deploys)
}

// A new token of the provider is tried and set, and another provider needs another token. Other tokens stay.
func TestANewTokenOfTheProvider(t *testing.T) {
	s := newStage(t, stacktest.OpenRedis(t))
	out, err := s.setup(t.Context(), s.options())
	require.NoError(t, err, out)

	o := s.options()
	o.MailToken = "a wrong token of the provider"
	out, err = s.setup(t.Context(), o)
	require.ErrorContains(t, err, "step secrets: a test mail to georg@example.org was not sent: status 401", out)
	require.Equal(t, "mail-token-of-the-provider", s.providers.Cloudflare.Value("plaza", "MAIL_TOKEN"))

	o = s.options()
	o.MailProvider, o.MailToken = "postmark", ""
	out, err = s.setup(t.Context(), o)
	require.ErrorContains(t, err, "step secrets: The token of the provider of mails: it is needed. Give MAIL_TOKEN", out)
	var got string
	provider := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("X-Postmark-Server-Token")
	}))
	t.Cleanup(provider.Close)
	s.variable("MAIL_URL", provider.URL)
	o.MailToken = "a server token of postmark"
	out, err = s.setup(t.Context(), o)
	require.NoError(t, err, out)
	require.Equal(t, o.MailToken, got)
	require.Equal(t, o.MailToken, s.providers.Cloudflare.Value("plaza", "MAIL_TOKEN"))
	require.Equal(t, 2, s.deploys)

	health := s.providers.Cloudflare.Value("plaza", "HEALTH_TOKEN")
	o.DryRun, o.MailToken, o.HealthToken = true, "", "another token of at least 32 letters"
	out, err = s.setup(t.Context(), o)
	require.NoError(t, err, out)
	require.Contains(t, out, "HEALTH_TOKEN was set before, and stays as it is. To set the one that was given: wrangler secret put HEALTH_TOKEN")
	o.HealthToken = health
	out, err = s.setup(t.Context(), o)
	require.NoError(t, err, out)
	require.NotContains(t, out, "was not taken")
}

// If the site's name belongs to the gateway, it stays there, and both workers are deployed.
func TestASiteBehindTheGateway(t *testing.T) {
	s := newStage(t, stacktest.OpenRedis(t))
	text, err := os.ReadFile("../../wrangler.gateway.toml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(s.folder, "wrangler.gateway.toml"), text, 0o644))
	out, err := s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	require.False(t, s.gateway)

	s.providers.Cloudflare.Domains["plaza.example.org"] = "plaza-gateway"
	o := s.options()
	o.SiteName = "Another name"
	out, err = s.setup(t.Context(), o)
	require.NoError(t, err, out)
	require.Equal(t, 2, s.deploys)
	require.True(t, s.gateway)
	require.Regexp(t, `(?m)^address +already there: plaza.example.org, by the gateway plaza-gateway`, out)

	s.providers.Cloudflare.Domains["plaza.example.org"] = "other"
	_, err = s.setup(t.Context(), s.options())
	require.ErrorContains(t, err, "step address: plaza.example.org belongs to another script of the account, other")
}

// TestASiteThatIsOpenBelowWorkersDev has a site that was deployed before setup closed that name.
func TestASiteThatIsOpenBelowWorkersDev(t *testing.T) {
	s := newStage(t, stacktest.OpenRedis(t))
	out, err := s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	s.providers.Cloudflare.Scripts["plaza"].OnWorkersDev = true
	out, err = s.setup(t.Context(), s.options())
	require.NoError(t, err, out)
	require.Equal(t, 2, s.deploys)
	require.False(t, s.providers.Cloudflare.Scripts["plaza"].OnWorkersDev)
}

// TestTheQueuesOfAnotherSite: another site in the same account has them.
func TestTheQueuesOfAnotherSite(t *testing.T) {
	s := newStage(t, stacktest.OpenRedis(t))
	s.providers.Cloudflare.Queues = []*cloudQueue{{Name: "plaza-votes", Consumer: "another"}}
	_, err := s.setup(t.Context(), s.options())
	require.ErrorContains(t, err, "step queues: another Worker of the account consumes the queue plaza-votes")
}

// TestTheBucketOfAnotherSite: another site in the same account has the bucket. Each would delete the other's pictures.
func TestTheBucketOfAnotherSite(t *testing.T) {
	s := newStage(t, nil)
	s.providers.Cloudflare.Buckets = []string{"plaza-pictures"}
	s.providers.Cloudflare.Scripts["another"] = &cloudScript{Buckets: []string{"others", "plaza-pictures"}}
	bucket := func() error {
		ctx, kill := context.WithCancel(t.Context())
		o := s.options()
		o.Out = killer{"bucket", kill}
		return Run(ctx, o)
	}
	err := bucket()
	require.ErrorContains(t, err, "step bucket: the bucket plaza-pictures belongs to the Worker another of the account")
	require.ErrorContains(t, err, "Change bucket_name in wrangler.toml, and in wrangler.gateway.toml.")

	s.providers.Cloudflare.Scripts["another"].Buckets = []string{"others"}
	require.ErrorIs(t, bucket(), context.Canceled, "a run that was ended has made it")
	text, err := os.ReadFile("../../wrangler.gateway.toml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(s.folder, "wrangler.gateway.toml"), text, 0o644))
	s.providers.Cloudflare.Scripts["plaza-gateway"] = &cloudScript{Buckets: []string{"plaza-pictures"}}
	require.ErrorIs(t, bucket(), context.Canceled, "the site's own gateway has it")
	s.providers.Cloudflare.Scripts["another"].Buckets = []string{"plaza-pictures"}
	s.providers.Cloudflare.Scripts["plaza"] = &cloudScript{Variables: map[string]string{"SITE_URL": siteURL}, Buckets: []string{"plaza-pictures"}}
	require.ErrorIs(t, bucket(), context.Canceled, "it was deployed with it before")
}
