package stack

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"plaza/stack/child"
)

// The kinds of Redis that StartRedis finds.
const (
	KindExternal = "external"     // REDIS_URL names a running one
	KindServer   = "redis-server" // started here from PATH
	KindMini     = "miniredis"    // embedded in this process
)

// RedisOptions configure Redis.
type RedisOptions struct {
	Dir  string    // where redis-server stores an append-only file; "" stores nothing
	Addr string    // loopback address to listen on; "" is a free port
	Kind string    // one of the kinds; "" is the first that is available, in the order above
	Log  io.Writer // the output of redis-server, nil for none
}

// Redis is a running Redis.
type Redis struct {
	Addr string // host:port, or the value of REDIS_URL
	Kind string

	process *child.Process
	mini    *miniredis.Miniredis
	temp    string
	done    chan struct{}
	once    sync.Once
	closed  error
}

// StartRedis returns when Redis responds. The context limits the start alone; Close ends it.
func StartRedis(ctx context.Context, o RedisOptions) (*Redis, error) {
	url := os.Getenv("REDIS_URL")
	kind := o.Kind
	if kind == "" && url != "" {
		kind = KindExternal
	} else if kind == "" {
		kind = LocalRedis()
	}
	switch kind {
	case KindExternal:
		return useRedis(ctx, url)
	case KindServer:
		return startServer(ctx, o)
	case KindMini:
		return startMini(o)
	}
	return nil, fmt.Errorf("redis: unknown kind %q", kind)
}

// LocalRedis returns the kind that can be started here: KindServer when it is installed, otherwise KindMini.
func LocalRedis() string {
	if _, err := exec.LookPath("redis-server"); err == nil {
		return KindServer
	}
	return KindMini
}

func useRedis(ctx context.Context, url string) (*Redis, error) {
	client, err := openRedis(url)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	if err := client.Ping(ctx).Err(); err != nil {
		return nil, fmt.Errorf("redis: REDIS_URL is set, but nothing responds there: %w", err)
	}
	return &Redis{Addr: url, Kind: KindExternal, done: make(chan struct{})}, nil
}

func startMini(o RedisOptions) (*Redis, error) {
	mini := miniredis.NewMiniRedis()
	addr := o.Addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	if err := mini.StartAddr(addr); err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	r := &Redis{Addr: mini.Addr(), Kind: KindMini, mini: mini, done: make(chan struct{})}
	go r.tick()
	return r, nil
}

// tick makes miniredis expire keys: it has no clock of its own for that.
func (r *Redis) tick() {
	const step = 100 * time.Millisecond
	ticker := time.NewTicker(step)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			r.mini.FastForward(step)
		case <-r.done:
			return
		}
	}
}

func startServer(ctx context.Context, o RedisOptions) (*Redis, error) {
	tries := 3 // another process can take a free port before redis-server listens on it
	if o.Addr != "" {
		if err := child.CheckFree(o.Addr); err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
		tries = 1
	}
	var failed error
	for range tries {
		r, err := tryServer(ctx, o)
		if err == nil {
			return r, nil
		}
		if failed = err; ctx.Err() != nil {
			break
		}
	}
	return nil, failed
}

func tryServer(ctx context.Context, o RedisOptions) (_ *Redis, err error) {
	addr := o.Addr
	if addr == "" {
		if addr, err = child.FreeAddr(); err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("redis: address %q: %w", addr, err)
	}
	r := &Redis{Addr: addr, Kind: KindServer, done: make(chan struct{})}
	dir, keep := o.Dir, "yes"
	if dir == "" {
		if r.temp, err = os.MkdirTemp("", "plaza-redis-"); err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
		dir, keep = r.temp, "no"
	} else if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	} else if err = os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	defer func() {
		if err != nil {
			_ = r.Close()
		}
	}()

	cmd := exec.Command("redis-server", "--bind", host, "--port", port, "--dir", dir,
		"--appendonly", keep, "--appendfsync", "everysec", "--save", "", "--daemonize", "no", "--loglevel", "warning")
	if r.process, err = child.Start(cmd, child.Options{Name: "redis-server on " + addr, Log: o.Log}); err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	client, err := openRedis(addr)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	err = r.process.Ready(ctx, func(ctx context.Context) error { return r.ping(ctx, client) })
	if err != nil {
		return nil, err
	}
	return r, nil
}

// ping reads the process id, so that another Redis on the same port is not mistaken for this one. INFO works while the append-only
// file is still being loaded, when other commands do not.
func (r *Redis) ping(ctx context.Context, client *redis.Client) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", r.Addr)
	if err != nil {
		return err // checked before go-redis, which would print it
	}
	_ = conn.Close()
	info, err := client.Info(ctx).Result()
	if err != nil {
		return err
	}
	for _, line := range []string{fmt.Sprintf("\nprocess_id:%d\r", r.process.PID()), "\nloading:0\r"} {
		if !strings.Contains(info, line) {
			return fmt.Errorf("INFO has no %q", strings.TrimSpace(line))
		}
	}
	return nil
}

// Reset empties a redis-server that StartRedis started: keys, scripts and counts.
func (r *Redis) Reset(ctx context.Context) error {
	client, err := openRedis(r.Addr)
	if err != nil {
		return err
	}
	defer client.Close()
	pipe := client.Pipeline()
	pipe.FlushAll(ctx)
	pipe.ScriptFlush(ctx)
	pipe.ConfigResetStat(ctx)
	_, err = pipe.Exec(ctx)
	return err
}

// Wait delivers the result of redis-server, also after Close. For the other kinds, Close closes the channel.
func (r *Redis) Wait() <-chan error {
	if r.process != nil {
		return r.process.Wait()
	}
	ch := make(chan error)
	go func() {
		<-r.done
		close(ch)
	}()
	return ch
}

// Close ends what StartRedis started and removes its temporary directory. An external Redis continues. It may be called more than once.
func (r *Redis) Close() error {
	r.once.Do(func() { r.closed = r.close() })
	return r.closed
}

func (r *Redis) close() error {
	close(r.done)
	if r.process != nil {
		if r.temp != "" {
			// It checks for signals only every 100 ms, and has nothing to save.
			r.process.Kill()
		}
		_ = r.process.Close()
	}
	if r.mini != nil {
		r.mini.Close()
	}
	if r.temp != "" {
		return os.RemoveAll(r.temp)
	}
	return nil
}

// openRedis returns a client for host:port or a redis:// URL that sends each command once, and uses plain RESP2.
func openRedis(addr string) (*redis.Client, error) {
	o := &redis.Options{Addr: addr}
	if strings.Contains(addr, "://") {
		var err error
		if o, err = redis.ParseURL(addr); err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
	}
	o.Protocol = 2
	o.MaxRetries = -1
	o.DialerRetries = 1
	o.DisableIdentity = true
	o.ContextTimeoutEnabled = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(o), nil
}
