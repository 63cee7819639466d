package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"plaza/importer"
)

func runImport(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "import")
	format := f.String("format", "", "format of the files: reddit-csv")
	shift := f.Bool("shift", false, "move the posts' times, in order, so that the newest is a few minutes old")
	address := f.String("url", "", "the directory's `URL` (default $LIBSQL_URL)")
	var shards list
	f.Var(&shards, "shard", "a thread shard's `URL`, in the order of LIBSQL_SHARD_URLS; once for each (default, without --url, that variable; none: the directory is the one shard)")
	token := f.String("token", env.getenv("LIBSQL_AUTH_TOKEN"), "auth token of the databases")
	files, err := parseFlags(f, args)
	switch {
	case err != nil:
		return err
	case *format == "":
		return usagef("which format? --format reddit-csv is the one there is")
	case *format != "reddit-csv":
		return usagef("the format %q is not known; reddit-csv is", *format)
	case len(files) == 0:
		return usagef("which files?")
	}
	var sources []importer.Source
	for _, path := range files {
		s, err := importer.File(path)
		if err != nil {
			return err
		}
		sources = append(sources, s)
	}
	if *address == "" {
		*address = env.getenv("LIBSQL_URL")
		if len(shards) == 0 {
			shards = strings.FieldsFunc(env.getenv("LIBSQL_SHARD_URLS"), func(r rune) bool { return r == ',' || r == ' ' })
		}
	}
	db, end, err := openShards(ctx, *address, shards, *token)
	if err != nil {
		return err
	}
	return errors.Join(importPosts(ctx, env, db, sources, *shift), end())
}

// openShards opens the directory and the shards, each database once, and sees that they have tables. The second
// result closes them.
func openShards(ctx context.Context, directory string, shards []string, token string) (importer.Databases, func() error, error) {
	open := map[string]*sql.DB{}
	end := func() (err error) {
		for _, db := range open {
			err = errors.Join(err, db.Close())
		}
		return err
	}
	databases := importer.Databases{}
	for i, url := range append([]string{directory}, shards...) {
		db := open[url]
		if db == nil {
			var err error
			if db, err = openDB(ctx, url, token); err != nil {
				return databases, nil, errors.Join(err, end())
			}
			open[url] = db
			if err := needTables(ctx, db); err != nil {
				return databases, nil, errors.Join(fmt.Errorf("%s: %w", url, err), end())
			}
		}
		if i == 0 {
			databases.Directory = db
		} else {
			databases.Shards = append(databases.Shards, db)
		}
	}
	return databases, end, nil
}

// needTables tells of a database without tables in words that help.
func needTables(ctx context.Context, db *sql.DB) error {
	var n int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE name = 'posts'`).Scan(&n); err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("the database has no tables yet: run plaza migrate first")
	}
	return nil
}

// importPosts imports with a progress bar and a line at the end.
func importPosts(ctx context.Context, env *environment, db importer.Databases, sources []importer.Source, shift bool) error {
	started := time.Now()
	bar := newBar(env.err, "Importing posts")
	result, err := importer.Import(ctx, db, importer.Options{
		Sources: sources,
		Shift:   shift,
		Now:     started,
		Bad:     func(b importer.Bad) { bar.print("skipped " + b.String()) },
		Progress: func(p importer.Progress) {
			bar.update(p.Done, p.Total, fmt.Sprintf("%s posts, %s", thousands(p.Posts), p.File))
		},
	})
	bar.close()
	took := time.Since(started)
	summary := fmt.Sprintf("Imported %s posts in %.1f s (%s posts/s)", thousands(result.Posts), took.Seconds(),
		thousands(int(float64(result.Posts)/took.Seconds())))
	if result.Communities > 0 {
		summary += fmt.Sprintf(", %d new communities", result.Communities)
	}
	if result.Present > 0 {
		summary += fmt.Sprintf(", %s were there already", thousands(result.Present))
	}
	if result.Bad > 0 {
		summary += fmt.Sprintf(", %s rows skipped", thousands(result.Bad))
	}
	fmt.Fprintln(env.out, summary+".")
	return err
}
