package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"plaza/ops/backup"
	"plaza/ops/backup/branches"
	"plaza/ops/bucket"
	"plaza/ops/setup/services"
)

func runBackup(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "backup")
	check := f.Bool("check", false, "only read an existing backup, and check that it is complete")
	changed := f.Bool("changed", false, "with --check, accept tables, indexes, triggers and views that are not as in this build")
	sum := f.String("sha256", "", "with --check, the `SHA-256` of its manifest.json, which plaza backup has printed")
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
	if *check {
		m, err := checkBackup(ctx, env, "Backup", dir, *sum)
		if err != nil {
			return err
		}
		if list := m.Changed(); len(list) > 0 && !*changed {
			return fmt.Errorf("%s has what is not as in this build: %s. Another build has made it, or somebody has changed the database or "+
				"the backup; --changed accepts it", dir, strings.Join(list, ", "))
		}
		fmt.Fprintf(env.out, "%s is whole: %s rows%s as of %s. The SHA-256 of its manifest.json is %s.\n", dir, thousands(int(m.Rows())),
			andPictures(m), m.Began.Format(time.RFC3339), m.SHA256)
		return nil
	}
	began := time.Now()
	open := openSite
	if *branch {
		open = openBranches
	}
	site, end, err := open(ctx, env, &addresses, *organization)
	if err != nil {
		return errors.Join(err, end())
	}
	excluded := "as --without-pictures asks"
	if !*without {
		site.Bucket, excluded = pictures.client()
	}
	bar := newBar(env.err, "Backup")
	m, err := backup.Write(ctx, dir, site, bar.update)
	bar.close()
	ended := end()
	if err != nil {
		return errors.Join(err, ended)
	}
	fmt.Fprintf(env.out, "Backed up %s rows%s into %s (%s) in %s, and read them again.\nThe SHA-256 of its manifest.json is %s: keep that "+
		"elsewhere.\n", thousands(int(m.Rows())), andPictures(m), dir,
		megabytes(m.Bytes()), time.Since(began).Round(100*time.Millisecond), m.SHA256)
	switch {
	case m.Pictures == nil:
		fmt.Fprintf(env.out, "Pictures were left out: %s.\n", excluded)
	case m.Pictures.Missing > 0:
		fmt.Fprintf(env.err, "The bucket does not have %s of the pictures: plaza verify tells which.\n", thousands(m.Pictures.Missing))
	}
	if changed := m.Changed(); len(changed) > 0 {
		fmt.Fprintf(env.err, "These are not as in this build: %s. To restore this backup takes --changed.\n", strings.Join(changed, ", "))
	}
	if ended != nil { // the backup is complete, and the next one deletes the copies
		fmt.Fprintf(env.err, "%v.\n", ended)
	}
	return nil
}

// openSite opens the databases that a backup reads. The second result does nothing.
func openSite(ctx context.Context, _ *environment, a *addresses, _ string) (backup.Site, func() error, error) {
	site, _, err := openFilled(ctx, a)
	return site, func() error { return nil }, err
}

// openBranches creates copies of a site's databases at Turso for a backup. Call the second result to delete them, also after an error.
func openBranches(ctx context.Context, env *environment, a *addresses, organization string) (backup.Site, func() error, error) {
	site, end := backup.Site{}, func() error { return nil }
	token := env.getenv("TURSO_API_TOKEN")
	if token == "" {
		return site, end, errors.New("--branch needs TURSO_API_TOKEN: turso auth api-tokens mint NAME makes one")
	}
	turso := services.NewTurso(env.turso, token, http.DefaultClient)
	if turso.Organization = organization; organization == "" {
		slugs, err := turso.Organizations(ctx)
		switch {
		case err != nil:
			return site, end, err
		case len(slugs) == 0:
			return site, end, errors.New("TURSO_API_TOKEN reaches no organization")
		case len(slugs) > 1:
			return site, end, fmt.Errorf("the token reaches several organizations: name one of %s with --organization",
				strings.Join(slugs, ", "))
		}
		turso.Organization = slugs[0]
	}
	directory, shards := a.all()
	inOrder := append(slices.DeleteFunc(slices.Clone(shards), func(url string) bool { return url == directory }), directory)
	maker := &branches.Maker{Turso: turso, Wait: 2 * time.Minute, Pause: time.Second}
	if env.exclusive {
		maker.Pause = 10 * time.Millisecond
	}
	created, err := maker.Make(ctx, inOrder)
	for _, name := range created.Undeleted {
		fmt.Fprintf(env.err, "The copy %s of an earlier backup can't be deleted: delete it by hand.\n", name)
	}
	site = backup.Site{Directory: created.Clients[directory], Copied: created.Began}
	for _, url := range shards {
		site.Shards = append(site.Shards, created.Clients[url])
	}
	return site, func() error { return created.Delete(ctx) }, err
}

// checkBackup reads a backup. Its manifest must have the SHA-256 sum, unless that is "".
func checkBackup(ctx context.Context, env *environment, what, dir, sum string) (*backup.Manifest, error) {
	bar := newBar(env.err, what)
	m, err := backup.Check(ctx, dir, bar.update)
	bar.close()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s is damaged: %w", dir, err)
	case sum != "" && sum != m.SHA256:
		return nil, fmt.Errorf("%s is another backup: the SHA-256 of its manifest.json is %s", dir, m.SHA256)
	}
	return m, nil
}

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
	only := f.Bool("only-pictures", false, "write the pictures of the backup that the bucket lacks, and leave "+
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
	bucket, skipped := pictures.client()
	switch {
	case *only && *without:
		return usagef("--only-pictures and --without-pictures leave nothing to do")
	case *only && bucket == nil:
		return errors.New(skipped)
	case *only:
		m, err := checkBackup(ctx, env, "Restore", dir, o.SHA256)
		if err == nil && m.Pictures == nil {
			err = fmt.Errorf("%s has no pictures", dir)
		}
		if err != nil {
			return err
		}
		return putPictures(ctx, env, dir, m, bucket)
	case *without:
		bucket, skipped = nil, "as --without-pictures asks"
	}
	site, err := addresses.open(ctx)
	if err != nil {
		return err
	}
	bar := newBar(env.err, "Restore")
	began := time.Now()
	m, err := backup.Restore(ctx, dir, site, o, bar.update)
	bar.close()
	switch {
	case errors.Is(err, backup.ErrNotEmpty):
		err = fmt.Errorf("%w. Restore into new databases, or delete what is there with --overwrite", err)
	case errors.Is(err, backup.ErrChanged):
		err = fmt.Errorf("%w. Somebody has changed the database or the backup; --changed restores it", err)
	}
	if err != nil {
		return err
	}
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
			thousands(m.Pictures.Count), skipped)
	default:
		return putPictures(ctx, env, dir, m, bucket)
	}
	return nil
}

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
