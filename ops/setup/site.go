package setup

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"maps"
	"net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plaza/protocol/webpush"
)

// tokenOf are the secrets for addresses, by variable.
var tokenOf = map[string]string{"LIBSQL_URL": "LIBSQL_AUTH_TOKEN", "UPSTASH_REDIS_REST_URL": "UPSTASH_REDIS_REST_TOKEN"}

// variables writes the addresses and names into wrangler.toml.
func (r *run) variables(context.Context) (result, error) {
	want := [][2]string{{"SITE_URL", r.SiteURL}, {"SITE_NAME", r.SiteName}}
	if r.url != "" {
		want = append(want, [2]string{"LIBSQL_URL", r.url})
	}
	switch {
	case r.NoRedis:
		want = append(want, [2]string{"UPSTASH_REDIS_REST_URL", ""})
	case r.redis != nil:
		want = append(want, [2]string{"UPSTASH_REDIS_REST_URL", "https://" + r.redis.Endpoint})
	}
	if r.MailProvider != "" {
		if r.MailProvider != "resend" && r.MailProvider != "postmark" {
			return result{}, fmt.Errorf("--mail-provider is %q; it has to be resend or postmark", r.MailProvider)
		}
		if _, err := mail.ParseAddress(r.MailFrom); err != nil {
			return result{}, fmt.Errorf("--mail-from is %q; it has to be an address like Plaza <plaza@example.org>", r.MailFrom)
		}
		want = append(want, [2]string{"MAIL_PROVIDER", r.MailProvider}, [2]string{"MAIL_FROM", r.MailFrom})
	}
	for _, w := range want {
		before := r.config.value("vars", w[0])
		if before == w[1] {
			continue
		}
		if w[1] != "" && tokenOf[w[0]] != "" {
			if r.config.remote(w[0]) != "" {
				return result{}, fmt.Errorf("wrangler.toml has %s = %s, and the one that was found is %s. If the site is to have the other one, "+
					"write its address there: its token takes the place of the old one's", w[0], before, w[1])
			}
		}
		if err := r.change(w[0], w[1]); err != nil {
			return result{}, err
		}
	}
	if r.config.setWorkersDev(!r.hasDomain()) {
		r.changed = append(r.changed, "workers_dev")
	}
	if len(r.changed) == 0 {
		return already("the site's variables")
	}
	if !r.DryRun {
		if err := r.config.write(); err != nil {
			return result{}, err
		}
	}
	return done("set %s", strings.Join(r.changed, ", "))
}

// change changes a variable of wrangler.toml. The step wrangler.toml writes the file.
func (r *run) change(name, value string) error {
	if before, exists := r.config.variables()[name]; exists && before == value {
		return nil
	}
	if !slices.Contains(r.changed, name) {
		r.changed = append(r.changed, name)
	}
	return r.config.setVariable(name, value)
}

// keptFile is the name of a file beside wrangler.toml with the secrets that tools on other machines send to the site. Later runs read it.
const keptFile = "plaza.env"

// secret is a secret that the site needs. make returns its value; it is called if the secret is not set, if replace is set, or if moved is.
type secret struct {
	name    string
	replace bool // a new value was given, which replaces the present one
	moved   bool // the present one is for another database, Redis or provider than wrangler.toml has (run.moved)
	make    func(context.Context) (string, error)
}

// secretsFor are the variables that identify the database, Redis and provider of a site's tokens.
var secretsFor = []string{"LIBSQL_URL", "LIBSQL_SHARD_URLS", "UPSTASH_REDIS_REST_URL", "MAIL_PROVIDER"}

// moved reports whether a variable of secretsFor differs from the site or the draft at Cloudflare.
func (r *run) moved(variable string) bool {
	return len(r.deployed) > 0 && r.deployed[variable] != r.config.value("vars", variable)
}

// makeDraft creates the draft of the script.
func (r *run) makeDraft(ctx context.Context) error {
	variables := map[string]string{}
	for _, name := range secretsFor {
		variables[name] = r.config.value("vars", name)
	}
	return r.cloudflare.CreateDraft(ctx, r.script, r.config.value("", "compatibility_date"), variables)
}

// setSecrets sets the missing secrets, and the provider's token if one was given. Tokens for a new address or provider are created or
// tried here, and the deployment sets them. Cloudflare accepts secrets only for an existing script, so before the first deployment
// setSecrets creates a draft of the script.
func (r *run) setSecrets(ctx context.Context) (result, error) {
	present, hasScript, err := r.cloudflare.Secrets(ctx, r.script)
	if err != nil {
		return result{}, err
	}
	r.pending = map[string]string{}
	all := []secret{
		{"LIBSQL_AUTH_TOKEN", false, r.moved("LIBSQL_URL") || r.moved("LIBSQL_SHARD_URLS"), r.siteToken},
		{"SESSION_SECRET", false, false, func(context.Context) (string, error) { return randomSecret(), nil }},
		{"VAPID_PRIVATE_KEY", false, false, func(context.Context) (string, error) { return webpush.NewKeys() }},
		{"HEALTH_TOKEN", false, false, func(context.Context) (string, error) { return r.keep("HEALTH_TOKEN", r.HealthToken) }},
	}
	if !r.NoRedis {
		all = append(all, secret{"UPSTASH_REDIS_REST_TOKEN", false, r.moved("UPSTASH_REDIS_REST_URL"),
			func(context.Context) (string, error) { return r.redis.Token, nil }})
	}
	if r.config.value("r2_buckets", "bucket_name") != "" {
		all = append(all, secret{"PICTURES_TOKEN", false, false,
			func(context.Context) (string, error) { return r.keep("PICTURES_TOKEN", r.PicturesToken) }})
	}
	if r.config.value("vars", "MAIL_PROVIDER") != "" {
		all = append(all, secret{"MAIL_TOKEN", r.MailToken != "", r.moved("MAIL_PROVIDER"), r.mailToken})
	}
	if err := r.readKept(); err != nil {
		return result{}, err
	}
	given := map[string]string{"HEALTH_TOKEN": r.HealthToken, "PICTURES_TOKEN": r.PicturesToken}
	var set, pending, names []string
	kept := ""
	for _, s := range all {
		names = append(names, s.name)
		if present[s.name] && !s.replace && !s.moved {
			if value := given[s.name]; value != "" && value != r.kept[s.name] {
				kept += "; " + s.name + " was set before, and stays as it is. To set the one that was given: wrangler secret put " + s.name
			}
			continue
		}
		if s.moved { // the running site still needs the old one, and a draft's secrets and variables must stay consistent
			pending = append(pending, s.name)
			r.pending[s.name] = "" // a dry run makes no value
		} else {
			set = append(set, s.name)
		}
		if r.DryRun {
			continue
		}
		if !hasScript {
			if err := r.makeDraft(ctx); err != nil {
				return result{}, err
			}
			hasScript = true
		}
		value, err := s.make(ctx)
		if err != nil {
			return result{}, err
		}
		r.secrets.add(value)
		if s.moved {
			r.pending[s.name] = value
			continue
		}
		if err := r.cloudflare.SetSecret(ctx, r.script, s.name, value); err != nil {
			return result{}, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	var did []string
	if len(set) > 0 {
		did = append(did, "set "+strings.Join(set, ", "))
	}
	if len(pending) > 0 {
		did = append(did, "take other tokens for what wrangler.toml names now, which go with the deployment: "+strings.Join(pending, ", "))
	}
	if len(did) == 0 {
		return already("%s%s", strings.Join(names, ", "), kept)
	}
	return done("%s%s", strings.Join(did, "; "), kept)
}

// siteToken creates the site's token for its databases: for the whole group if there are shards, otherwise for the one database.
func (r *run) siteToken(ctx context.Context) (string, error) { return r.newToken(ctx, "never") }

func (r *run) newToken(ctx context.Context, expires string) (token string, err error) {
	if len(r.shards()) > 0 && r.database.Group != "" {
		token, err = r.turso.CreateGroupToken(ctx, r.database.Group, expires)
	} else {
		token, err = r.turso.CreateToken(ctx, r.Database, expires)
	}
	r.secrets.add(token)
	return token, err
}

// shards returns the addresses of the shards; none if the directory is the only shard.
func (r *run) shards() []string { return shardsIn(r.config.value("vars", "LIBSQL_SHARD_URLS")) }

// shardsIn returns the addresses in a value of LIBSQL_SHARD_URLS.
func shardsIn(list string) []string {
	return strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == ' ' })
}

// mailToken returns the provider's token after a test mail was sent with it.
func (r *run) mailToken(ctx context.Context) (string, error) {
	if err := r.ask(ctx, &r.MailToken, "The token of the provider of mails", "", "MAIL_TOKEN in the environment", true); err != nil {
		return "", err
	}
	return r.MailToken, r.tryMail(ctx)
}

// randomSecret returns a secret of 48 random bytes.
func randomSecret() string {
	b := make([]byte, 48)
	_, _ = rand.Read(b) // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// readKept reads keptFile: lines like NAME=value.
func (r *run) readKept() error {
	r.kept = map[string]string{}
	b, err := os.ReadFile(filepath.Join(r.Folder, keptFile))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for line := range strings.Lines(string(b)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
			r.kept[name] = value
			if strings.HasSuffix(name, "_TOKEN") {
				r.secrets.add(value)
			}
		}
	}
	return nil
}

// keep returns a secret that tools need: the given one, the one in keptFile, or a random one. It writes it to keptFile first.
func (r *run) keep(name, given string) (string, error) {
	given = cmp.Or(given, r.kept[name], randomSecret())
	if len(given) < 32 {
		return "", fmt.Errorf("%s has to have at least 32 characters", name)
	}
	if r.kept[name] == given {
		return given, nil
	}
	r.kept[name] = given
	r.kept["SITE_URL"] = r.SiteURL
	text := "# Secrets that tools send to this site (docs/operations/settings.md). Nobody else may read this file.\n"
	for _, name := range slices.Sorted(maps.Keys(r.kept)) { // also the operator's own lines
		text += name + "=" + r.kept[name] + "\n"
	}
	return given, replaceFile(filepath.Join(r.Folder, keptFile), text, 0o600)
}
