package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/ops/backup"
	"plaza/ops/exchange/importer"
)

func runImport(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "import")
	format := f.String("format", "", "`format` of the files: "+formats(", "))
	shift := f.Bool("shift", false, "move all times, in order, so that the newest is a few minutes old")
	long := f.Bool("long", false, "decompress files of zstd --long=31, which takes up to 2 GB of memory")
	without := f.Bool("without-pictures", false, "leave out the pictures that are beside the files")
	addresses := addresses{workTime: longWork}
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
	site, still, err := openFilled(ctx, &addresses)
	if err != nil {
		return err
	}
	o := importer.Options{MayWrite: still, Format: importer.Format(*format), Sources: sources, Shift: *shift, Long: *long}
	if dirs := pictureDirs(files); len(dirs) > 0 {
		bucket, skipped := pictures.client()
		if *without {
			bucket, skipped = nil, "as --without-pictures asks"
		}
		if bucket != nil {
			o.Pictures = &importer.Pictures{Bucket: bucket, Dirs: dirs}
		} else {
			fmt.Fprintf(env.out, "Pictures are left out: %s.\n", skipped)
		}
	}
	return importFiles(ctx, env, siteDB(site), o)
}

// openFilled opens the databases. It returns an error if one has no tables, or a community moves. still returns one if any has moved since.
func openFilled(ctx context.Context, a *addresses) (site backup.Site, still func(context.Context) error, err error) {
	if site, err = a.open(ctx); err != nil {
		return site, nil, err
	}
	for _, one := range append(site.Shards, site.Directory) {
		n, err := numbers(ctx, one, `SELECT count(*) FROM sqlite_master WHERE name = 'posts'`)
		if err != nil {
			return site, nil, err
		}
		if n[0] == 0 {
			return site, nil, errors.New("a database has no tables yet: run plaza migrate first")
		}
	}
	still, err = notMoving(ctx, site.Directory)
	return site, still, err
}

// formats returns the names of all formats.
func formats(between string) string {
	var names []string
	for _, f := range importer.Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, between)
}

// importFiles imports with a progress bar and a line at the end.
func importFiles(ctx context.Context, env *environment, db *data.DB, o importer.Options) error {
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
		{result.Existing, "were there already"},
		{result.Bad, "lines skipped"},
		{result.NoPictures, "pictures left out, because they are not beside the files or can't be kept"},
		{result.Changed, "lines with a number, a time or an address that was changed or left out"},
		{result.TagsLost, "tags left out"},
		{result.Shortened, "texts cut, because they were too long"},
		{result.Orphans, "comments left out, because their parent is not here"}} {
		if some.n > 0 {
			summary += fmt.Sprintf(", %s %s", thousands(some.n), some.what)
		}
	}
	fmt.Fprintln(env.out, summary+".")
	return err
}
