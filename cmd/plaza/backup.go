package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"plaza/tools/backup"
)

func runBackup(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "backup")
	check := f.Bool("check", false, "only read a backup that is there, and tell whether it is whole")
	changed := f.Bool("changed", false, "with --check, accept tables, indexes, triggers and views that are not as in schema.sql")
	sum := f.String("sha256", "", "with --check, the `SHA-256` of its manifest.json, which plaza backup has said")
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
		m, err := backup.Check(ctx, dir, bar.update)
		if err != nil {
			return fmt.Errorf("%s is damaged: %w", dir, err)
		}
		bar.close()
		switch {
		case *sum != "" && *sum != m.SHA256:
			return fmt.Errorf("%s is another backup: the SHA-256 of its manifest.json is %s", dir, m.SHA256)
		case len(m.Changed()) > 0 && !*changed:
			return fmt.Errorf("%s has what is not as in schema.sql: %s. Somebody has changed the database or the backup; --changed accepts it", dir,
				strings.Join(m.Changed(), ", "))
		}
		fmt.Fprintf(env.out, "%s is whole: %s rows as of %s. The SHA-256 of its manifest.json is %s.\n", dir, thousands(int(m.Rows())),
			m.Began.Format(time.RFC3339), m.SHA256)
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
		fmt.Fprintf(env.out, "Backed up %s rows into %s (%s) in %s, and read them again.\nThe SHA-256 of its manifest.json is %s: keep that "+
			"elsewhere.\n", thousands(int(m.Rows())), dir,
			megabytes(m.Bytes()), time.Since(began).Round(100*time.Millisecond), m.SHA256)
		if changed := m.Changed(); len(changed) > 0 {
			fmt.Fprintf(env.err, "These are not as in schema.sql: %s. To restore this backup takes --changed.\n", strings.Join(changed, ", "))
		}
	}
	return errors.Join(err, end())
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func runRestore(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "restore")
	var o backup.Options
	f.BoolVar(&o.Overwrite, "overwrite", false, "delete everything that is in the databases")
	f.BoolVar(&o.Changed, "changed", false, "restore tables, indexes, triggers and views that are not as in schema.sql, too")
	f.StringVar(&o.SHA256, "sha256", "", "refuse a backup whose manifest.json has another `SHA-256`")
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
	m, err := backup.Restore(ctx, dir, addresses.clients(), o, bar.update)
	bar.close()
	if errors.Is(err, backup.ErrNotEmpty) {
		err = fmt.Errorf("%w. Restore into new databases, or delete what is there with --overwrite", err)
	}
	if errors.Is(err, backup.ErrChanged) {
		err = fmt.Errorf("%w. Somebody has changed the database or the backup; --changed restores it", err)
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
