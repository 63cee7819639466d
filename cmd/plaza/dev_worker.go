package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"plaza/protocol/webpush"
	"plaza/stack/child"
)

// startTime is how long wrangler may take to respond.
const startTime = 90 * time.Second

// startWorker starts wrangler dev and returns when /healthz responds with 200.
func (d *dev) startWorker(ctx context.Context) error {
	secret, err := d.storedSecret("session-secret", func() (string, error) { return randomText(), nil })
	if err != nil {
		return err
	}
	vapid, err := d.storedSecret("vapid-key", webpush.NewKeys)
	if err != nil {
		return err
	}
	// Secrets are in a file, because every user of the machine can list the arguments of a process.
	vars := filepath.Join(d.o.data, "worker.env")
	variables := append([][2]string{
		{"SITE_URL", d.siteURL()},
		{"LIBSQL_URL", d.databaseURL},
		{"LIBSQL_SHARD_URLS", ""},
		{"LIBSQL_REPLICA_URL", ""},
		{"LIBSQL_SHARD_REPLICA_URLS", ""},
		{"LIBSQL_AUTH_TOKEN", d.sqld.Token},
		{"UPSTASH_REDIS_REST_URL", d.redisURL},
		{"UPSTASH_REDIS_REST_TOKEN", d.token},
		{"SESSION_SECRET", secret},
		{"VAPID_PRIVATE_KEY", vapid},
		{"HEALTH_TOKEN", randomText()},
		{"PICTURES_TOKEN", randomText()},
		{"MAIL_PROVIDER", "resend"},
		{"MAIL_URL", d.mailbox.URL + "/emails"},
		{"MAIL_TOKEN", d.token},
		{"MAIL_FROM", "Plaza <plaza@plaza.invalid>"},
		{"LIMIT_FACTOR", "100"}, // tests and a developer sign up more often than one network may
	}, providerVariables(os.Environ())...)
	if err := os.WriteFile(vars, []byte(envFile(variables)), 0o600); err != nil {
		return err
	}
	node := filepath.Join(d.root, "node_modules", ".bin", "node")
	wrangler := filepath.Join(d.root, "node_modules", "wrangler", "bin", "wrangler.js")
	for _, tool := range []string{node, wrangler} {
		if _, err := os.Stat(tool); err != nil {
			return fmt.Errorf("%s is missing: run npm ci", tool)
		}
	}
	inspector, err := child.FreeAddr()
	if err != nil {
		return err
	}
	_, inspectorPort, _ := net.SplitHostPort(inspector)
	cmd := exec.Command(node, wrangler, "dev", "--ip", "127.0.0.1", "--port", strconv.Itoa(d.o.port),
		"--inspector-port", inspectorPort, "--persist-to", filepath.Join(d.o.data, "wrangler"),
		"--env-file", vars, "--show-interactive-dev-session=false")
	cmd.Dir = d.root
	cmd.Env = append(os.Environ(), "WRANGLER_SEND_METRICS=false", "WRANGLER_HIDE_BANNER=true", "CI=1", "NO_COLOR=1",
		"NO_UPDATE_NOTIFIER=1", "CLOUDFLARE_CF_FETCH_ENABLED=false")
	log, err := d.log("wrangler")
	if err != nil {
		return err
	}
	if d.worker, err = child.Start(cmd, child.Options{Name: "wrangler dev", Log: log, Orphan: syscall.SIGTERM}); err != nil {
		return err
	}
	d.onClose(d.worker.Close)
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := d.worker.Ready(ctx, d.healthy); err != nil {
		return fmt.Errorf("%w\nSee %s", err, filepath.Join(d.o.data, "wrangler.log"))
	}
	return nil
}

// providerVariables returns the environment variables of OpenID providers (worker/oidc).
func providerVariables(environ []string) (list [][2]string) {
	for _, line := range environ {
		if name, value, _ := strings.Cut(line, "="); strings.HasPrefix(name, "AUTH_") || name == "SSO_ONLY" {
			list = append(list, [2]string{name, value})
		}
	}
	return list
}

// healthy returns an error unless /healthz responds with 200.
func (d *dev) healthy(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.siteURL()+"/healthz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(io.LimitReader(resp.Body, 300)); resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", resp.Status, strings.TrimSpace(string(body)))
	}
	return nil
}

// watch returns when the context ends, or with an error when a part has ended.
func (d *dev) watch(ctx context.Context) error {
	// wrangler dev does not run cron triggers: https://developers.cloudflare.com/workers/configuration/cron-triggers/
	cron := time.NewTicker(time.Minute)
	defer cron.Stop()
	workerEnded, sqldEnded, redisEnded := d.worker.Wait(), d.sqld.Wait(), d.redis.Wait()
	for {
		select {
		case <-ctx.Done():
			d.say("Ending.")
			return nil
		case <-workerEnded:
			return d.worker.Ended()
		case err := <-sqldEnded:
			return fmt.Errorf("sqld ended (%s); see %s", child.How(err), filepath.Join(d.o.data, "sqld.log"))
		case err := <-redisEnded:
			return fmt.Errorf("redis ended (%s); see %s", child.How(err), filepath.Join(d.o.data, "redis.log"))
		case <-cron.C:
			go d.tick(ctx)
		}
	}
}

// tick runs the worker's cron trigger.
func (d *dev) tick(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute) // the worker stops earlier
	defer cancel()
	url := d.siteURL() + "/cdn-cgi/handler/scheduled?cron=*+*+*+*+*"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		if ctx.Err() == nil {
			d.say("the cron trigger failed: %v", err)
		}
		return
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(io.LimitReader(resp.Body, 300)); resp.StatusCode != http.StatusOK {
		d.say("the cron trigger answered %s: %s", resp.Status, strings.TrimSpace(string(body)))
	}
}

// envFile returns variables in single quotes, which dotenv reads literally.
func envFile(vars [][2]string) string {
	var b strings.Builder
	for _, v := range vars {
		fmt.Fprintf(&b, "%s='%s'\n", v[0], v[1])
	}
	return b.String()
}
