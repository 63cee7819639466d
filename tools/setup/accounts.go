package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"plaza/tools/setup/services"
)

// accounts checks three things that all other steps need: each service accepts its token, the token may read what the steps need, and the
// site has an address. It changes nothing.
func (r *run) accounts(ctx context.Context) (result, error) {
	var err error
	if r.config, err = readConfig(filepath.Join(r.Folder, "wrangler.toml")); err != nil {
		return result{}, err
	}
	if r.script = r.config.read().Name; r.script == "" {
		return result{}, fmt.Errorf("%s has no name", r.config.path)
	}
	for _, check := range []func(context.Context) error{r.credentials, r.checkCloudflare, r.findDeployed, r.checkOthers, r.site} {
		// An earlier run with --no-redis has left an empty address, in the file or in what is deployed.
		if address, there := r.config.variables()["UPSTASH_REDIS_REST_URL"]; there && address == "" && r.Redis == "" {
			r.NoRedis = true
		}
		if err := check(ctx); err != nil {
			return result{}, err
		}
	}
	for _, name := range []*string{&r.Database, &r.Redis} {
		*name = cmp.Or(*name, r.script)
		if strings.Trim(*name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || len(*name) > 32 {
			return result{}, fmt.Errorf("%q is no name of a database: it has at most 32 small letters, digits and dashes", *name)
		}
	}
	take := "Cloudflare (" + r.script + ") and Turso (" + r.turso.Organization + ")"
	if !r.NoRedis {
		take = "Cloudflare (" + r.script + "), Turso (" + r.turso.Organization + ") and Upstash"
	}
	return already("%s take their tokens; the site is %s", take, r.SiteURL)
}

// credentials asks for what opens the three accounts, and makes the clients.
func (r *run) credentials(ctx context.Context) error {
	ask := []input{
		{&r.CloudflareToken, "API token of Cloudflare", "CLOUDFLARE_API_TOKEN in the environment", "", true},
		{&r.TursoToken, "API token of Turso", "TURSO_API_TOKEN in the environment", "", true},
		{&r.UpstashEmail, "Email address of the account at Upstash", "UPSTASH_EMAIL in the environment, or --no-redis", "", false},
		{&r.UpstashKey, "API key of Upstash", "UPSTASH_API_KEY in the environment, or --no-redis", "", true},
	}
	if r.NoRedis {
		ask = ask[:2]
	}
	if err := r.ask(ctx, ask...); err != nil {
		return err
	}
	r.cloudflare = services.NewCloudflare(cmp.Or(r.CloudflareURL, services.CloudflareURL), r.CloudflareToken, r.HTTP)
	r.turso = services.NewTurso(cmp.Or(r.TursoURL, services.TursoURL), r.TursoToken, r.HTTP)
	r.upstash = services.NewUpstash(cmp.Or(r.UpstashURL, services.UpstashURL), r.UpstashEmail, r.UpstashKey, r.HTTP)
	for _, api := range []*services.API{r.cloudflare.API, r.turso.API, r.upstash.API} {
		api.ReadOnly = r.DryRun
	}
	return nil
}

// choose asks for one of several names.
func (r *run) choose(ctx context.Context, value *string, names []string, question, flag string) error {
	if *value == "" && len(names) == 1 {
		*value = names[0]
	}
	return r.ask(ctx, input{value, question + " (" + strings.Join(names, ", ") + ")", flag, "", false})
}

var accountID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// checkCloudflare finds the account, and tries each kind of read of later steps.
func (r *run) checkCloudflare(ctx context.Context) error {
	list, err := r.cloudflare.Accounts(ctx)
	if err != nil {
		return err
	}
	if accountID.MatchString(r.Account) && !slices.ContainsFunc(list, func(a services.Named) bool { return a.ID == r.Account }) {
		list = append(list, services.Named{ID: r.Account, Name: r.Account}) // the token may use an account and not list it
	}
	if len(list) == 0 {
		return errors.New("the token lists no account at Cloudflare. Give it the permission Account, Account Settings, Read, or name the " +
			"account's id with --account")
	}
	var names []string
	for _, a := range list {
		names = append(names, a.Name)
	}
	if err := r.choose(ctx, &r.Account, names, "Which account at Cloudflare", "--account"); err != nil {
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
	if _, err = r.cloudflare.Queues(ctx); err == nil && r.config.bucket() != "" {
		err = r.cloudflare.CheckR2(ctx)
	}
	if err == nil {
		_, _, err = r.cloudflare.Secrets(ctx, r.script)
	}
	return err
}

// findDeployed looks at the script that Cloudflare has by the name in wrangler.toml. It refuses one that is another site's or no Plaza's,
// because the deployment would replace it and the run would take its secrets and database. Where nobody has changed wrangler.toml yet, it
// takes all variables of the deployed site into it: its file was lost, or not committed, and blanks would be deployed over them.
func (r *run) findDeployed(ctx context.Context) error {
	var there bool
	var err error
	if r.deployed, there, err = r.cloudflare.Variables(ctx, r.script); err != nil || !there {
		return err
	}
	switch site := r.deployed["SITE_URL"]; {
	case site == "":
		return fmt.Errorf("the account has a Worker %[1]s that is no Plaza: it has no SITE_URL. Change name in wrangler.toml. If it is a draft "+
			"with secrets of this site, delete it (npx wrangler delete --name %[1]s) and run this again", r.script)
	case isLocal(site):
	case r.config.remote("SITE_URL") == "":
		if r.SiteURL != "" && !strings.EqualFold(strings.TrimSuffix(r.SiteURL, "/"), site) {
			return r.anotherSite(r.SiteURL)
		}
		for _, name := range slices.Sorted(maps.Keys(r.deployed)) {
			if err := r.change(name, r.deployed[name]); err != nil {
				return err
			}
		}
	case r.config.variable("SITE_URL") != site && r.config.variable("LIBSQL_URL") != r.deployed["LIBSQL_URL"]:
		return r.anotherSite(r.config.variable("SITE_URL"))
	}
	return nil
}

func (r *run) anotherSite(wanted string) error {
	return fmt.Errorf("the Worker %s of the account is the site %s, and this one is to be %s. For a second site, change name in "+
		"wrangler.toml, and the names of the queues and of the bucket. If it is the same site, take the wrangler.toml that was committed "+
		"with it; passkeys belong to its name and stop working when that changes. If that is meant, change SITE_URL there", r.script,
		r.deployed["SITE_URL"], wanted)
}

// checkOthers is checkCloudflare for Turso and Upstash.
func (r *run) checkOthers(ctx context.Context) error {
	slugs, err := r.turso.Organizations(ctx)
	if err != nil {
		return err
	}
	if err := r.choose(ctx, &r.Organization, slugs, "Which organization at Turso", "--organization"); err != nil {
		return err
	}
	r.turso.Organization = r.Organization
	if _, err = r.turso.Groups(ctx); err == nil && !r.NoRedis {
		_, err = r.upstash.List(ctx)
	}
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
	r.SiteURL = cmp.Or(r.SiteURL, before)
	if err := r.ask(ctx, input{&r.SiteURL, "The site's address", "--site-url", fmt.Sprintf("https://%s.%s.workers.dev", r.script, subdomain),
		false}); err != nil {
		return err
	}
	u, err := url.Parse(strings.TrimSuffix(r.SiteURL, "/"))
	if err != nil || u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.User != nil {
		return fmt.Errorf("%q is not an address like https://plaza.example.org", r.SiteURL)
	}
	u.Host = strings.ToLower(u.Host) // as browsers send it, and as passkeys compare it
	r.SiteURL, r.host = u.String(), u.Hostname()
	if before != "" && r.SiteURL != before {
		return fmt.Errorf("wrangler.toml says that the site is %s. Passkeys belong to its name and stop working when it changes. "+
			"If that is meant, change SITE_URL there", before)
	}
	name := r.config.variable("SITE_NAME")
	if r.SiteName == "" && before != "" {
		r.SiteName = name
	}
	return r.ask(ctx, input{&r.SiteName, "The site's name", "--site-name", cmp.Or(name, "Plaza"), false})
}

// permissions are the permissions that a token of Cloudflare needs, by a part of the API's addresses that need them.
// https://developers.cloudflare.com/fundamentals/api/reference/permissions/
var permissions = []struct{ in, name string }{
	{"/queues", "Account, Queues, Edit"},
	{"/r2/", "Account, Workers R2 Storage, Edit"},
	{"/workers/domains", "Account, Workers Scripts, Edit, and Zone, Workers Routes, Edit, of the zone"},
	{"/workers/", "Account, Workers Scripts, Edit"},
	{"/accounts?", "Account, Account Settings, Read"},
}

// Numbers of Cloudflare's errors: R2 is not enabled for the account, and the token is invalid.
const (
	r2Off      = 10042
	badHeaders = 6003
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
			"name addresses of pictures only."
	case refusal.Status != http.StatusUnauthorized && refusal.Status != http.StatusForbidden && refusal.Code != badHeaders:
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
		return "UPSTASH_EMAIL or UPSTASH_API_KEY is wrong, or the account came from another platform, which has no API: " +
			"https://console.upstash.com/account/api."
	}
	return ""
}
