package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"plaza/stack"
	"plaza/stack/child"
)

// devOptions are the flags of plaza dev.
type devOptions struct {
	port    int
	data    string
	fresh   bool
	verbose bool
	empty   bool
	faults  bool
}

func runDev(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "dev")
	var o devOptions
	f.IntVar(&o.port, "port", 8787, "port of the site on 127.0.0.1")
	f.StringVar(&o.data, "data", "", "`directory` that keeps the databases, logs and the session key (default .plaza/dev in the repository)")
	f.BoolVar(&o.fresh, "fresh", false, "delete what plaza dev has in the data directory, and begin again")
	f.BoolVar(&o.verbose, "verbose", false, "show the logs of all parts here, too")
	f.BoolVar(&o.empty, "empty", false, "put nothing but an administrator into new databases")
	f.BoolVar(&o.faults, "faults", false, "put fault proxies before the databases, for tests (e2e/faults)")
	rest, err := parseFlags(f, args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return usagef("unexpected argument %q", rest[0])
	case o.port < 1 || o.port > 65535:
		return usagef("%d is not a port", o.port)
	}
	d := &dev{env: env, o: o}
	err = d.run(ctx)
	if closing := d.close(); err == nil {
		err = closing
	}
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		return nil // stopped by a signal, at any moment
	}
	return err
}

// dev is a running local site. Its parts are closed in the reverse order of their start.
type dev struct {
	env     *environment
	o       devOptions
	root    string
	token   string
	sqld    *stack.SQLD
	redis   *stack.Redis
	upstash *stack.Upstash
	mailbox *stack.Mailbox
	worker  *child.Process
	closers []func() error

	databaseURL, redisURL string // addresses that the worker uses
}

func (d *dev) onClose(f func() error) { d.closers = append(d.closers, f) }

func (d *dev) close() error {
	var err error
	for i := len(d.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, d.closers[i]())
	}
	d.closers = nil
	return err
}

// say prints progress to standard error. Standard output only gets the ready line.
func (d *dev) say(format string, args ...any) { fmt.Fprintf(d.env.err, format+"\n", args...) }

func (d *dev) run(ctx context.Context) error {
	var err error
	if d.root, err = stack.Root(); err != nil {
		return err
	}
	for _, name := range []string{"build/app.wasm", "build/worker.mjs", "build/wasm_exec.js", "wrangler.toml"} {
		if _, err := os.Stat(filepath.Join(d.root, name)); err != nil {
			return fmt.Errorf("%s is missing: run ./build.sh first (./build.sh dev does it all)", name)
		}
	}
	if err := portFree(d.o.port); err != nil {
		return err
	}
	if err := d.openData(); err != nil {
		return err
	}
	if err := d.startStack(ctx); err != nil {
		return err
	}
	if err := d.fill(ctx); err != nil {
		return err
	}
	d.databaseURL, d.redisURL = d.sqld.URL, d.upstash.URL
	if d.o.faults {
		err = d.startFaults()
	} else {
		err = d.shareConnections()
	}
	if err != nil {
		return err
	}
	if err := d.startWorker(ctx); err != nil {
		return err
	}
	d.sayWho()
	d.say("What the site sends by mail is on %s", d.mailbox.URL)
	fmt.Fprintf(d.env.out, "Plaza is ready on %s\n", d.siteURL())
	return d.watch(ctx)
}

// shareConnections puts a proxy before sqld that shares connections: sqld spends most of its time reading the schema for each new one.
func (d *dev) shareConnections() error {
	proxy, err := stack.StartSharingProxy(d.databaseURL)
	if err != nil {
		return err
	}
	d.onClose(proxy.Close)
	d.databaseURL = proxy.URL
	return nil
}

// siteURL has a host name, because browsers create no passkeys for an IP address.
func (d *dev) siteURL() string { return fmt.Sprintf("http://localhost:%d", d.o.port) }

// portFree returns an error that names the port if it is in use.
func portFree(port int) error {
	err := child.CheckFree(fmt.Sprintf("127.0.0.1:%d", port))
	if errors.Is(err, child.ErrTaken) {
		return fmt.Errorf("port %d is in use: end what listens there, or choose another with --port", port)
	}
	if err != nil {
		return fmt.Errorf("port %d can't be used: %w", port, err)
	}
	return nil
}

// openData creates the data directory and locks it for this process: two sqld processes on the same files would corrupt them.
func (d *dev) openData() error {
	path := d.o.data
	if path == "" {
		path = filepath.Join(d.root, ".plaza", "dev")
	} else if from := d.env.getenv("PLAZA_CALLED_FROM"); from != "" && !filepath.IsAbs(path) {
		path = filepath.Join(from, path) // build.sh changes to the repository's folder first
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	d.o.data = path
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	lock, err := os.OpenFile(filepath.Join(path, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		return fmt.Errorf("another plaza dev uses %s: end it, or choose another directory with --data", path)
	}
	d.onClose(lock.Close)
	if !d.o.fresh {
		return nil
	}
	// Remove only files of plaza dev: the directory may contain others.
	for _, name := range []string{"sqld", "redis", "wrangler", filledMarker, "session-secret", "vapid-key", "worker.env", "faults.json"} {
		if err := os.RemoveAll(filepath.Join(path, name)); err != nil {
			return err
		}
	}
	return nil
}

func (d *dev) startStack(ctx context.Context) error {
	sqldLog, err := d.log("sqld")
	if err != nil {
		return err
	}
	redisLog, err := d.log("redis")
	if err != nil {
		return err
	}
	if d.sqld, err = stack.StartSQLD(ctx, stack.SQLDOptions{Dir: filepath.Join(d.o.data, "sqld"), Log: sqldLog}); err != nil {
		return err
	}
	d.onClose(d.sqld.Close)
	if d.redis, err = stack.StartRedis(ctx, stack.RedisOptions{Dir: filepath.Join(d.o.data, "redis"), Log: redisLog}); err != nil {
		return err
	}
	d.onClose(d.redis.Close)
	d.token = randomText()
	if d.upstash, err = stack.StartUpstash(ctx, stack.UpstashOptions{RedisAddr: d.redis.Addr, Token: d.token}); err != nil {
		return err
	}
	d.onClose(d.upstash.Close)
	if d.mailbox, err = stack.StartMailbox(d.token); err != nil {
		return err
	}
	d.onClose(d.mailbox.Close)
	d.say("sqld is on %s, %s is behind %s; their tokens are in %s", d.sqld.URL, d.redis.Kind, d.upstash.URL,
		filepath.Join(d.o.data, "worker.env"))
	return nil
}

// log opens the log of a part in the data directory. With --verbose the log is written to the terminal too.
func (d *dev) log(part string) (io.Writer, error) {
	f, err := os.OpenFile(filepath.Join(d.o.data, part+".log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	d.onClose(f.Close)
	if d.o.verbose {
		return io.MultiWriter(f, d.env.err), nil
	}
	return f, nil
}

func randomText() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails, by its documentation
	return hex.EncodeToString(b)
}

// storedSecret returns the secret in a file of the data directory. It creates the file once, so that members stay logged in and push
// subscriptions stay valid between starts.
func (d *dev) storedSecret(name string, make func() (string, error)) (string, error) {
	path := filepath.Join(d.o.data, name)
	b, err := os.ReadFile(path)
	if err == nil && len(b) >= 32 {
		return strings.TrimSpace(string(b)), nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	secret, err := make()
	if err != nil {
		return "", err
	}
	return secret, os.WriteFile(path, []byte(secret+"\n"), 0o600)
}
