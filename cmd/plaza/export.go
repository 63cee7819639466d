package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"plaza/tools/exchange"
	"plaza/tools/exporter"
	"plaza/tools/importer"
)

func runExport(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "export")
	var names list
	f.Var(&names, "community", "`name` of a community to export; once for each (default: all)")
	site := f.String("site", "", "the site's `name` in the export, such as plaza.example: ids and names of authors are unique there")
	var addresses addresses
	addresses.flags(env, f)
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
	db, end, err := addresses.open(ctx)
	if err != nil {
		return err
	}
	if err = upToDate(ctx, db); err == nil {
		err = exportTo(ctx, env, db, files[0], *site, names)
	}
	return errors.Join(err, end())
}

func exportTo(ctx context.Context, env *environment, db importer.Databases, path, site string, communities []string) error {
	started := time.Now()
	bar := newBar(env.err, "Exporting")
	var result exporter.Result
	err := writeFile(path, func(out io.Writer) error {
		w, err := exchange.NewWriter(out, site, started)
		if err != nil {
			return err
		}
		result, err = exporter.Export(ctx, db, w, exporter.Options{Communities: communities, Progress: func(r exporter.Result) {
			bar.update(0, 0, fmt.Sprintf("%s posts, %s comments", thousands(r.Posts), thousands(r.Comments)))
		}})
		return err
	})
	bar.close()
	if err != nil {
		return err
	}
	fmt.Fprintf(env.out, "Exported %s communities, %s authors, %s posts and %s comments in %.1f s.\n", thousands(result.Communities),
		thousands(result.Users),
		thousands(result.Posts), thousands(result.Comments), time.Since(started).Seconds())
	return nil
}

// writeFile writes a file, packed if its name ends in .zst. It is there only when it is whole.
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
