package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"plaza/ops/doctor"
	"plaza/ops/setup"
)

// runSetup deploys a site, or continues an earlier run.
func runSetup(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "setup")
	o := setup.Options{Out: env.out, Log: env.err}
	for _, v := range []struct {
		value       *string
		name, about string
	}{
		{&o.Folder, "folder", "the `folder` with wrangler.toml and build.sh (default the present one)"},
		{&o.SiteURL, "site-url", "the site's `address`, such as https://plaza.example.org, of a zone in the account (default below workers.dev)"},
		{&o.SiteName, "site-name", "the site's `name`"},
		{&o.Account, "account", "`id` or name of the account at Cloudflare, if the token reaches several"},
		{&o.Organization, "organization", "`slug` of the organization at Turso, if the token reaches several"},
		{&o.Group, "group", "`name` of the group of databases at Turso (default the one named default, or the first)"},
		{&o.Location, "location", "the `place` of that group, if it has to be made, such as aws-eu-west-1"},
		{&o.Database, "database", "`name` of the database at Turso (default that of the Worker)"},
		{&o.Redis, "redis", "`name` of the Redis at Upstash (default that of the Worker)"},
		{&o.RedisRegion, "redis-region", "the `region` of the Redis, if it has to be made, such as eu-west-1"},
		{&o.Admin, "admin", "`name` of the first administrator; the password is asked for, or is in PLAZA_ADMIN_PASSWORD"},
		{&o.Email, "email", "email `address` of the administrator, where the site sends mail"},
		{&o.Community, "community", "`name` of the first community"},
		{&o.CommunityTitle, "community-title", "its `title`"},
		{&o.MailProvider, "mail-provider", "who sends the site's mails: `resend` or postmark (default nobody)"},
		{&o.MailFrom, "mail-from", "the `sender`, such as \"Plaza <plaza@example.org>\""},
	} {
		f.StringVar(v.value, v.name, "", v.about)
	}
	f.BoolVar(&o.NoRedis, "no-redis", false, "the site does without a Redis (docs/operations/without-redis.md)")
	f.BoolVar(&o.DryRun, "dry-run", false, "print what each step would do, and change nothing")
	rest, err := parseFlags(f, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return usagef("unexpected argument %q", rest[0])
	}
	secrets := map[string]*string{
		"CLOUDFLARE_API_TOKEN": &o.CloudflareToken, "TURSO_API_TOKEN": &o.TursoToken, "UPSTASH_EMAIL": &o.UpstashEmail,
		"UPSTASH_API_KEY": &o.UpstashKey, "PLAZA_ADMIN_PASSWORD": &o.AdminPassword, "MAIL_TOKEN": &o.MailToken, "HEALTH_TOKEN": &o.HealthToken,
		"PICTURES_TOKEN": &o.PicturesToken,
	}
	for name, value := range secrets {
		*value = env.getenv(name)
	}
	if o.Folder == "" {
		o.Folder = "."
	}
	if isTerminal(os.Stdin) && isTerminal(env.err) {
		in := bufio.NewReader(os.Stdin)
		o.Ask = func(ctx context.Context, question, fallback string, secret bool) (string, error) {
			return ask(ctx, in, env.err, question, fallback, secret)
		}
	}
	o.Deploy = func(ctx context.Context, d setup.Deployment, log io.Writer) error {
		return deploySite(ctx, o.Folder, os.Environ(), secrets, d, log)
	}
	o.Doctor = func(ctx context.Context, siteURL, healthToken string, out io.Writer) int {
		return doctor.Run(ctx, doctor.Options{URL: siteURL, HealthToken: healthToken, Token: env.getenv("PLAZA_TOKEN"), Folder: o.Folder,
			Wait: doctor.NewSiteWait, Out: out})
	}
	return setup.Run(ctx, o)
}

// deploySite runs ./build.sh deploy in a folder. The environment lacks the secrets of setup, because the build runs programs of others. No
// other setup may run in the folder (setup.Run).
func deploySite(ctx context.Context, folder string, environment []string, secrets map[string]*string, d setup.Deployment,
	log io.Writer) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	deploy := exec.CommandContext(ctx, filepath.Join(folder, "build.sh"), "deploy")
	if d.Gateway {
		deploy.Args = append(deploy.Args, "--gateway")
	}
	deploy.Env = append(slices.DeleteFunc(environment, func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		return secrets[name] != nil
	}), d.Environment...)
	file := filepath.Join(folder, secretsFile)
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) { // left over from a run that was killed
		return err
	}
	if len(d.Secrets) > 0 {
		defer os.Remove(file)
		if err := writeSecrets(file, d.Secrets); err != nil {
			return err
		}
		deploy.Env = append(deploy.Env, "PLAZA_SECRETS_FILE="+file)
	}
	deploy.Stdout, deploy.Stderr = log, log
	return deploy.Run()
}

// secretsFile is the name of a file beside wrangler.toml with the secrets of a deployment. It exists only during the deployment.
const secretsFile = ".plaza-secrets.json"

// writeSecrets writes secrets into a new file that only this user can read, for wrangler deploy --secrets-file.
func writeSecrets(path string, secrets map[string]string) error {
	text, err := json.Marshal(secrets)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// ask asks a question on the terminal. For a secret, the terminal does not show what is typed.
func ask(ctx context.Context, in *bufio.Reader, out io.Writer, question, fallback string, secret bool) (string, error) {
	if fallback != "" {
		question += " [" + fallback + "]"
	}
	fmt.Fprint(out, question+": ")
	if secret {
		if err := echo(ctx, false); err != nil {
			return "", errors.New("the terminal can't hide what is typed (stty -echo): put it into the environment")
		}
		defer func() {
			_ = echo(context.WithoutCancel(ctx), true)
			fmt.Fprintln(out)
		}()
	}
	type line struct {
		text string
		err  error
	}
	read := make(chan line, 1)
	go func() {
		text, err := in.ReadString('\n')
		read <- line{strings.TrimSpace(text), err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case l := <-read:
		return l.text, l.err
	}
}

// echo sets whether the terminal shows what is typed.
func echo(ctx context.Context, on bool) error {
	mode := "-echo"
	if on {
		mode = "echo"
	}
	stty := exec.CommandContext(ctx, "stty", mode)
	stty.Stdin = os.Stdin
	return stty.Run()
}

// runDoctor checks a running site.
func runDoctor(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "doctor")
	folder := f.String("folder", ".", "the `folder` with the site's build, whose size is looked at, and its wrangler.toml")
	rest, err := parseFlags(f, args)
	if err != nil {
		return err
	}
	site := env.getenv("SITE_URL")
	switch {
	case len(rest) > 1:
		return usagef("unexpected argument %q", rest[1])
	case len(rest) == 1:
		site = rest[0]
	case site == "":
		return usagef("which site? give its address or set SITE_URL")
	}
	if err := checkSite(site); err != nil {
		return err
	}
	if u, err := url.Parse(site); err == nil && u.Scheme == "http" && u.Hostname() != "localhost" && u.Hostname() != "127.0.0.1" &&
		env.getenv("HEALTH_TOKEN")+env.getenv("PLAZA_TOKEN") != "" {
		return usagef("%s is not encrypted, so HEALTH_TOKEN and PLAZA_TOKEN are not sent there: give an address with https://", site)
	}
	variables, err := setup.Variables(*folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	problems := doctor.Run(ctx, doctor.Options{URL: site, HealthToken: env.getenv("HEALTH_TOKEN"), Token: env.getenv("PLAZA_TOKEN"),
		Folder: *folder, Out: env.out, Variables: variables,
		Environment: map[string]string{"LIBSQL_URL": env.getenv("LIBSQL_URL"), "LIBSQL_SHARD_URLS": env.getenv("LIBSQL_SHARD_URLS")}})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if problems > 0 {
		return fmt.Errorf("%d of these are not well", problems)
	}
	return nil
}

func checkSite(address string) error {
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") {
		return usagef("%q is not the address of a site, which is like https://plaza.example.org", address)
	}
	return nil
}
