package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"plaza/importer"
)

func runImport(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "import")
	format := f.String("format", "", "format of the files: reddit-csv")
	shift := f.Bool("shift", false, "move the posts' times, in order, so that the newest is a few minutes old")
	var addresses addresses
	addresses.flags(env, f)
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
	db, end, err := addresses.open(ctx)
	if err != nil {
		return err
	}
	if err := needTables(ctx, append(db.Shards, db.Directory)...); err != nil {
		return errors.Join(err, end())
	}
	return errors.Join(importPosts(ctx, env, db, sources, *shift), end())
}

// needTables tells of a database without tables in words that help.
func needTables(ctx context.Context, databases ...*sql.DB) error {
	for _, one := range databases {
		var n int
		if err := one.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE name = 'posts'`).Scan(&n); err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("a database has no tables yet: run plaza migrate first")
		}
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
