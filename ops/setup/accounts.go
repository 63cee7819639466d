package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"plaza/ops/setup/services"
)

// accounts checks what all other steps need: each service accepts its token, the tokens may read what the steps need, and the site has an
// address. It changes nothing.
func (r *run) accounts(ctx context.Context) (result, error) {
	var err error
	if r.config, err = readConfig(filepath.Join(r.Folder, "wrangler.toml")); err != nil {
		return result{}, err
	}
	if r.script = r.config.value("", "name"); r.script == "" {
		return result{}, fmt.Errorf("%s has no name", r.config.path)
	}
	r.findNoRedis()
	if err := r.credentials(ctx); err != nil {
		return result{}, err
	}
	if err := r.checkCloudflare(ctx); err != nil {
		return result{}, err
	}
	if err := r.findDeployed(ctx); err != nil {
		return result{}, err
	}
	r.findNoRedis() // findDeployed may have changed the variables
	if err := r.checkTurso(ctx); err != nil {
		return result{}, err
	}
	accepted := "Cloudflare (" + r.script + ") and Turso (" + r.turso.Organization + ")"
	if !r.NoRedis {
		if _, err := r.upstash.List(ctx); err != nil {
			return result{}, err
		}
		accepted = "Cloudflare (" + r.script + "), Turso (" + r.turso.Organization + ") and Upstash"
	}
	if err := r.site(ctx); err != nil {
		return result{}, err
	}
	return already("%s accept their tokens; the site is %s", accepted, r.SiteURL)
}

// findNoRedis sets NoRedis if an earlier run had --no-redis.
func (r *run) findNoRedis() {
	if r.config.without("UPSTASH_REDIS_REST_URL") && r.Redis == "" {
		r.NoRedis = true
	}
}

// credentials asks for the tokens of the three accounts, and creates the clients.
func (r *run) credentials(ctx context.Context) error {
	for _, c := range []struct {
		value         *string
		question, how string
		secret, redis bool
	}{
		{&r.CloudflareToken, "API token of Cloudflare", "CLOUDFLARE_API_TOKEN in the environment", true, false},
		{&r.TursoToken, "API token of Turso", "TURSO_API_TOKEN in the environment", true, false},
		{&r.UpstashEmail, "Email address of the account at Upstash", "UPSTASH_EMAIL in the environment, or --no-redis", false, true},
		{&r.UpstashKey, "API key of Upstash", "UPSTASH_API_KEY in the environment, or --no-redis", true, true},
	} {
		if c.redis && r.NoRedis {
			continue
		}
		if err := r.ask(ctx, c.value, c.question, "", c.how, c.secret); err != nil {
			return err
		}
	}
	r.cloudflare = services.NewCloudflare(cmp.Or(r.CloudflareURL, services.CloudflareURL), r.CloudflareToken, r.HTTP)
	r.turso = services.NewTurso(cmp.Or(r.TursoURL, services.TursoURL), r.TursoToken, r.HTTP)
	r.upstash = services.NewUpstash(cmp.Or(r.UpstashURL, services.UpstashURL), r.UpstashEmail, r.UpstashKey, r.HTTP)
	for _, api := range []*services.API{r.cloudflare.API, r.turso.API, r.upstash.API} {
		api.ReadOnly = r.DryRun
	}
	return nil
}

var accountID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// checkCloudflare finds the account, and tries each kind of read of later steps.
func (r *run) checkCloudflare(ctx context.Context) error {
	list, err := r.cloudflare.Accounts(ctx)
	if err != nil {
		return err
	}
	if accountID.MatchString(r.Account) && !slices.ContainsFunc(list, func(a services.Named) bool { return a.ID == r.Account }) {
		list = append(list, services.Named{ID: r.Account, Name: r.Account}) // a token may use an account that it can't list
	}
	if len(list) == 0 {
		return errors.New("the token lists no account at Cloudflare. Give it the permission Account, Account Settings, Read, or name the " +
			"account's id with --account")
	}
	var names []string
	for _, a := range list {
		names = append(names, a.Name)
	}
	if r.Account == "" && len(list) == 1 {
		r.Account = list[0].ID
	}
	if err := r.ask(ctx, &r.Account, "Which account at Cloudflare ("+strings.Join(names, ", ")+")", "", "--account", false); err != nil {
		return err
	}
	for _, a := range list {
		if a.ID == r.Account || a.Name == r.Account {
			r.cloudflare.Account = a.ID
		}
	}
	if r.cloudflare.Account == "" {
		return fmt.Errorf("the token reaches no account %q at Cloudflare, but %d others: %s", r.Account, len(list), strings.Join(names, ", "))
	}
	if _, err := r.cloudflare.Queues(ctx); err != nil {
		return err
	}
	if r.config.value("r2_buckets", "bucket_name") != "" {
		if err := r.cloudflare.CheckR2(ctx); err != nil {
			return err
		}
	}
	_, _, err = r.cloudflare.Secrets(ctx, r.script)
	return err
}

func (r *run) checkTurso(ctx context.Context) error {
	slugs, err := r.turso.Organizations(ctx)
	if err != nil {
		return err
	}
	if r.Organization == "" && len(slugs) == 1 {
		r.Organization = slugs[0]
	}
	question := "Which organization at Turso (" + strings.Join(slugs, ", ") + ")"
	if err := r.ask(ctx, &r.Organization, question, "", "--organization", false); err != nil {
		return err
	}
	r.turso.Organization = r.Organization
	_, err = r.turso.Groups(ctx)
	return err
}

// site finds the address and name of the site: in the options, in wrangler.toml after an earlier run, or by asking.
func (r *run) site(ctx context.Context) error {
	subdomain, err := r.cloudflare.Subdomain(ctx)
	if err != nil {
		return err
	}
	if subdomain == "" {
		return errors.New("the account has no address below workers.dev yet, which deployments need: choose one at " +
			"https://dash.cloudflare.com/?to=/:account/workers-and-pages")
	}
	before := r.config.remote("SITE_URL")
	if r.SiteURL == "" && before != "" {
		r.SiteURL = before
	}
	if err := r.ask(ctx, &r.SiteURL, "The site's address", fmt.Sprintf("https://%s.%s.workers.dev", r.script, subdomain), "--site-url",
		false); err != nil {
		return err
	}
	r.SiteURL = strings.TrimSuffix(r.SiteURL, "/")
	u, err := url.Parse(r.SiteURL)
	if err == nil { // as browsers send it, and as passkeys compare it
		u.Host = strings.ToLower(u.Host)
		r.SiteURL = u.String()
	}
	if err != nil || u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.User != nil {
		return fmt.Errorf("%q is not an address like https://plaza.example.org", r.SiteURL)
	}
	if before != "" && r.SiteURL != before {
		return fmt.Errorf("wrangler.toml says that the site is %s. Passkeys belong to the site's host name, and stop working "+
			"when that changes. If that is meant, change SITE_URL there", before)
	}
	if r.SiteName == "" && before != "" {
		r.SiteName = r.config.value("vars", "SITE_NAME")
	}
	return r.ask(ctx, &r.SiteName, "The site's name", cmp.Or(r.config.value("vars", "SITE_NAME"), "Plaza"), "--site-name", false)
}

// permissions are the permissions that a token of Cloudflare needs, each with a part of the addresses of the API that need it.
// https://developers.cloudflare.com/fundamentals/api/reference/permissions/
var permissions = []struct{ in, name string }{
	{"/queues", "Account, Queues, Edit"},
	{"/r2/", "Account, Workers R2 Storage, Edit"},
	{"/workers/domains", "Account, Workers Scripts, Edit, and Zone, Workers Routes, Edit, of the zone"},
	{"/workers/", "Account, Workers Scripts, Edit"},
	{"/accounts?", "Account, Account Settings, Read"},
}

// Numbers of Cloudflare's errors.
const (
	r2Off      = 10042 // R2 is not enabled for the account
	badHeaders = 6003  // the Authorization header, and so the token, is malformed
)

// adviceFor returns what to do about a refusal; "" if the service's message is enough.
func adviceFor(err error) string {
	var refusal *services.Refusal
	if !errors.As(err, &refusal) {
		return ""
	}
	switch {
	case refusal.Code == r2Off:
		return "Switch R2 on at https://dash.cloudflare.com/?to=/:account/r2, or take [[r2_buckets]] out of wrangler.toml: then members can " +
			"only link to pictures."
	case !services.IsForbidden(err) && refusal.Code != badHeaders:
		return ""
	case refusal.Service == "Cloudflare":
		for _, p := range permissions {
			if strings.Contains(refusal.Call, p.in) {
				return "The token is wrong, or lacks the permission: " + p.name + ". Change it at https://dash.cloudflare.com/profile/api-tokens."
			}
		}
	case refusal.Service == "Turso":
		return "TURSO_API_TOKEN is wrong, has expired, or belongs to somebody without rights in the organization: " +
			"turso auth api-tokens mint NAME."
	case refusal.Service == "Upstash":
		return "UPSTASH_EMAIL or UPSTASH_API_KEY is wrong, or the account was created through another platform: such accounts can't use " +
			"Upstash's API. See https://console.upstash.com/account/api."
	}
	return ""
}
