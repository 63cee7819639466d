package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/data/lists/hot"
	"plaza/data/wire/upstash"
	"plaza/tools/backup"
	"plaza/tools/importer"
)

// demoPassword is every demo member's.
const demoPassword = "plaza-demo"

// seedOptions say how much demo content to make. The same seed makes the same content for the same posts, except for the times, which end
// now.
type seedOptions struct {
	users, posts, comments, votes int
	seed                          uint64
	now                           time.Time
	mayWrite                      func(context.Context) error // checks before the commit whether the content may be written; nil: no check
}

func defaultSeed() seedOptions {
	return seedOptions{users: len(persons), posts: len(ownPosts), comments: 900, votes: 6000, seed: 1, now: time.Now()}
}

func runSeed(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "seed")
	o := defaultSeed()
	f.IntVar(&o.users, "users", o.users, "members")
	f.IntVar(&o.posts, "posts", o.posts, "posts of theirs")
	f.IntVar(&o.comments, "comments", o.comments, "comments, on the hottest posts of every community")
	f.IntVar(&o.votes, "votes", o.votes, "votes on those posts and comments")
	f.Uint64Var(&o.seed, "seed", o.seed, "another number makes other content")
	thread := f.Int("thread", 0, "instead of all that, one thread of so many comments")
	community := f.String("community", "", "where that thread is; the first one there is without a `NAME`")
	var addresses addresses
	addresses.flags(env, f)
	rest, err := parseFlags(f, args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return usagef("what is %q?", rest[0])
	case o.users < 1 || o.posts < 0 || o.comments < 0 || o.votes < 0 || *thread < 0:
		return usagef("numbers can't be negative, and there is at least one member")
	}
	db, end, err := addresses.open(ctx)
	if err != nil {
		return err
	}
	err = needTables(ctx, append(db.Shards, db.Directory)...)
	var still func(context.Context) error
	if err == nil {
		still, err = notMoving(ctx, db.Directory)
	}
	if err != nil {
		return errors.Join(err, end())
	}
	if *thread > 0 {
		err = seedThread(ctx, env, db, addresses.clients(), *thread, o.seed, *community, still)
	} else {
		o.mayWrite = still
		err = seedSite(ctx, env, db, addresses.clients(), o)
	}
	return errors.Join(err, end())
}

// seedSite calls seed, and applies the counters if there is a Redis.
func seedSite(ctx context.Context, env *environment, db importer.Databases, site backup.Site, o seedOptions) error {
	if err := seed(ctx, env, db, o); err != nil {
		return err
	}
	redis := env.getenv("UPSTASH_REDIS_REST_URL")
	if redis == "" {
		fmt.Fprintln(env.out, "The worker's retry job counts the votes and comments within a minute or two.")
		return nil
	}
	return applyDeltas(ctx, site, upstash.Options{URL: redis, Token: env.getenv("UPSTASH_REDIS_REST_TOKEN")})
}

// seed makes demo members who post, comment and vote, in one transaction for each database, so that the content is complete or absent.
func seed(ctx context.Context, env *environment, db importer.Databases, o seedOptions) error {
	rng := rand.New(rand.NewPCG(o.seed, o.seed^0x9e3779b97f4a7c15))
	s := &seeder{o: o, rng: rng, used: map[data.ID]bool{}}
	s.makeMembers()
	var there int
	if err := db.Directory.QueryRowContext(ctx, `SELECT count(*) FROM users WHERE username_key = ?`, s.members[0].key).
		Scan(&there); err != nil {
		return err
	}
	if there > 0 {
		fmt.Fprintln(env.out, "The demo members are there already.")
		return nil
	}
	var err error
	if s.slots, err = db.Slots(ctx); err != nil {
		return err
	}
	for _, shard := range db.Shards {
		if err := s.findPosts(ctx, shard); err != nil {
			return err
		}
	}
	slices.SortFunc(s.targets, func(a, b target) int { return cmp.Compare(a.id, b.id) })
	if len(s.targets) == 0 {
		return fmt.Errorf("there are no posts to talk about: import some first")
	}
	if err := s.makePosts(); err != nil {
		return err
	}
	if err := s.makeComments(); err != nil {
		return err
	}
	s.makeVotes()
	s.makeSubscriptions()
	if err := s.write(ctx, db); err != nil {
		return err
	}
	fmt.Fprintf(env.out, "Made %d members (log in as %s, password %s), %d posts, %s comments and %s votes of theirs.\n",
		len(s.members), s.members[0].name, demoPassword, len(s.posts), thousands(len(s.comments)), thousands(len(s.votes)))
	return nil
}

// applyDeltas applies the changes that the triggers noted to the counters, as the queue's consumer does, until none is pending.
func applyDeltas(ctx context.Context, site backup.Site, redis upstash.Options) error {
	d := data.NewDB(site.Directory, site.Shards...)
	store := votes.Store{Base: data.Base{DB: d, Source: data.SystemSource()},
		Hot: &hot.Sets{Redis: upstash.New(redis), DB: d, Cap: hot.DefaultCap}}
	for {
		pending, err := store.FindPending(ctx, 0)
		if err != nil {
			return err
		}
		if len(pending.Targets) == 0 && len(pending.Posts) == 0 {
			return nil
		}
		if _, err := store.ApplyDeltas(ctx, pending); err != nil {
			return err
		}
	}
}
