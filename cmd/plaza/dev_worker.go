package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// startTime is how long wrangler may take until the worker answers.
const startTime = 90 * time.Second

// startWorker starts wrangler dev and returns when /healthz answers.
func (d *dev) startWorker(ctx context.Context) error {
	secret, err := d.sessionSecret()
	if err != nil {
		return err
	}
	// In a file and not in the arguments, which everybody on the machine can list.
	vars := filepath.Join(d.o.data, "worker.env")
	if err := os.WriteFile(vars, []byte(envFile([][2]string{
		{"SITE_URL", d.siteURL()},
		{"LIBSQL_URL", d.databaseURL},
		{"LIBSQL_SHARD_URLS", ""},
		{"LIBSQL_AUTH_TOKEN", d.sqld.Token},
		{"UPSTASH_REDIS_REST_URL", d.redisURL},
		{"UPSTASH_REDIS_REST_TOKEN", d.token},
		{"SESSION_SECRET", secret},
		{"LIMIT_FACTOR", "100"}, // tests and one developer sign up more often than one network
	})), 0o600); err != nil {
		return err
	}
	node := filepath.Join(d.root, "node_modules", ".bin", "node")
	wrangler := filepath.Join(d.root, "node_modules", "wrangler", "bin", "wrangler.js")
	for _, tool := range []string{node, wrangler} {
		if _, err := os.Stat(tool); err != nil {
			return fmt.Errorf("%s is missing: run npm ci", tool)
		}
	}
	inspector, err := freePort()
	if err != nil {
		return err
	}
	cmd := exec.Command(node, wrangler, "dev", "--ip", "127.0.0.1", "--port", strconv.Itoa(d.o.port),
		"--inspector-port", strconv.Itoa(inspector), "--persist-to", filepath.Join(d.o.data, "wrangler"),
		"--env-file", vars, "--show-interactive-dev-session=false")
	cmd.Dir = d.root
	cmd.Env = append(os.Environ(), "WRANGLER_SEND_METRICS=false", "WRANGLER_HIDE_BANNER=true", "CI=1", "NO_COLOR=1",
		"NO_UPDATE_NOTIFIER=1", "CLOUDFLARE_CF_FETCH_ENABLED=false")
	var verbose io.Writer
	if d.o.verbose {
		verbose = d.env.err
	}
	log, closer, err := logFile(filepath.Join(d.o.data, "wrangler.log"), verbose)
	if err != nil {
		return err
	}
	d.closing(closer)
	if d.worker, err = startChild("wrangler dev", cmd, log); err != nil {
		return err
	}
	d.closing(d.worker.Close)
	return d.waitHealthy(ctx)
}

func (d *dev) waitHealthy(ctx context.Context) error {
	client := &http.Client{Timeout: 5 * time.Second}
	deadline := time.After(startTime)
	said := "no answer"
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.siteURL()+"/healthz", nil)
		if err != nil {
			return err
		}
		if resp, err := client.Do(req); err == nil {
			body, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
			said = resp.Status + ": " + strings.TrimSpace(string(body))
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-d.worker.done:
			return d.worker.ended()
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline:
			return fmt.Errorf("the worker is not well after %v (%s); see %s", startTime, said, filepath.Join(d.o.data, "wrangler.log"))
		}
	}
}

// watch returns when the command is to end, or with an error when a part of it has.
func (d *dev) watch(ctx context.Context) error {
	// wrangler dev fires no crons: https://developers.cloudflare.com/workers/configuration/cron-triggers/
	cron := time.NewTicker(time.Minute)
	defer cron.Stop()
	sqldEnded, redisEnded := d.sqld.Wait(), d.redis.Wait()
	for {
		select {
		case <-ctx.Done():
			d.say("Ending.")
			return nil
		case <-d.worker.done:
			return d.worker.ended()
		case err := <-sqldEnded:
			return fmt.Errorf("sqld ended (%v); see %s", orNormal(err), filepath.Join(d.o.data, "sqld.log"))
		case err := <-redisEnded:
			return fmt.Errorf("redis ended (%v); see %s", orNormal(err), filepath.Join(d.o.data, "redis.log"))
		case <-cron.C:
			go d.tick(ctx)
		}
	}
}

func orNormal(err error) error {
	if err == nil {
		return errors.New("exit status 0")
	}
	return err
}

// tick fires the worker's cron trigger.
func (d *dev) tick(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 50*time.Second)
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

// envFile writes variables in the quotes that dotenv reads literally.
func envFile(vars [][2]string) string {
	var b strings.Builder
	for _, v := range vars {
		fmt.Fprintf(&b, "%s='%s'\n", v[0], v[1])
	}
	return b.String()
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
