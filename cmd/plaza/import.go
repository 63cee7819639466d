package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"plaza/tools/importer"
)

func runImport(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "import")
	format := f.String("format", "", "`format` of the files: "+formats(", "))
	shift := f.Bool("shift", false, "move all times, in order, so that the newest is a few minutes old")
	long := f.Bool("long", false, "unpack what was packed by zstd --long=31, which takes up to 2 GB of memory")
	without := f.Bool("without-pictures", false, "leave out the pictures that lie beside the files")
	var addresses addresses
	addresses.flags(env, f)
	var pictures pictures
	pictures.flags(env, f)
	files, err := parseFlags(f, args)
	switch {
	case err != nil:
		return err
	case !slices.Contains(importer.Formats(), importer.Format(*format)):
		return usagef("which format? --format is one of %s", formats(", "))
	case len(files) == 0:
		return usagef("which files?")
	}
	sources, err := sourcesOf(files, importer.Format(*format), func(path, why string) { fmt.Fprintf(env.err, "skipped %s: %s\n", path, why) })
	if err != nil {
		return err
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
	o := importer.Options{MayWrite: still, Format: importer.Format(*format), Sources: sources, Shift: *shift, Long: *long}
	if dirs := pictureDirs(files); len(dirs) > 0 {
		bucket, left := pictures.client()
		if *without {
			bucket, left = nil, "as --without-pictures asks"
		}
		if bucket != nil {
			o.Pictures = &importer.Pictures{Bucket: bucket, Dirs: dirs}
		} else {
			fmt.Fprintf(env.out, "Pictures are left out: %s.\n", left)
		}
	}
	return errors.Join(importFiles(ctx, env, db, o), end())
}

// needTables returns an error that names `plaza migrate` for a database without tables.
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

// formats are the names of all formats.
func formats(between string) string {
	var names []string
	for _, f := range importer.Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, between)
}

// importFiles imports with a progress bar, and prints a summary line at the end.
func importFiles(ctx context.Context, env *environment, db importer.Databases, o importer.Options) error {
	started := time.Now()
	bar := newBar(env.err, "Importing")
	o.Now = started
	o.Bad = func(b importer.Bad) { bar.print("skipped " + b.String()) }
	o.Progress = func(p importer.Progress) {
		bar.update(p.Done, p.Total, fmt.Sprintf("%s posts, %s comments, %s", thousands(p.Posts), thousands(p.Comments), p.File))
	}
	result, err := importer.Import(ctx, db, o)
	bar.close()
	took := time.Since(started)
	summary := fmt.Sprintf("Imported %s posts and %s comments in %.1f s (%s/s)", thousands(result.Posts), thousands(result.Comments),
		took.Seconds(),
		thousands(int(float64(result.Posts+result.Comments)/took.Seconds())))
	for _, some := range []struct {
		n    int
		what string
	}{{result.Communities, "new communities"}, {result.Accounts, "new authors"}, {result.Pictures, "new pictures"},
		{result.Present, "were there already"},
		{result.Bad, "lines skipped"},
		{result.NoPictures, "pictures left out, because they are not beside the files or can't be kept"},
		{result.Changed, "lines of which a number, a time or an address was changed or left out"},
		{result.TagsLost, "tags left out"},
		{result.Cut, "texts cut, because they were too long"},
		{result.Lost, "comments left out, because what they answer is not here"}} {
		if some.n > 0 {
			summary += fmt.Sprintf(", %s %s", thousands(some.n), some.what)
		}
	}
	fmt.Fprintln(env.out, summary+".")
	return err
}
