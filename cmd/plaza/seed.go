package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/content/votes"
	"plaza/data/wire/upstash"
	"plaza/ops/backup"
)

// demoPassword is the password of every demo member.
const demoPassword = "plaza-demo"

// seedOptions say how much demo content to create. With the same posts, the same seed creates the same content, except for times, which
// depend on now.
type seedOptions struct {
	users, posts, votes int
	seed                uint64
	now                 time.Time
	mayWrite            func(context.Context) error // checks before the commit whether the content may be written; nil: no check
}

func defaultSeed() seedOptions {
	return seedOptions{users: len(persons), posts: len(ownPosts), votes: 6000, seed: 1, now: time.Now()}
}

func runSeed(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "seed")
	o := defaultSeed()
	f.IntVar(&o.users, "users", o.users, "members")
	f.IntVar(&o.posts, "posts", o.posts, "their posts")
	f.IntVar(&o.votes, "votes", o.votes, "votes on their posts and comments, and on the hottest posts of every community")
	f.Uint64Var(&o.seed, "seed", o.seed, "another number creates other content")
	thread := f.Int("thread", 0, "instead of all that, create one thread with this many comments")
	community := f.String("community", "", "`NAME` of the community for --thread (default the first one)")
	addresses := addresses{workTime: longWork}
	addresses.flags(env, f)
	rest, err := parseFlags(f, args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return usagef("unexpected argument %q", rest[0])
	case o.users < 1 || o.posts < 0 || o.votes < 0 || *thread < 0:
		return usagef("numbers can't be negative, and there is at least one member")
	}
	site, still, err := openFilled(ctx, &addresses)
	if err != nil {
		return err
	}
	if *thread > 0 {
		return seedThread(ctx, env, site, *thread, o.seed, *community, still)
	}
	o.mayWrite = still
	if err := seed(ctx, env, site, o); err != nil {
		return err
	}
	redis := env.getenv("UPSTASH_REDIS_REST_URL")
	if redis == "" {
		fmt.Fprintln(env.out, "The worker's retry job counts the votes and comments within a minute or two.")
		return nil
	}
	return applyDeltas(ctx, site, upstash.Options{URL: redis, Token: env.getenv("UPSTASH_REDIS_REST_TOKEN")})
}

// seed creates demo members who post, comment and vote, in one transaction of each database, so it writes everything or nothing.
func seed(ctx context.Context, env *environment, site backup.Site, o seedOptions) error {
	rng := rand.New(rand.NewPCG(o.seed, o.seed^0x9e3779b97f4a7c15))
	s := &seeder{o: o, rng: rng, used: map[data.ID]bool{}}
	s.makeMembers()
	db, exists := siteDB(site), false
	r := db.Read()
	r.Find(`SELECT 1 FROM users WHERE username_key = :key`, data.Args{"key": s.members[0].key}, func(*data.Row) { exists = true })
	var sources []string
	for _, t := range threads {
		sources = append(sources, importedFrom+t.post)
	}
	r.FindAll(talkedAbout, data.Args{"most": perCommunity, "sources": sources}, func(row *data.Row) {
		s.targets = append(s.targets, target{communityID: row.ID(), community: row.Text(), id: row.ID(), created: row.Time(),
			name: strings.TrimPrefix(row.Text(), importedFrom)})
	})
	if err := r.Run(ctx); err != nil {
		return err
	}
	if exists {
		fmt.Fprintln(env.out, "The demo members are there already.")
		return nil
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
	if err := s.write(ctx, db, site); err != nil {
		return err
	}
	fmt.Fprintf(env.out, "Made %d members (log in as %s, password %s), %d posts, %s comments and %s votes of theirs.\n",
		len(s.members), s.members[0].name, demoPassword, len(s.posts), thousands(len(s.comments)), thousands(len(s.votes)))
	return nil
}

// applyDeltas applies deltas to the counters, as the consumer of the queue does, until none is left.
func applyDeltas(ctx context.Context, site backup.Site, redis upstash.Options) error {
	d := siteDB(site)
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
