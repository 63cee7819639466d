package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"plaza/ops/backup"
	"plaza/ops/exchange"
	"plaza/ops/exchange/exporter"
)

func runExport(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "export")
	var names list
	f.Var(&names, "community", "`name` of a community to export; once for each (default: all)")
	site := f.String("site", "", "the site's `name` in the export, such as plaza.example: ids and names of authors are unique there")
	without := f.Bool("without-pictures", false, "leave out the pictures that members have uploaded")
	addresses := addresses{workTime: longWork}
	addresses.flags(env, f)
	var pictures pictures
	pictures.flags(env, f)
	files, err := parseFlags(f, args)
	switch {
	case err != nil:
		return err
	case *site == "":
		return usagef("of which site? --site plaza.example")
	case !exchange.IsSite(*site):
		return usagef("a site's name has letters, digits, dots, hyphens and colons")
	case len(files) != 1:
		return usagef("into which file?")
	}
	databases, err := openUpToDate(ctx, &addresses)
	if err != nil {
		return err
	}
	bucket, skipped := pictures.client()
	if *without {
		bucket, skipped = nil, "as --without-pictures asks"
	}
	o := exporter.Options{Communities: names}
	if bucket != nil {
		o.Pictures = &exporter.Pictures{Bucket: bucket, Dir: filepath.Join(filepath.Dir(files[0]), exchange.PicturesFolder)}
	}
	if err = exportTo(ctx, env, databases, files[0], *site, o); err == nil && bucket == nil {
		fmt.Fprintf(env.out, "Pictures were left out: %s.\n", skipped)
	}
	return err
}

func exportTo(ctx context.Context, env *environment, databases backup.Site, path, site string, o exporter.Options) error {
	started := time.Now()
	bar := newBar(env.err, "Exporting")
	var result exporter.Result
	err := writeFile(path, func(out io.Writer) error {
		w, err := exchange.NewWriter(out, site, started)
		if err != nil {
			return err
		}
		o.Progress = func(r exporter.Result) {
			bar.update(0, 0, fmt.Sprintf("%s posts, %s comments", thousands(r.Posts), thousands(r.Comments)))
		}
		return notMovedMeanwhile(ctx, databases.Directory, func() error {
			result, err = exporter.Export(ctx, siteDB(databases), w, o)
			return err
		})
	})
	bar.close()
	if err != nil {
		return err
	}
	fmt.Fprintf(env.out, "Exported %s communities, %s authors, %s posts and %s comments in %.1f s.\n", thousands(result.Communities),
		thousands(result.Users),
		thousands(result.Posts), thousands(result.Comments), time.Since(started).Seconds())
	if o.Pictures != nil {
		fmt.Fprintf(env.out, "%s pictures are in %s.\n", thousands(result.Pictures), o.Pictures.Dir)
	}
	if result.Missing > 0 {
		fmt.Fprintf(env.err, "The bucket does not have %s of the pictures: plaza verify tells which.\n", thousands(result.Missing))
	}
	return nil
}

// writeFile writes a file atomically, compressed if its name ends in .zst.
func writeFile(path string, write func(io.Writer) error) error {
	partial := path + ".partial"
	file, err := os.OpenFile(partial, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	if strings.HasSuffix(path, ".zst") {
		var z *zstd.Encoder
		if z, err = zstd.NewWriter(out); err == nil {
			err = errors.Join(write(z), z.Close())
		}
	} else {
		err = write(out)
	}
	if err = errors.Join(err, out.Flush(), file.Close()); err == nil {
		err = os.Rename(partial, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(partial))
	}
	return nil
}
