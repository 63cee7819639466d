package setup

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plaza/protocol/webpush"
)

// variables writes the addresses and names into wrangler.toml.
func (r *run) variables(context.Context) (result, error) {
	want := map[string]string{"SITE_URL": r.SiteURL, "SITE_NAME": r.SiteName}
	if r.url != "" {
		want["LIBSQL_URL"] = r.url
	}
	if r.NoRedis {
		want["UPSTASH_REDIS_REST_URL"] = ""
	} else if r.redis != nil {
		want["UPSTASH_REDIS_REST_URL"] = "https://" + r.redis.Endpoint
	}
	if r.MailProvider != "" {
		if r.MailProvider != "resend" && r.MailProvider != "postmark" {
			return result{}, fmt.Errorf("--mail-provider is %q; it has to be resend or postmark", r.MailProvider)
		}
		if _, err := mail.ParseAddress(r.MailFrom); err != nil {
			return result{}, fmt.Errorf("--mail-from is %q; it has to be an address like Plaza <plaza@example.org>", r.MailFrom)
		}
		want["MAIL_PROVIDER"], want["MAIL_FROM"] = r.MailProvider, r.MailFrom
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		value := want[name]
		if r.config.variable(name) == value {
			continue
		}
		if before := r.config.remote(name); (name == "LIBSQL_URL" || name == "UPSTASH_REDIS_REST_URL") && value != "" && before != "" {
			return result{}, fmt.Errorf("wrangler.toml has %s = %s, and the one that was found is %s. If the site is to have the other one, "+
				"write its address there: its token takes the place of the old one's", name, before, value)
		}
		if err := r.change(name, value); err != nil {
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
	if before, there := r.config.variables()[name]; there && before == value {
		return nil
	}
	if !slices.Contains(r.changed, name) {
		r.changed = append(r.changed, name)
	}
	return r.config.setVariable(name, value)
}

// keptFile is a file beside wrangler.toml, with the secrets that tools on other machines send to the site. The next run reads it again.
const keptFile = "plaza.env"

// secret is a secret that the site needs. make returns its value if it is not set, if a new one is given, or if it has moved.
type secret struct {
	name  string
	given string // a value that the operator has given
	moved bool   // what is set belongs to the database, Redis or provider of the site there, and not to the one in wrangler.toml
	make  func(context.Context) (string, error)
}

// moved tells whether a variable is another one now than in the site that Cloudflare has.
func (r *run) moved(variable string) bool {
	return len(r.deployed) > 0 && r.deployed[variable] != r.config.variable(variable)
}

// wanted are the secrets that the site needs.
func (r *run) wanted() []secret {
	kept := func(name, given string) secret {
		return secret{name, given, false, func(context.Context) (string, error) { return r.keep(name, given) }}
	}
	all := []secret{
		{"LIBSQL_AUTH_TOKEN", "", r.moved("LIBSQL_URL") || r.moved("LIBSQL_SHARD_URLS"),
			func(ctx context.Context) (string, error) { return r.newToken(ctx, "never") }},
		{"SESSION_SECRET", "", false, func(context.Context) (string, error) { return drawn(), nil }},
		{"VAPID_PRIVATE_KEY", "", false, func(context.Context) (string, error) { return webpush.NewKeys() }},
		kept("HEALTH_TOKEN", r.HealthToken),
	}
	if !r.NoRedis {
		all = append(all, secret{"UPSTASH_REDIS_REST_TOKEN", "", r.moved("UPSTASH_REDIS_REST_URL"),
			func(context.Context) (string, error) { return r.redis.Token, nil }})
	}
	if r.config.bucket() != "" {
		all = append(all, kept("PICTURES_TOKEN", r.PicturesToken))
	}
	if r.config.variable("MAIL_PROVIDER") != "" {
		all = append(all, secret{"MAIL_TOKEN", r.MailToken, r.moved("MAIL_PROVIDER"), r.mailToken})
	}
	return all
}

// setSecrets sets the secrets that are missing, and the provider's token if one was given. It makes or tries the tokens that belong to a
// new address or provider, and the deployment sends them. The first deployment sends all, since no script is there yet to take secrets.
func (r *run) setSecrets(ctx context.Context) (result, error) {
	there, hasScript, err := r.cloudflare.Secrets(ctx, r.script)
	if err != nil {
		return result{}, err
	}
	if err := r.readKept(); err != nil {
		return result{}, err
	}
	r.along = map[string]string{}
	var set, moved, names []string
	kept := ""
	for _, s := range r.wanted() {
		names = append(names, s.name)
		if there[s.name] && !s.moved && (s.given == "" || s.name != "MAIL_TOKEN") { // a given token of the provider replaces the old one
			if s.given != "" && s.given != r.kept[s.name] {
				kept += "; " + s.name + " was set before, and stays as it is. To set the one that was given: wrangler secret put " + s.name
			}
			continue
		}
		if s.moved {
			moved = append(moved, s.name)
		} else {
			set = append(set, s.name)
		}
		along, value := s.moved || !hasScript, "" // until the deployment, a running site needs the token of the old address
		if !r.DryRun {
			if value, err = s.make(ctx); err != nil {
				return result{}, err
			}
			r.secrets.add(value)
		}
		if along {
			r.along[s.name] = value
		} else if !r.DryRun {
			if err := r.cloudflare.SetSecret(ctx, r.script, s.name, value); err != nil {
				return result{}, fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	var did []string
	if len(set) > 0 {
		did = append(did, "set "+strings.Join(set, ", "))
	}
	if len(moved) > 0 {
		did = append(did, "take other tokens for what wrangler.toml names now, which go with the deployment: "+strings.Join(moved, ", "))
	}
	if len(did) == 0 {
		return already("%s%s", strings.Join(names, ", "), kept)
	}
	return done("%s%s", strings.Join(did, "; "), kept)
}

// newToken makes a token for the databases: for the whole group if there are thread shards, otherwise for the one database.
func (r *run) newToken(ctx context.Context, expires string) (token string, err error) {
	if len(r.shards()) > 0 && r.database.Group != "" {
		token, err = r.turso.MakeGroupToken(ctx, r.database.Group, expires)
	} else {
		token, err = r.turso.MakeToken(ctx, r.Database, expires)
	}
	r.secrets.add(token)
	return token, err
}

// shards are the addresses of the thread shards, none where the directory is the one shard.
func (r *run) shards() []string { return shardsIn(r.config.variable("LIBSQL_SHARD_URLS")) }

// shardsIn returns the addresses in a value of LIBSQL_SHARD_URLS.
func shardsIn(list string) []string {
	return strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == ' ' })
}

// drawn is a secret of 256 random bits.
func drawn() string { return rand.Text() + rand.Text() }

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

// keep returns a secret that tools need, and writes it into keptFile first. It is the given one, the one of keptFile, or a random one.
func (r *run) keep(name, given string) (string, error) {
	given = cmp.Or(given, r.kept[name], drawn())
	if len(given) < 32 {
		return "", fmt.Errorf("%s has to have at least 32 characters", name)
	}
	if r.kept[name] == given {
		return given, nil
	}
	r.kept[name] = given
	r.kept["SITE_URL"] = r.SiteURL
	text := "# Secrets that tools send to this site (docs/operations/settings.md). Nobody else may read this file.\n"
	for _, name := range slices.Sorted(maps.Keys(r.kept)) { // with what else the operator has written there
		text += name + "=" + r.kept[name] + "\n"
	}
	return given, replaceFile(filepath.Join(r.Folder, keptFile), text, 0o600)
}
