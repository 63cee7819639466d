package setup

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plaza/data/wire/upstash"
	"plaza/tools/setup/services"
)

func (r *run) queues(ctx context.Context) (result, error) {
	wanted := map[string]bool{}
	file := r.config.read().Queues
	for _, q := range file.Producers {
		wanted[q.Queue] = true
	}
	for _, q := range file.Consumers {
		wanted[q.Queue] = true
		if q.DeadLetters != "" {
			wanted[q.DeadLetters] = true
		}
	}
	list, err := r.cloudflare.Queues(ctx)
	if err != nil {
		return result{}, err
	}
	missing := slices.Sorted(maps.Keys(wanted))
	for _, q := range list {
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == q.Name })
		if wanted[q.Name] && len(q.Consumers) > 0 && !q.HasConsumer(r.script) {
			return result{}, fmt.Errorf("the queue %s belongs to another Worker of the account, which would take this site's votes. Change the "+
				"names of all queues in wrangler.toml, and that of the bucket", q.Name)
		}
	}
	if len(missing) == 0 {
		return already("%s", strings.Join(slices.Sorted(maps.Keys(wanted)), ", "))
	}
	for _, name := range missing {
		if r.DryRun {
			break
		}
		if err := r.cloudflare.MakeQueue(ctx, name); err != nil {
			return result{}, err
		}
	}
	return done("make %s", strings.Join(missing, ", "))
}

func (r *run) bucket(ctx context.Context) (result, error) {
	name := r.config.bucket()
	if name == "" {
		return skipStep("wrangler.toml names none, so members name addresses of pictures only")
	}
	there, err := r.cloudflare.FindBucket(ctx, name)
	switch {
	case err != nil:
	case there:
		err = r.checkBucket(ctx, name)
	case !r.DryRun:
		err = r.cloudflare.MakeBucket(ctx, name)
	}
	if err != nil || there {
		return result{"already there", name}, err
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
	gateway, err2 := r.gateway()
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	for _, script := range scripts {
		if theirs, err := has(script); err != nil {
			return err
		} else if theirs && script != gateway {
			return fmt.Errorf("the bucket %s belongs to the Worker %[2]s of the account, and each would delete the other's pictures. Change "+
				"bucket_name in wrangler.toml, and in wrangler.gateway.toml. If %[2]s was this site's Worker before, delete it (npx wrangler "+
				"delete --name %[2]s)", name, script)
		}
	}
	return nil
}

// findDatabase finds or makes the database, and before it a group if the organization has none.
func (r *run) findDatabase(ctx context.Context) (result, error) {
	var err error
	if r.database, err = r.turso.FindDatabase(ctx, r.Database); err != nil {
		return result{}, err
	}
	makes := ""
	if r.database == nil {
		if makes, err = r.makeDatabase(ctx); err != nil || r.DryRun {
			return result{"done", makes}, err
		}
	}
	r.url = r.DatabaseURL(r.database.Hostname)
	if err := r.checkOwner(ctx); err != nil { // also of a new one: the shards may be there
		return result{}, err
	}
	if makes == "" {
		return already("%s", r.database.Hostname)
	}
	return done("%s: %s", makes, r.database.Hostname)
}

// makeDatabase makes the database, unless the run is a dry one. makes says what that is.
func (r *run) makeDatabase(ctx context.Context) (makes string, err error) {
	if err := r.notNamed("LIBSQL_URL", r.Database, "--database"); err != nil {
		return "", err
	}
	groups, err := r.turso.Groups(ctx)
	if err != nil {
		return "", err
	}
	if r.Group == "" && len(groups) > 0 && !slices.Contains(groups, "default") {
		r.Group = groups[0]
	}
	r.Group = cmp.Or(r.Group, "default")
	makes = "make " + r.Database + " in the group " + r.Group
	if !slices.Contains(groups, r.Group) {
		if err := r.ask(ctx, input{&r.Location, "Where the database is to be, such as aws-eu-west-1 (turso db locations lists all)",
			"--location", "", false}); err != nil {
			return "", err
		}
		makes += ", and the group at " + r.Location
		if !r.DryRun {
			err = r.turso.MakeGroup(ctx, r.Group, r.Location)
		}
	}
	if err == nil && !r.DryRun {
		r.database, err = r.turso.MakeDatabase(ctx, r.Database, r.Group)
	}
	return makes, err
}

func (r *run) findRedis(ctx context.Context) (result, error) {
	if r.NoRedis {
		return skipStep("the site does without one (--no-redis); --redis NAME adds one")
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
	if err := r.ask(ctx, input{&r.RedisRegion, question, "--redis-region", "", false}); err != nil {
		return result{}, err
	}
	if r.DryRun {
		return done("make %s at %s", r.Redis, r.RedisRegion)
	}
	if r.redis, err = r.upstash.Make(ctx, r.Redis, r.RedisRegion); err != nil {
		return result{}, err
	}
	r.secrets.add(r.redis.Token)
	return done("make %s at %s: %s", r.Redis, r.RedisRegion, r.redis.Endpoint)
}

// checkRedis refuses a Redis that has keys and is not in wrangler.toml: another app may have one with this name. A Redis of a run that
// was killed is empty.
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
	return fmt.Errorf("the account has a Redis %s with %d keys, which may be another app's: wrangler.toml does not name it. Give the site's "+
		"another name with --redis. If it is the site's, write its address into wrangler.toml: UPSTASH_REDIS_REST_URL = %q", r.Redis, keys,
		address)
}

// notNamed refuses to make a second database or Redis where wrangler.toml has the address of one.
func (r *run) notNamed(variable, name, flag string) error {
	if address := r.config.remote(variable); address != "" {
		return fmt.Errorf("wrangler.toml has %s = %s, and the account has none with the name %s. Give the name of the one at that address "+
			"with %s. If the site is to have a new one, take the address out of wrangler.toml", variable, address, name, flag)
	}
	return nil
}
