package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"plaza/backup"
)

func runBackup(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "backup")
	check := f.Bool("check", false, "only read a backup that is there, and tell whether it is whole")
	var addresses addresses
	addresses.flags(env, f)
	rest, err := parseFlags(f, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return usagef("give one folder")
	}
	dir := strings.TrimRight(rest[0], "/")
	bar := newBar(env.err, "Backup")
	defer bar.close()
	if *check {
		m, err := backup.Check(dir, bar.update)
		if err != nil {
			return fmt.Errorf("%s is damaged: %w", dir, err)
		}
		bar.close()
		fmt.Fprintf(env.out, "%s is whole: %s rows as of %s.\n", dir, thousands(int(m.Rows())), m.Began.Format(time.RFC3339))
		return nil
	}
	db, end, err := addresses.open(ctx)
	if err != nil {
		return err
	}
	if err := needTables(ctx, append(db.Shards, db.Directory)...); err != nil {
		return errors.Join(err, end())
	}
	began := time.Now()
	m, err := backup.Write(ctx, dir, addresses.clients(), bar.update)
	bar.close()
	if err == nil {
		fmt.Fprintf(env.out, "Backed up %s rows into %s (%s) in %s, and read them again.\n", thousands(int(m.Rows())), dir, megabytes(m.Bytes()), time.Since(began).Round(100*time.Millisecond))
	}
	return errors.Join(err, end())
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func runRestore(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "restore")
	overwrite := f.Bool("overwrite", false, "delete everything that is in the databases")
	var addresses addresses
	addresses.flags(env, f)
	rest, err := parseFlags(f, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return usagef("give the folder of one backup")
	}
	dir := strings.TrimRight(rest[0], "/")
	_, end, err := addresses.open(ctx) // they have to answer
	if err != nil {
		return err
	}
	bar := newBar(env.err, "Restore")
	began := time.Now()
	m, err := backup.Restore(ctx, dir, addresses.clients(), *overwrite, bar.update)
	bar.close()
	if errors.Is(err, backup.ErrNotEmpty) {
		err = fmt.Errorf("%w. Restore into new databases, or delete what is there with --overwrite", err)
	}
	if err == nil {
		fmt.Fprintf(env.out, `Restored %s rows in %s, and compared them with the backup. It is the state of %s.
Now, before the site uses these databases:
  plaza migrate           if this build is newer than the backup
  redis-cli FLUSHDB       what Redis has is of another state; all of it may go
  plaza verify --repair   what the databases have to agree on
`, thousands(int(m.Rows())), time.Since(began).Round(100*time.Millisecond), m.Began.Format(time.RFC3339))
	}
	return errors.Join(err, end())
}
