// Package setup builds the site from the platform's parts: variables and secrets, an HTTP client, queues, and a sleep function.
// wrangler.toml documents the variables. Nothing here uses JavaScript, so a program that serves the site in another way can use it as well
// (bench/edge/stock).
package setup

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/wire/upstash"
	"plaza/protocol/mail"
	"plaza/protocol/webpush"
	"plaza/worker"
	"plaza/worker/oidc"
)

// site is Plaza itself, with what the platform gives it.
type site struct{ *worker.App }

// Scheduled runs the jobs of that minute. What fails is tried again in the next one.
func (s site) Scheduled(ctx context.Context, at time.Time) {
	if err := s.App.Scheduled(ctx, at); err != nil {
		s.Log.ErrorContext(ctx, "scheduled jobs failed", "error", err)
	}
}

// Prepare makes what needs no environment: the routes. Call the function that it returns once; it makes the site.
func Prepare() func(Environment) (App, error) {
	a := worker.Prepare()
	return func(env Environment) (App, error) { return open(a, env) }
}

// New makes the site.
func New(env Environment) (App, error) { return Prepare()(env) }

// open reads the variables that wrangler.toml documents.
func open(a *worker.App, env Environment) (App, error) {
	directory, shards, err := databases(env)
	if err != nil {
		return nil, err
	}
	factor, _ := strconv.Atoi(env.Getenv("LIMIT_FACTOR"))
	threshold, _ := strconv.ParseInt(env.Getenv("TIMELINE_THRESHOLD"), 10, 64)
	sender, err := newSender(env)
	if err != nil {
		return nil, err
	}
	providers, err := oidc.Configure(env.Getenv)
	if err != nil {
		return nil, err
	}
	keys, err := pushKeys(env)
	if err != nil {
		return nil, err
	}
	err = a.Open(worker.Config{
		DB:         data.NewDB(directory, shards...),
		Redis:      newRedis(env),
		Queue:      env.Queue,
		Background: env.Background,
		Sleep:      env.Sleep,
		Source:     data.SystemSource(),
		Secret:     []byte(env.Getenv("SESSION_SECRET")),
		SiteURL:    env.Getenv("SITE_URL"), SiteName: env.Getenv("SITE_NAME"), LimitFactor: factor, TimelineThreshold: threshold,
		VotesByMinute: env.Getenv("VOTES_BY_MINUTE") == "1",
		RetryAgain:    30 * time.Second,
		Mail:          sender, PushKeys: keys,
		Web: env.Client, Resolver: env.Getenv("DOH_URL"), SecurityContact: env.Getenv("SECURITY_CONTACT"),
		Providers: providers, SSOOnly: env.Getenv("SSO_ONLY") == "1",
		HealthToken: env.Getenv("HEALTH_TOKEN"), Pictures: env.Pictures, Analytics: env.Analytics,
		PurgeZone: env.Getenv("PURGE_ZONE"), PurgeToken: env.Getenv("PURGE_TOKEN"),
	})
	if err != nil {
		return nil, err
	}
	return site{a}, nil
}

// newRedis makes the client of Redis; nil for a site without it.
func newRedis(env Environment) *upstash.Client {
	url := env.Getenv("UPSTASH_REDIS_REST_URL")
	if url == "" {
		return nil
	}
	return upstash.New(upstash.Options{URL: url, Token: env.Getenv("UPSTASH_REDIS_REST_TOKEN"), HTTP: env.Client})
}

// pushKeys returns the site's keys for push services; nil without any.
func pushKeys(env Environment) (*webpush.Keys, error) {
	private := env.Getenv("VAPID_PRIVATE_KEY")
	if private == "" {
		return nil, nil
	}
	keys, err := webpush.ParseKeys(private)
	if err != nil {
		return nil, fmt.Errorf("VAPID_PRIVATE_KEY: %w", err)
	}
	return keys, nil
}

// newSender makes the sender of mails; nil without a provider.
func newSender(env Environment) (*mail.Sender, error) {
	if env.Getenv("MAIL_PROVIDER") == "" {
		return nil, nil
	}
	return mail.NewSender(mail.Options{Provider: env.Getenv("MAIL_PROVIDER"), Token: env.Getenv("MAIL_TOKEN"), From: env.Getenv("MAIL_FROM"),
		URL: env.Getenv("MAIL_URL"), HTTP: env.Client})
}
