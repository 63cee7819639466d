package main

import (
	"context"
	"crypto/rand"
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
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/sessions"
	"plaza/data/accounts/signup"
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
	marker := filepath.Join(d.o.data, filledMarker)
	if filled, err := os.ReadFile(marker); err == nil {
		d.o.empty = string(filled) == onlyAdmin
		if d.o.empty || string(filled) == withAdmin {
			return nil
		}
		return d.makeAdmin(ctx, marker, withAdmin) // filled by an earlier build
	}
	if d.o.empty {
		if err := d.signUpAdmin(ctx); err != nil {
			return fmt.Errorf("%w\n(plaza dev --fresh deletes its data and begins again)", err)
		}
		return d.makeAdmin(ctx, marker, onlyAdmin)
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
	w := d.base().DB.Write()
	w.Do(dismissChecklist, data.Args{"archive": settings.DefaultSettings().ArchiveAge()})
	if err := w.Run(ctx); err != nil {
		return err
	}
	return d.makeAdmin(ctx, marker, withAdmin)
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

// dismissChecklist hides the checklist: the demo is not a new site.
const dismissChecklist = `INSERT INTO site_settings (id, revision, archive, body) VALUES (1, 1, :archive, '{"checklist_dismissed":true}')
ON CONFLICT DO NOTHING`

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

// The content of that file once the site has its administrator. An empty site stays empty until --fresh.
const (
	withAdmin = "with an administrator\n"
	onlyAdmin = "only an administrator\n"
)

func (d *dev) base() data.Base {
	return data.Base{DB: data.NewDB(hrana.New(hrana.Options{URL: d.sqld.URL, Token: d.sqld.Token})), Source: data.SystemSource()}
}

// signUpAdmin creates the account of demoAdmin on an empty site. It may be called again if the program was killed meanwhile.
func (d *dev) signUpAdmin(ctx context.Context) error {
	begin := &sessions.Store{Base: d.base()}
	store := signup.Store{Base: begin.Base, Sessions: begin, Credentials: &credentials.Store{Base: begin.Base, Sessions: begin,
		HashCost: credentials.SafeHashCost, Salt: func(b []byte) { _, _ = rand.Read(b) }}}
	_, err := store.SignUp(ctx, signup.Form{Username: demoAdmin, Password: demoPassword, Token: "plaza dev"})
	return err
}

// makeAdmin makes demoAdmin an administrator, once, so that it stays revoked if a developer revokes it. Then it writes the marker.
func (d *dev) makeAdmin(ctx context.Context, marker, content string) error {
	users := accounts.Store{Base: d.base()}
	if err := users.SetAdmin(ctx, demoAdmin, true); err != nil {
		return err
	}
	return os.WriteFile(marker, []byte(content), 0o600)
}

// sayWho prints the accounts to log in with.
func (d *dev) sayWho() {
	if d.o.empty {
		d.say("Log in as %s, who is an administrator; the password is %s", demoAdmin, demoPassword)
		return
	}
	d.say("Log in as %s, or as %s, who is an administrator; the password of all demo members is %s", persons[0][0], demoAdmin, demoPassword)
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
