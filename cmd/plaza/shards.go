package main

import (
	"context"
	"fmt"

	"plaza/data"
	"plaza/ops/shards"
)

// runShards shows how the site's data is distributed over the shards, or moves a community.
func runShards(ctx context.Context, env *environment, args []string) error {
	if len(args) > 0 && args[0] == "move" {
		return runMove(ctx, env, args[1:])
	}
	f := newFlags(env, "shards")
	count := f.Bool("count", false, "count comments and votes, too; this reads a row for each")
	var addresses addresses
	addresses.flags(env, f)
	rest, err := parseFlags(f, args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return usagef("unexpected argument %q", rest[0])
	}
	directory, _ := addresses.all()
	if directory == "" {
		return usagef("which database? give --url or set LIBSQL_URL")
	}
	databases := addresses.clients()
	list, err := shards.Read(ctx, data.NewDB(databases.Directory, databases.Shards...), data.SystemSource(), *count)
	if err != nil {
		return err
	}
	if err := shards.Write(env.out, list); err != nil {
		return err
	}
	moving, err := underWay(ctx, databases.Directory)
	if moving != "" {
		fmt.Fprintf(env.out, "Not finished: %s\n", moving)
	}
	return err
}
