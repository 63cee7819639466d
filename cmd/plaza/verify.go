package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/schema"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/ops/backup"
	"plaza/ops/verify"
)

// repairRounds limits how often everything is verified, the first time included. After a repair it is verified again, because values that
// were derived from a wrong value were wrong as well.
const repairRounds = 4

func runVerify(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "verify")
	repair := f.Bool("repair", false, "repair what differs, and verify again")
	withoutSearch := f.Bool("without-search", false, "do not verify the search indexes: with long texts most rows are read "+
		"for them")
	redis := f.String("redis", env.getenv("UPSTASH_REDIS_REST_URL"),
		"`URL` of the Redis, whose token is $UPSTASH_REDIS_REST_TOKEN (default $UPSTASH_REDIS_REST_URL; none: hot sets are not verified)")
	look := f.String("pictures", "list", "how to verify the bucket of pictures: `how` is list, bytes (reads every picture) or no")
	from := f.String("pictures-from", "", "`folder` of a backup, from which --repair puts back pictures that are missing or damaged")
	var addresses addresses
	addresses.flags(env, f)
	var pictures pictures
	pictures.flags(env, f)
	rest, err := parseFlags(f, args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return usagef("unexpected argument %q", rest[0])
	case *look != "list" && *look != "bytes" && *look != "no":
		return usagef("--pictures is list, bytes or no")
	}
	databases, err := openUpToDate(ctx, &addresses)
	if err != nil {
		return err
	}
	o := verify.Options{Directory: databases.Directory, Shards: databases.Shards, Repair: *repair, WithoutSearch: *withoutSearch}
	if env.exclusive {
		o.Wait = func(context.Context) error { return nil }
	}
	if *redis != "" {
		client := upstash.New(upstash.Options{URL: *redis, Token: env.getenv("UPSTASH_REDIS_REST_TOKEN"), Limit: time.Minute})
		o.Hot = &hot.Sets{Redis: client, DB: data.NewDB(databases.Directory, databases.Shards...), Cap: hot.DefaultCap}
	}
	notCompared := "as --pictures=no asks"
	if *look != "no" {
		o.Bucket, notCompared = pictures.client()
	}
	o.PictureBytes = *look == "bytes"
	if *from != "" {
		o.Saved = backup.Saved(*from)
	}
	defer func() {
		if o.Bucket == nil {
			fmt.Fprintf(env.out, "Pictures were not compared with the bucket: %s.\n", notCompared)
		}
	}()
	if o.MayRepair, err = notMoving(ctx, databases.Directory); err != nil {
		return err
	}
	return errors.Join(verifyAll(ctx, env, o), o.MayRepair(ctx)) // data that a move changed meanwhile would be found as differences
}

// openUpToDate opens the databases, and returns an error if the schema of one is not at this build's step.
func openUpToDate(ctx context.Context, a *addresses) (backup.Site, error) {
	site, err := a.open(ctx)
	if err != nil {
		return site, err
	}
	check := func(name string, db *hrana.Client) error {
		step, err := numbers(ctx, db, schema.Taken)
		switch {
		case err != nil:
			return fmt.Errorf("%s: read the step of the schema (without one, run plaza migrate first): %w", name, err)
		case step[0] != schema.Version:
			return fmt.Errorf("%s is at step %d of the schema, and this build needs step %d: run plaza migrate first", name, step[0],
				schema.Version)
		}
		return nil
	}
	wrong := check("directory", site.Directory)
	for n, shard := range site.Shards {
		if shard != site.Directory {
			wrong = errors.Join(wrong, check(fmt.Sprintf("shard %d", n), shard))
		}
	}
	return site, wrong
}

// verifyAll verifies, and verifies again after a repair.
func verifyAll(ctx context.Context, env *environment, o verify.Options) error {
	for round := 1; ; round++ {
		result, err := verifyOnce(ctx, env, o)
		switch {
		case err != nil:
			return err
		case result.Found == 0:
			return nil
		case !o.Repair:
			return fmt.Errorf("found %s: plaza verify --repair repairs them", differences(result.Found))
		case result.Repaired == 0 || round == repairRounds:
			return fmt.Errorf("%s left", differences(result.Found))
		}
		fmt.Fprintln(env.out, "Verifying again.")
	}
}

func differences(n int) string {
	if n == 1 {
		return "1 difference"
	}
	return thousands(n) + " differences"
}

// verifyOnce verifies everything with a progress bar, and prints each difference when it is found.
func verifyOnce(ctx context.Context, env *environment, o verify.Options) (verify.Result, error) {
	bar := newBar(env.err, "Verifying")
	o.Progress = func(done, total int64, what string) { bar.update(done, total, what) }
	o.Found = func(d verify.Difference) {
		bar.close()
		fmt.Fprintln(env.out, d)
	}
	began := time.Now()
	result, err := verify.Run(ctx, o)
	bar.close()
	if err == nil {
		fmt.Fprintf(env.out, "Read %s rows in %s: %s", thousands(int(result.Rows)), time.Since(began).Round(100*time.Millisecond),
			differences(result.Found))
		if result.Repaired > 0 {
			fmt.Fprintf(env.out, ", %s repaired", thousands(result.Repaired))
		}
		fmt.Fprintln(env.out, ".")
		if o.Bucket != nil {
			fmt.Fprintf(env.out, "The bucket has %s pictures.\n", thousands(result.Pictures))
		}
		if o.WithoutSearch {
			fmt.Fprintln(env.out, "The search was left out.")
		}
	}
	return result, err
}
