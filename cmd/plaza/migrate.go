package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"plaza"
	"plaza/data/schema"
	"plaza/ops/migrate"
	"plaza/ops/shards/mover"
)

// list is a flag that may be given more than once.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func runMigrate(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "migrate")
	parsed := databaseFlags(env, f)
	rest, err := parseFlags(f, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return usagef("unexpected argument %q", rest[0])
	}
	urls, token, err := parsed()
	if err != nil {
		return err
	}
	return migrateAll(ctx, env.out, urls, token)
}

// databaseFlags adds the flags that name databases one by one. Call parsed after parseFlags.
func databaseFlags(env *environment, f *flag.FlagSet) (parsed func() (urls list, token string, err error)) {
	var urls list
	f.Var(&urls, "url", "a database's `URL`, the directory first; once for each (default $LIBSQL_URL and $LIBSQL_SHARD_URLS)")
	token := f.String("token", env.getenv("LIBSQL_AUTH_TOKEN"), "auth token of the databases")
	return func() (list, string, error) {
		if len(urls) == 0 {
			for _, u := range append([]string{env.getenv("LIBSQL_URL")}, strings.Split(env.getenv("LIBSQL_SHARD_URLS"), ",")...) {
				if u = strings.TrimSpace(u); u != "" && !slices.Contains(urls, u) {
					urls = append(urls, u)
				}
			}
		}
		if len(urls) == 0 {
			return nil, "", usagef("which database? give --url or set LIBSQL_URL")
		}
		return urls, *token, nil
	}
}

// migrateAll migrates databases to the last step, one after the other. It changes none if one does not respond, or has a step that this
// build does not know.
func migrateAll(ctx context.Context, out io.Writer, urls []string, token string) error {
	all := make([]*migrate.Database, len(urls))
	moving, behind := false, false
	for i, u := range urls {
		client, err := openHrana(ctx, u, token)
		if err != nil {
			return err
		}
		if all[i], err = migrate.Open(ctx, client, schema.Steps(), plaza.Triggers); err != nil {
			return fmt.Errorf("%s: %w", u, err)
		}
		behind = behind || !all[i].Ready()
		if all[i].Step() > 0 {
			s, err := mover.Current(ctx, client)
			if err != nil {
				return fmt.Errorf("%s: %w", u, err)
			}
			moving = moving || !s.Begun.IsZero()
		}
	}
	if moving && behind { // a step that rebuilds a table would drop the triggers that refuse writes
		return errMoves
	}
	for i, u := range urls {
		fmt.Fprintln(out, u)
		if err := migrateOne(ctx, out, all[i]); err != nil {
			return fmt.Errorf("%s: %w", u, err)
		}
	}
	return nil
}

// migrateOne runs the missing steps and prints them, creates the triggers and views, and then compares the database with schema.sql and
// triggers.sql.
func migrateOne(ctx context.Context, out io.Writer, db *migrate.Database) error {
	switch {
	case db.Ready():
		fmt.Fprintf(out, "  up to date, at step %d\n", db.Step())
	case db.Step() == schema.Version:
		fmt.Fprintln(out, "  triggers and views are made anew")
	}
	begun, printed := time.Now(), time.Now()
	err := db.Run(ctx, func(p migrate.Progress) {
		switch {
		case p.Done:
			fmt.Fprintf(out, "  step %d (%s): done in %.1f s\n", p.Number, p.Name, time.Since(begun).Seconds())
			begun = time.Now()
		case time.Since(printed) > 3*time.Second:
			fmt.Fprintf(out, "  step %d (%s): %s rows\n", p.Number, p.Name, thousands(p.Rows))
			printed = time.Now()
		}
	})
	if err != nil {
		return err
	}
	differ, err := db.Differences(ctx)
	if err == nil && len(differ) > 0 {
		err = fmt.Errorf("all steps are done, but these are not as in schema.sql: %s. Somebody has changed them by hand",
			strings.Join(differ, ", "))
	}
	return err
}
