package setup

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"plaza"
	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/sessions"
	"plaza/data/accounts/signup"
	"plaza/data/content/communities"
	"plaza/data/schema"
	"plaza/data/wire/hrana"
	"plaza/ops/migrate"
)

// open connects to the databases with a token that expires after an hour. A new database may need some seconds until it responds.
func (r *run) open(ctx context.Context) error {
	if r.db != nil {
		return nil
	}
	var err error
	if r.token, err = r.newToken(ctx, "1h"); err != nil {
		return err
	}
	until := time.Now().Add(cmp.Or(r.DatabaseWait, 30*time.Second))
	for _, url := range r.urls() {
		o := hrana.Options{URL: url, Token: r.token, Attempts: 1}
		for {
			_, err := hrana.New(o).Query(ctx, hrana.Stmt{SQL: "SELECT 1"})
			if err == nil {
				break
			}
			if time.Now().After(until) {
				return fmt.Errorf("the database at %s does not answer: %w", url, err)
			}
			if err := wait(ctx, time.Second); err != nil {
				return err
			}
		}
		o.Attempts, o.WorkTime = 0, time.Hour
		r.clients = append(r.clients, hrana.New(o))
	}
	r.db = data.NewDB(r.clients[0], r.clients[1:]...)
	return nil
}

// urls returns the addresses of the directory and of the shards.
func (r *run) urls() []string { return append([]string{r.url}, r.shards()...) }

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// tables runs the missing schema steps in all databases, and records in them which site they belong to.
func (r *run) tables(ctx context.Context) (result, error) {
	if r.DryRun {
		return done("run the missing steps of the schema")
	}
	if err := r.open(ctx); err != nil {
		return result{}, err
	}
	steps, replaced := 0, false
	for _, client := range r.clients {
		db, err := migrate.Open(ctx, client, schema.Steps(), plaza.Triggers)
		if err != nil {
			return result{}, err
		}
		before := db.Step()
		replaced = replaced || !db.Ready()
		if err := db.Run(ctx, func(migrate.Progress) {}); err != nil {
			return result{}, err
		}
		steps += db.Step() - before
		differ, err := db.Differences(ctx)
		if err != nil {
			return result{}, err
		}
		if len(differ) > 0 {
			return result{}, fmt.Errorf("these are not as in schema.sql: %s. Somebody has changed them by hand", strings.Join(differ, ", "))
		}
	}
	changed, err := r.takeOver(ctx)
	if err != nil {
		return result{}, err
	}
	switch {
	case steps > 0:
		return done("bring the schema to step %d", schema.Version)
	case replaced:
		return done("replace the triggers and views")
	case changed:
		return done("note that it belongs to %s", r.SiteURL)
	}
	return already("step %d of the schema", schema.Version)
}

const (
	// Each scans a table that is small when a site is set up.
	findAdmin     = `SELECT id, username FROM users WHERE admin = 1 AND status = 'active' ORDER BY id LIMIT 1`
	findCommunity = `SELECT name FROM communities WHERE kind <> 'profile' ORDER BY id LIMIT 1`
)

// adminForm is the token of the sign-up form. It is the same in each run, so a second run continues with the account of the first.
const adminForm = "plaza setup"

// administrator creates the first administrator, unless the site has one.
func (r *run) administrator(ctx context.Context) (result, error) {
	if r.DryRun {
		return done("make the first administrator, if there is none")
	}
	base := data.Base{DB: r.db, Source: data.SystemSource()}
	begin := sessions.Store{Base: base}
	read := r.db.Read()
	read.Find(findAdmin, nil, func(row *data.Row) { r.admin = begin.Begin(row.ID(), row.Text()) })
	if err := read.Run(ctx); err != nil {
		return result{}, err
	}
	if r.admin.UserID != 0 {
		return already("%s", r.admin.Name)
	}
	if err := r.ask(ctx, &r.Admin, "Name of the first administrator", "", "--admin", false); err != nil {
		return result{}, err
	}
	if r.config.value("vars", "MAIL_PROVIDER") == "" {
		r.Email = "" // nobody could confirm it
	} else if err := r.ask(ctx, &r.Email, "Email address of "+r.Admin, "", "--email", false); err != nil {
		return result{}, err
	}
	if err := r.ask(ctx, &r.AdminPassword, "Password of "+r.Admin, "", "PLAZA_ADMIN_PASSWORD in the environment", true); err != nil {
		return result{}, err
	}
	store := signup.Store{Base: base, Sessions: &begin, Credentials: &credentials.Store{Base: base, Sessions: &begin, HashCost: r.HashCost,
		Salt: func(b []byte) { _, _ = rand.Read(b) }}}
	created, err := store.SignUp(ctx, signup.Form{Username: r.Admin, Email: r.Email, Password: r.AdminPassword, Token: adminForm})
	switch data.ErrorCode(err) {
	case data.Conflict:
		return result{}, fmt.Errorf("somebody has the name %s. If that is you, run plaza admin %s; if not, choose another with --admin", r.Admin,
			r.Admin)
	case data.AlreadySent:
		return result{}, errors.New("an earlier run has made an account with another name, address or password. Give the same again, or make " +
			"that account an administrator with plaza admin NAME")
	}
	if err != nil {
		return result{}, err
	}
	if err := (&accounts.Store{Base: base}).SetAdmin(ctx, r.Admin, true); err != nil {
		return result{}, err
	}
	r.admin = created
	return done("make %s", r.Admin)
}

// community creates the first community, unless the site has one. Its owner is the administrator.
func (r *run) community(ctx context.Context) (result, error) {
	if r.DryRun {
		return done("make the first community, if there is none")
	}
	name := ""
	read := r.db.Read()
	read.Find(findCommunity, nil, func(row *data.Row) { name = row.Text() })
	if err := read.Run(ctx); err != nil {
		return result{}, err
	}
	if name != "" {
		return already("/c/%s", name)
	}
	if err := r.ask(ctx, &r.Community, "Name of the first community", "", "--community", false); err != nil {
		return result{}, err
	}
	store := communities.Store{Base: data.Base{DB: r.db, Source: data.SystemSource()}}
	if _, err := store.Create(ctx, r.admin, communities.Create{Name: r.Community, Title: r.CommunityTitle, Token: adminForm}); err != nil {
		return result{}, err
	}
	return done("make /c/%s", r.Community)
}
