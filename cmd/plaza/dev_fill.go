package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/lists/editions"
	settings "plaza/data/site"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/ops/backup"
	"plaza/ops/exchange/importer"
	"plaza/worker/listing"
)

// samples are posts of five communities from "Reddit Top 2.5 Million" (github.com/umbrae/reddit-top-2.5-million), which is in the public
// domain (PDDL 1.0). They are the demo content of a clone without the larger set.
//
//go:embed sample/*.csv.gz
var samples embed.FS

// filledMarker is the name of a file that exists once the demo content is complete. Until then, every start continues to write the content.
const filledMarker = "filled"

// fill migrates the databases and, the first time, writes the demo content.
func (d *dev) fill(ctx context.Context) error {
	if err := migrateAll(ctx, io.Discard, []string{d.sqld.URL}, d.sqld.Token); err != nil {
		return fmt.Errorf("%w\n(plaza dev --fresh deletes its data and begins again)", err)
	}
	if d.o.empty {
		return nil
	}
	marker := filepath.Join(d.o.data, filledMarker)
	if filled, err := os.ReadFile(marker); err == nil {
		if string(filled) == withAdmin {
			return nil
		}
		return d.makeAdmin(ctx, marker) // filled by an earlier build
	}
	sources, err := demoSources(d.root)
	if err != nil {
		return err
	}
	quiet := &environment{out: d.env.err, err: d.env.err, getenv: d.env.getenv}
	one := hrana.New(hrana.Options{URL: d.sqld.URL, Token: d.sqld.Token, WorkTime: longWork})
	site := backup.Site{Directory: one, Shards: []*hrana.Client{one}}
	if err := importFiles(ctx, quiet, siteDB(site), importer.Options{Format: importer.RedditCSV, Sources: sources, Shift: true}); err != nil {
		return err
	}
	if err := seed(ctx, quiet, site, defaultSeed()); err != nil {
		return err
	}
	if err := applyDeltas(ctx, site, upstash.Options{URL: d.upstash.URL, Token: d.token}); err != nil {
		return err
	}
	if err := makeEditions(ctx, data.NewDB(one)); err != nil {
		return err
	}
	if err := makeCases(ctx, one); err != nil {
		return err
	}
	return d.makeAdmin(ctx, marker)
}

// makeCases makes moderators and something for them to decide, once. plaza seed makes neither: the passwords are public.
func makeCases(ctx context.Context, one *hrana.Client) error {
	var list []hrana.Stmt
	for sql := range strings.SplitSeq(casesSQL, ";\n") {
		list = append(list, hrana.Stmt{SQL: sql})
	}
	if _, err := one.Tx(ctx, list...); !data.IsTaken(err) {
		return err
	}
	return nil
}

// makeEditions makes the last two editions of the front page. Later ones are made by the job.
func makeEditions(ctx context.Context, db *data.DB) error {
	schedule := listing.EditionSchedule(settings.DefaultSettings())
	last := schedule.Time(schedule.Last(time.Now()))
	before := schedule.Time(schedule.Last(last.Add(-time.Second)))
	for _, at := range []time.Time{before, last} {
		source := data.SystemSource()
		source.Now = func() time.Time { return at }
		store := editions.Store{Base: data.Base{DB: db, Source: source}}
		if err := store.Make(ctx, schedule); err != nil {
			return err
		}
	}
	return nil
}

// demoAdmin is the demo member who is an administrator of the site that plaza dev runs. plaza seed makes no administrator: it also fills
// sites that others can reach, and the password is public.
const demoAdmin = "georg"

// withAdmin is the content of that file once the site has its administrator.
const withAdmin = "with an administrator\n"

// makeAdmin makes demoAdmin an administrator, once, so that it stays revoked if a developer revokes it.
func (d *dev) makeAdmin(ctx context.Context, marker string) error {
	db := data.NewDB(hrana.New(hrana.Options{URL: d.sqld.URL, Token: d.sqld.Token}))
	users := accounts.Store{Base: data.Base{DB: db, Source: data.SystemSource()}}
	if err := users.SetAdmin(ctx, demoAdmin, true); err != nil {
		return err
	}
	return os.WriteFile(marker, []byte(withAdmin), 0o600)
}

// sayWho prints the accounts to log in with.
func (d *dev) sayWho() {
	if !d.o.empty {
		d.say("Log in as %s, or as %s, who is an administrator; the password of all demo members is %s", persons[0][0], demoAdmin, demoPassword)
		return
	}
	d.say("Sign up on the site, and then make yourself an administrator: (set -a; . %s; go run ./cmd/plaza admin NAME)",
		filepath.Join(d.o.data, "worker.env"))
}

// demoSources returns the 19 communities beside the repository if they exist, or else the five inside it.
func demoSources(root string) ([]importer.Source, error) {
	dir := os.Getenv("PLAZA_DEMO_DATA")
	if dir == "" {
		dir = filepath.Join(root, "..", "shared", "data", "reddit-2013")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.csv.gz"))
	var sources []importer.Source
	for _, path := range files {
		s, err := importer.File(path)
		if err != nil {
			return nil, err
		}
		sources = append(sources, s)
	}
	if len(sources) > 0 {
		return sources, nil
	}
	inside, err := fs.Glob(samples, "sample/*.csv.gz")
	if err != nil {
		return nil, err
	}
	for _, path := range inside {
		info, err := fs.Stat(samples, path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		sources = append(sources, importer.Source{Name: filepath.Base(path), Size: info.Size(),
			Open: func() (io.ReadCloser, error) { return samples.Open(path) }})
	}
	return sources, nil
}
