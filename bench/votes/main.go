// Command votes is the stack of bench/votes.mjs, and the members who vote. It starts sqld, Redis and its REST endpoint, and fills them with
// members and posts. Then it runs the commands of its input, a JSON object on each line, and prints a result for each. It ends with its
// input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/content/votes"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/ops/migrate"
	"plaza/stack"
)

const (
	secret = "only for measuring, never for people"
	token  = "token-of-a-benchmark"
)

// command is one line of input.
type command struct {
	Do          string  `json:"do"` // vote, apply, check or cost
	URL         string  `json:"url"`
	Posts       int     `json:"posts"` // how many posts get votes
	Seconds     float64 `json:"seconds"`
	Connections int     `json:"connections"`
}

// site has the stack, the members and posts, and the votes that the site accepted.
type site struct {
	sql     *hrana.Client
	redis   *upstash.Client
	hot     *hot.Sets
	votes   *votes.Store
	members []data.Actor
	posts   []data.ID
	cast    map[vote]int // the last accepted value
}

type vote struct{ target, user data.ID }

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "votes:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "plaza-votes-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	sqld, err := stack.StartSQLD(ctx, stack.SQLDOptions{Dir: filepath.Join(dir, "sqld")})
	if err != nil {
		return err
	}
	defer sqld.Close()
	redis, err := stack.StartRedis(ctx, stack.RedisOptions{})
	if err != nil {
		return err
	}
	defer redis.Close()
	rest, err := stack.StartUpstash(ctx, stack.UpstashOptions{RedisAddr: redis.Addr, Token: token})
	if err != nil {
		return err
	}
	defer rest.Close()

	s := &site{
		sql:   hrana.New(hrana.Options{URL: sqld.URL, Token: sqld.Token}),
		redis: upstash.New(upstash.Options{URL: rest.URL, Token: token}),
		cast:  map[vote]int{},
	}
	db := data.NewDB(s.sql)
	s.hot = &hot.Sets{Redis: s.redis, DB: db, Cap: 1000}
	s.votes = &votes.Store{Base: data.Base{DB: db, Source: data.SystemSource()}, Hot: s.hot}
	if _, err := s.sql.Tx(ctx, migrate.FullSchema()...); err != nil {
		return err
	}
	if err := s.fill(ctx); err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(map[string]any{"vars": map[string]string{
		"LIBSQL_URL": sqld.URL, "LIBSQL_AUTH_TOKEN": sqld.Token, "UPSTASH_REDIS_REST_URL": rest.URL, "UPSTASH_REDIS_REST_TOKEN": token,
		"SESSION_SECRET": secret, "LIMIT_FACTOR": "1000000",
	}}); err != nil {
		return err
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var c command
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			return err
		}
		var result any
		switch c.Do {
		case "vote":
			result = s.load(c)
		case "check":
			result, err = s.check(ctx)
		case "apply":
			result, err = s.applyPending(ctx)
		case "cost":
			result, err = s.cost(ctx, c.Posts)
		default:
			err = fmt.Errorf("unknown command %q", c.Do)
		}
		if err != nil {
			return err
		}
		if err := out.Encode(result); err != nil {
			return err
		}
	}
	return nil
}
