package setup

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"plaza"
	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/sessions"
	"plaza/data/accounts/signup"
	"plaza/data/content/communities"
	"plaza/data/pace/deadline"
	"plaza/data/schema"
	"plaza/data/wire/hrana"
	"plaza/tools/migrate"
)

// open connects to the databases with a token that expires after an hour. A new database may need some seconds until it responds.
func (r *run) open(ctx context.Context) error {
	if r.db != nil {
		return nil
	}
	token, err := r.newToken(ctx, "1h")
	if err != nil {
		return err
	}
	until := time.Now().Add(cmp.Or(r.DatabaseWait, 30*time.Second))
	for _, url := range r.urls() {
		o := hrana.Options{URL: url, Token: token, Attempts: 1}
		for {
			_, err := hrana.New(o).Query(ctx, hrana.Stmt{SQL: "SELECT 1"})
			if err == nil {
				break
			}
			if time.Now().After(until) {
				return fmt.Errorf("the database at %s does not answer: %w", url, err)
			}
			if err := deadline.DefaultSleep(ctx, time.Second); err != nil {
				return err
			}
		}
		o.Attempts, o.WorkTime = 0, time.Hour
		r.clients = append(r.clients, hrana.New(o))
	}
	r.db = data.NewDB(r.clients[0], r.clients[1:]...)
	return nil
}

func (r *run) urls() []string { return append([]string{r.url}, r.shards()...) }

const (
	// countTables counts the tables of a database, and the column in which the step tables notes the site. Other apps have no such column.
	countTables = `SELECT count(*), (SELECT count(*) FROM pragma_table_info('schema_steps') WHERE name = 'site_url') FROM sqlite_schema
WHERE type = 'table' AND substr(name, 1, 7) NOT IN ('sqlite_', 'libsql_')`
	owner = `SELECT site_url FROM schema_steps WHERE number = 1`
	note  = `UPDATE schema_steps SET site_url = :url WHERE number = 1 AND site_url <> :url`
)

// checkOwner refuses databases that belong to another site or app, before anything in them changes. The step tables has noted the site in
// each. One without this note is this site's if it is empty, or if wrangler.toml has its address. A dry run checks nothing, because it
// makes no token.
func (r *run) checkOwner(ctx context.Context) error {
	if r.DryRun {
		return nil
	}
	if err := r.open(ctx); err != nil {
		return err
	}
	for i, client := range r.clients {
		url := r.urls()[i]
		results, err := client.Query(ctx, hrana.Stmt{SQL: countTables})
		if err != nil {
			return err
		}
		row := results[0].Rows()[0]
		site := ""
		if row[1].(int64) > 0 {
			if results, err = client.Query(ctx, hrana.Stmt{SQL: owner}); err != nil {
				return err
			}
			for _, row := range results[0].Rows() {
				site = row[0].(string)
			}
		}
		switch {
		case site == r.SiteURL || r.serves(url, site):
		case site != "":
			return fmt.Errorf("the database at %s belongs to the site %s, and this one is to be %s. Give the name of another database with "+
				"--database NAME, and take LIBSQL_URL and LIBSQL_SHARD_URLS out of wrangler.toml. If the site has moved, change SITE_URL in the "+
				"wrangler.toml of the Worker that runs it. If that Worker is gone and this site takes its place, write the address of the "+
				"database into wrangler.toml and say so in the database: UPDATE schema_steps SET site_url = ''", url, site, r.SiteURL)
		case row[0].(int64) > 0 && i == 0 && r.config.variable("LIBSQL_URL") != url:
			return fmt.Errorf("the organization has a database %s with %d tables, which may be another site's or app's: wrangler.toml does not "+
				"name it. Give the name of another database with --database NAME. If it is the site's, write its address into wrangler.toml: "+
				"LIBSQL_URL = %q", r.Database, row[0], url)
		}
	}
	return nil
}

// serves tells whether the deployed Worker uses a database, and has the address that the database names or the one that is set up now. Then
// both addresses are of one site, which moves.
func (r *run) serves(database, site string) bool {
	of := r.deployed["SITE_URL"]
	return of != "" && (of == site || of == r.SiteURL) &&
		(r.deployed["LIBSQL_URL"] == database || slices.Contains(shardsIn(r.deployed["LIBSQL_SHARD_URLS"]), database))
}

// tables runs all schema steps in all databases, and records their site in them.
func (r *run) tables(ctx context.Context) (result, error) {
	if err := r.open(ctx); err != nil {
		return result{}, err
	}
	did := ""
	for _, client := range r.clients {
		db, err := migrate.Open(ctx, client, schema.Steps(), plaza.Triggers)
		if err != nil {
			return result{}, err
		}
		switch {
		case db.Step() < schema.Version:
			did = fmt.Sprintf("take the schema to step %d", schema.Version)
		case !db.Ready():
			did = cmp.Or(did, "make the triggers and views anew")
		}
		if err := db.Run(ctx, func(migrate.Progress) {}); err != nil {
			return result{}, err
		}
		if differ, err := db.Differences(ctx); err != nil {
			return result{}, err
		} else if len(differ) > 0 {
			return result{}, fmt.Errorf("these are not as in schema.sql: %s. Somebody has changed them by hand", strings.Join(differ, ", "))
		}
		results, err := client.Tx(ctx, hrana.Stmt{SQL: note, Named: []hrana.Named{{Name: "url", Value: r.SiteURL}}})
		if err != nil {
			return result{}, err
		}
		if results[0].RowsAffected > 0 {
			did = cmp.Or(did, "note that it belongs to "+r.SiteURL)
		}
	}
	if did != "" {
		return done("%s", did)
	}
	return already("step %d of the schema", schema.Version)
}

const (
	// Each scans a small table, once in the life of a site.
	findAdmin     = `SELECT id, username FROM users WHERE admin = 1 AND status = 'active' ORDER BY id LIMIT 1`
	findCommunity = `SELECT name FROM communities WHERE kind <> 'profile' ORDER BY id LIMIT 1`
)

// adminForm is the token of the sign-up form. It is the same in each run, so a second run continues with the account of the first.
const adminForm = "plaza setup"

// administrator makes the first administrator, unless the site has one.
func (r *run) administrator(ctx context.Context) (result, error) {
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
	if err := r.ask(ctx, input{&r.Admin, "Name of the first administrator", "--admin", "", false}); err != nil {
		return result{}, err
	}
	ask := []input{{&r.AdminPassword, "Password of " + r.Admin, "PLAZA_ADMIN_PASSWORD in the environment", "", true}}
	if r.config.variable("MAIL_PROVIDER") == "" {
		r.Email = "" // nobody could confirm it
	} else {
		ask = append([]input{{&r.Email, "Email address of " + r.Admin, "--email", "", false}}, ask...)
	}
	if err := r.ask(ctx, ask...); err != nil {
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

// community makes the first community, unless the site has one. Its owner is the administrator.
func (r *run) community(ctx context.Context) (result, error) {
	name := ""
	read := r.db.Read()
	read.Find(findCommunity, nil, func(row *data.Row) { name = row.Text() })
	if err := read.Run(ctx); err != nil {
		return result{}, err
	}
	if name != "" {
		return already("/c/%s", name)
	}
	if err := r.ask(ctx, input{&r.Community, "Name of the first community", "--community", "", false}); err != nil {
		return result{}, err
	}
	store := communities.Store{Base: data.Base{DB: r.db, Source: data.SystemSource()}}
	if _, err := store.Create(ctx, r.admin, communities.Create{Name: r.Community, Title: r.CommunityTitle, Token: adminForm}); err != nil {
		return result{}, err
	}
	return done("make /c/%s", r.Community)
}
