package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"plaza/tools/backup"
	"plaza/tools/bucket"
)

func runBackup(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "backup")
	check := f.Bool("check", false, "only read a backup that is there, and tell whether it is whole")
	changed := f.Bool("changed", false, "with --check, accept tables, indexes, triggers and views that are not as in this build")
	sum := f.String("sha256", "", "with --check, the `SHA-256` of its manifest.json, which plaza backup has said")
	without := f.Bool("without-pictures", false, "leave out the pictures that members have uploaded")
	branch := f.Bool("branch", false, "read short-lived copies of the databases, which it makes at Turso and deletes (TURSO_API_TOKEN)")
	organization := f.String("organization", "", "with --branch, the `slug` of the organization at Turso, if the token reaches several")
	var addresses addresses
	addresses.flags(env, f)
	var pictures pictures
	pictures.flags(env, f)
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
			return fmt.Errorf("%s has what is not as in this build: %s. Another build has made it, or somebody has changed the database or "+
				"the backup; --changed accepts it", dir, strings.Join(m.Changed(), ", "))
		}
		fmt.Fprintf(env.out, "%s is whole: %s rows%s as of %s. The SHA-256 of its manifest.json is %s.\n", dir, thousands(int(m.Rows())),
			andPictures(m), m.Began.Format(time.RFC3339), m.SHA256)
		return nil
	}
	began := time.Now()
	site, end, err := databasesOf(ctx, env, &addresses, *branch, *organization)
	if err != nil {
		return err
	}
	left := "as --without-pictures asks"
	if !*without {
		site.Bucket, left = pictures.client()
	}
	m, err := backup.Write(ctx, dir, site, bar.update)
	bar.close()
	if err == nil {
		fmt.Fprintf(env.out, "Backed up %s rows%s into %s (%s) in %s, and read them again.\nThe SHA-256 of its manifest.json is %s: keep that "+
			"elsewhere.\n", thousands(int(m.Rows())), andPictures(m), dir,
			megabytes(m.Bytes()), time.Since(began).Round(100*time.Millisecond), m.SHA256)
		switch {
		case m.Pictures == nil:
			fmt.Fprintf(env.out, "Pictures were left out: %s.\n", left)
		case m.Pictures.Missing > 0:
			fmt.Fprintf(env.err, "The bucket does not have %s of the pictures: plaza verify tells which.\n", thousands(m.Pictures.Missing))
		}
		if changed := m.Changed(); len(changed) > 0 {
			fmt.Fprintf(env.err, "These are not as in this build: %s. To restore this backup takes --changed.\n", strings.Join(changed, ", "))
		}
	}
	if ended := end(); err != nil {
		return errors.Join(err, ended)
	} else if ended != nil { // the backup is complete all the same, and the next one deletes the copies
		fmt.Fprintf(env.err, "%v.\n", ended)
	}
	return nil
}

// databasesOf are the databases that a backup reads. The second result deletes copies of them.
func databasesOf(ctx context.Context, env *environment, a *addresses, branch bool, organization string) (backup.Site, func() error, error) {
	if branch {
		return branchesOf(ctx, env, a, organization)
	}
	site, _, err := openFilled(ctx, a)
	return site, func() error { return nil }, err
}

// andPictures describes in words how many pictures a backup has.
func andPictures(m *backup.Manifest) string {
	switch p := m.Pictures; {
	case p == nil:
		return ""
	case p.Read > 0:
		return fmt.Sprintf(" and %s pictures of %s, of which %s are new,", thousands(p.Count), megabytes(p.Bytes), thousands(p.Read))
	default:
		return fmt.Sprintf(" and %s pictures of %s", thousands(p.Count), megabytes(p.Bytes))
	}
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func runRestore(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "restore")
	var o backup.Options
	f.BoolVar(&o.Overwrite, "overwrite", false, "delete everything that is in the databases")
	f.BoolVar(&o.Changed, "changed", false, "restore tables, indexes, triggers and views that are not as in this build, too")
	f.StringVar(&o.SHA256, "sha256", "", "refuse a backup whose manifest.json has another `SHA-256`")
	only := f.Bool("only-pictures", false, "put the pictures of the backup into the bucket where they are missing, and leave "+
		"the databases alone")
	without := f.Bool("without-pictures", false, "leave the bucket of pictures alone")
	addresses := addresses{workTime: 10 * time.Minute} // for the count of a large table's rows
	addresses.flags(env, f)
	var pictures pictures
	pictures.flags(env, f)
	rest, err := parseFlags(f, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return usagef("give the folder of one backup")
	}
	dir := strings.TrimRight(rest[0], "/")
	bucket, left := pictures.client()
	switch {
	case *only && *without:
		return usagef("--only-pictures and --without-pictures leave nothing to do")
	case *only && bucket == nil:
		return errors.New(left)
	case *only:
		return restorePictures(ctx, env, dir, bucket, o)
	case *without:
		bucket, left = nil, "as --without-pictures asks"
	}
	site, err := addresses.open(ctx)
	if err != nil {
		return err
	}
	bar := newBar(env.err, "Restore")
	began := time.Now()
	m, err := backup.Restore(ctx, dir, site, o, bar.update)
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
		switch {
		case m.Pictures == nil:
			fmt.Fprintln(env.out, "The backup has no pictures.")
		case bucket == nil:
			fmt.Fprintf(env.out, "Its %s pictures were left out: %s. plaza restore --only-pictures brings them back.\n",
				thousands(m.Pictures.Count), left)
		default:
			err = putPictures(ctx, env, dir, m, bucket)
		}
	}
	return err
}

// restorePictures restores only the pictures, not the databases.
func restorePictures(ctx context.Context, env *environment, dir string, bucket *bucket.Client, o backup.Options) error {
	bar := newBar(env.err, "Restore")
	m, err := backup.Check(ctx, dir, bar.update)
	bar.close()
	switch {
	case err != nil:
		return fmt.Errorf("%s is damaged: %w", dir, err)
	case o.SHA256 != "" && o.SHA256 != m.SHA256:
		return fmt.Errorf("%s is another backup: the SHA-256 of its manifest.json is %s", dir, m.SHA256)
	case m.Pictures == nil:
		return fmt.Errorf("%s has no pictures", dir)
	}
	return putPictures(ctx, env, dir, m, bucket)
}

// putPictures writes the pictures of a backup to the bucket.
func putPictures(ctx context.Context, env *environment, dir string, m *backup.Manifest, bucket *bucket.Client) error {
	bar := newBar(env.err, "Pictures")
	written, err := backup.RestorePictures(ctx, dir, m, bucket, bar.update)
	bar.close()
	if err != nil {
		return fmt.Errorf("%w. plaza restore --only-pictures goes on", err)
	}
	fmt.Fprintf(env.out, "The bucket has its %s pictures, of which %s were missing.\n", thousands(m.Pictures.Count), thousands(written))
	return nil
}
