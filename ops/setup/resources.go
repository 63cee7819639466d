package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"plaza/data/wire/upstash"
	"plaza/ops/setup/services"
)

// queues creates the queues that wrangler.toml names.
func (r *run) queues(ctx context.Context) (result, error) {
	var wanted []string
	for _, place := range [][2]string{
		{"queues.producers", "queue"}, {"queues.consumers", "queue"}, {"queues.consumers", "dead_letter_queue"},
	} {
		for _, name := range r.config.values(place[0], place[1]) {
			if !slices.Contains(wanted, name) {
				wanted = append(wanted, name)
			}
		}
	}
	list, err := r.cloudflare.Queues(ctx)
	if err != nil {
		return result{}, err
	}
	exists := map[string]bool{}
	for _, q := range list {
		exists[q.Name] = true
		if slices.Contains(wanted, q.Name) && len(q.Consumers) > 0 && !q.HasConsumer(r.script) {
			return result{}, fmt.Errorf("another Worker of the account consumes the queue %s, so it would get this site's messages. Change the "+
				"names of all queues and of the bucket in wrangler.toml", q.Name)
		}
	}
	missing := slices.DeleteFunc(slices.Clone(wanted), func(name string) bool { return exists[name] })
	if len(missing) == 0 {
		return already("%s", strings.Join(wanted, ", "))
	}
	if !r.DryRun {
		for _, name := range missing {
			if err := r.cloudflare.CreateQueue(ctx, name); err != nil {
				return result{}, err
			}
		}
	}
	return done("make %s", strings.Join(missing, ", "))
}

// bucket creates the bucket of uploaded pictures.
func (r *run) bucket(ctx context.Context) (result, error) {
	name := r.config.value("r2_buckets", "bucket_name")
	if name == "" {
		return skipStep("wrangler.toml names no bucket, so members can only link to pictures, not upload them")
	}
	exists, err := r.cloudflare.FindBucket(ctx, name)
	if err != nil {
		return result{}, err
	}
	if exists {
		if err := r.checkBucket(ctx, name); err != nil {
			return result{}, err
		}
		return already("%s", name)
	}
	if !r.DryRun {
		if err := r.cloudflare.CreateBucket(ctx, name); err != nil {
			return result{}, err
		}
	}
	return done("make %s", name)
}

// checkBucket refuses a bucket of another Worker, unless this site was deployed with it. Each of two sites would delete the pictures that
// only the other uses.
func (r *run) checkBucket(ctx context.Context, name string) error {
	has := func(script string) (bool, error) {
		bindings, _, err := r.cloudflare.Bindings(ctx, script)
		return slices.ContainsFunc(bindings, func(b services.Binding) bool { return b.Bucket == name }), err
	}
	if mine, err := has(r.script); mine || err != nil {
		return err
	}
	scripts, err := r.cloudflare.Scripts(ctx)
	if err != nil {
		return err
	}
	gateway, err := readConfig(filepath.Join(r.Folder, "wrangler.gateway.toml"))
	if err == nil {
		scripts = slices.DeleteFunc(scripts, func(script string) bool { return script == gateway.value("", "name") })
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, script := range scripts {
		if theirs, err := has(script); err != nil {
			return err
		} else if theirs {
			return fmt.Errorf("the bucket %s belongs to the Worker %[2]s of the account, and each would delete the other's pictures. Change "+
				"bucket_name in wrangler.toml, and in wrangler.gateway.toml. If %[2]s was this site's Worker before, delete it (npx wrangler "+
				"delete --name %[2]s)", name, script)
		}
	}
	return nil
}

// findDatabase finds or creates the database. It creates its group first, if the organization does not have it.
func (r *run) findDatabase(ctx context.Context) (result, error) {
	if err := r.name(&r.Database); err != nil {
		return result{}, err
	}
	found, err := r.turso.FindDatabase(ctx, r.Database)
	if err != nil {
		return result{}, err
	}
	if found != nil {
		r.database = found
		r.url = r.DatabaseURL(found.Hostname)
		if err := r.checkOwner(ctx); err != nil {
			return result{}, err
		}
		return already("%s", found.Hostname)
	}
	if err := r.notNamed("LIBSQL_URL", r.Database, "--database"); err != nil {
		return result{}, err
	}
	groups, err := r.turso.Groups(ctx)
	if err != nil {
		return result{}, err
	}
	if r.Group == "" && len(groups) > 0 && !slices.Contains(groups, "default") {
		r.Group = groups[0]
	}
	r.Group = cmp.Or(r.Group, "default")
	summary := "make " + r.Database + " in the group " + r.Group
	if !slices.Contains(groups, r.Group) {
		if err := r.ask(ctx, &r.Location, "Where the database is to be, such as aws-eu-west-1 (turso db locations lists all)", "",
			"--location", false); err != nil {
			return result{}, err
		}
		summary += ", and the group at " + r.Location
		if !r.DryRun {
			if err := r.turso.CreateGroup(ctx, r.Group, r.Location); err != nil {
				return result{}, err
			}
		}
	}
	if r.DryRun {
		return done("%s", summary)
	}
	if r.database, err = r.turso.CreateDatabase(ctx, r.Database, r.Group); err != nil {
		return result{}, err
	}
	r.url = r.DatabaseURL(r.database.Hostname)
	if err := r.checkOwner(ctx); err != nil { // the shards may exist
		return result{}, err
	}
	return done("%s: %s", summary, r.database.Hostname)
}

// findRedis finds or creates the Redis.
func (r *run) findRedis(ctx context.Context) (result, error) {
	if r.NoRedis {
		return skipStep("the site does without one (--no-redis); --redis NAME adds one")
	}
	if err := r.name(&r.Redis); err != nil {
		return result{}, err
	}
	var err error
	if r.redis, err = r.upstash.Find(ctx, r.Redis); err != nil {
		return result{}, err
	}
	if r.redis != nil {
		r.secrets.add(r.redis.Token)
		if err := r.checkRedis(ctx); err != nil {
			return result{}, err
		}
		return already("%s", r.redis.Endpoint)
	}
	if err := r.notNamed("UPSTASH_REDIS_REST_URL", r.Redis, "--redis"); err != nil {
		return result{}, err
	}
	question := "Where the Redis is to be: a region of AWS near the database, such as eu-west-1"
	if err := r.ask(ctx, &r.RedisRegion, question, "", "--redis-region", false); err != nil {
		return result{}, err
	}
	if r.DryRun {
		return done("make %s at %s", r.Redis, r.RedisRegion)
	}
	if r.redis, err = r.upstash.Create(ctx, r.Redis, r.RedisRegion); err != nil {
		return result{}, err
	}
	r.secrets.add(r.redis.Token)
	return done("make %s at %s: %s", r.Redis, r.RedisRegion, r.redis.Endpoint)
}

// checkRedis refuses a Redis that has keys and is not in wrangler.toml: it may be another app's with the same name. An empty one is
// accepted: it may be left from a run that was killed.
func (r *run) checkRedis(ctx context.Context) error {
	if r.config.remote("UPSTASH_REDIS_REST_URL") != "" {
		return nil
	}
	address := "https://" + r.redis.Endpoint
	client := upstash.New(upstash.Options{URL: address, Token: r.redis.Token, HTTP: r.HTTP})
	reply, err := client.Do(ctx, upstash.Cmd{"DBSIZE"})
	if err != nil {
		return err
	}
	keys, err := reply.Int()
	if err != nil || keys == 0 {
		return err
	}
	return fmt.Errorf("the account has a Redis %s with %d keys, which may be another app's: wrangler.toml lacks it. Give this site's Redis "+
		"another name with --redis. If it is the site's, write its address into wrangler.toml: UPSTASH_REDIS_REST_URL = %q", r.Redis, keys,
		address)
}

// name sets the name of a database or Redis to the script's if it is empty, and checks it.
func (r *run) name(name *string) error {
	if *name == "" {
		*name = r.script
	}
	if strings.Trim(*name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || len(*name) > 32 {
		return fmt.Errorf("%q can't be the name of a database or Redis: use at most 32 lowercase letters, digits and dashes", *name)
	}
	return nil
}

// notNamed refuses to create a second database or Redis if wrangler.toml has the address of one.
func (r *run) notNamed(variable, name, flag string) error {
	if address := r.config.remote(variable); address != "" {
		return fmt.Errorf("wrangler.toml has %s = %s, but the account has nothing named %s. Give the name of what is at that address "+
			"with %s. If the site is to have a new one, remove the address from wrangler.toml", variable, address, name, flag)
	}
	return nil
}
