package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"plaza/ops/exchange"
)

func runConvert(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "convert")
	from := f.String("from", "", "`software` of the other site: "+strings.Join(exchange.Converters(), " or "))
	site := f.String("site", "", "the other site's `name`, such as lobste.rs")
	community := f.String("community", "", "`name` of the community for posts that have none there")
	into := f.String("into", "", "`file` to write, in the exchange format")
	files, err := parseFlags(f, args)
	switch {
	case err != nil:
		return err
	case !slices.Contains(exchange.Converters(), *from):
		return usagef("from what? --from is %s", strings.Join(exchange.Converters(), " or "))
	case !exchange.IsSite(*site):
		return usagef("of which site? --site lobste.rs")
	case *from == "lobsters" && *community == "":
		return usagef("into which community? --community NAME, since that site has none")
	case *into == "" || len(files) == 0:
		return usagef("which files, --into which?")
	}
	return writeFile(*into, func(out io.Writer) error {
		w, err := exchange.NewWriter(out, *site, time.Now())
		if err != nil {
			return err
		}
		c := exchange.Converter{From: *from, Community: *community, Out: w}
		for _, name := range files {
			c.Bad = func(document int, reason string) {
				fmt.Fprintf(env.err, "skipped document %d of %s: %s\n", document, name, reason)
			}
			in, err := os.Open(name)
			if err == nil {
				err = errors.Join(c.Convert(in), in.Close(), ctx.Err())
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		fmt.Fprintf(env.out, "Wrote %s lines.\n", thousands(w.Written()))
		if c.Changed > 0 {
			fmt.Fprintf(env.out, "Of %s documents a number or a time was changed or left out.\n", thousands(c.Changed))
		}
		return nil
	})
}
