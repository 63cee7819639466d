package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"strings"
	"time"

	"plaza/data/wire/hrana"
	"plaza/tools/backup"
	"plaza/tools/importer"
)

// addresses are the addresses of all databases of a site.
type addresses struct {
	env       *environment
	directory string
	shards    list // by number; empty: the directory is the only shard
	token     string
	workTime  time.Duration // how long a client's statement may take; 0 for the default of hrana.Client
}

// flags adds the flags of the addresses.
func (a *addresses) flags(env *environment, f *flag.FlagSet) {
	a.env = env
	f.StringVar(&a.directory, "url", "", "the directory's `URL` (default $LIBSQL_URL)")
	f.Var(&a.shards, "shard", "a thread shard's `URL`, in the order of LIBSQL_SHARD_URLS; once for each (default, without --url, that "+
		"variable; none: the directory is the one shard)")
	f.StringVar(&a.token, "token", env.getenv("LIBSQL_AUTH_TOKEN"), "auth token of the databases")
}

// all returns the addresses of the directory and of the shards. Without shards it is the directory's alone.
func (a *addresses) all() (directory string, shards []string) {
	directory, shards = a.directory, a.shards
	if directory == "" {
		directory = a.env.getenv("LIBSQL_URL")
		if len(shards) == 0 {
			shards = strings.FieldsFunc(a.env.getenv("LIBSQL_SHARD_URLS"), func(r rune) bool { return r == ',' || r == ' ' })
		}
	}
	if len(shards) == 0 {
		shards = []string{directory}
	}
	return directory, shards
}

// open opens each database once. The second result closes them.
func (a *addresses) open(ctx context.Context) (importer.Databases, func() error, error) {
	open := map[string]*sql.DB{}
	end := func() (err error) {
		for _, db := range open {
			err = errors.Join(err, db.Close())
		}
		return err
	}
	databases := importer.Databases{}
	directory, shards := a.all()
	for i, url := range append([]string{directory}, shards...) {
		db := open[url]
		if db == nil {
			var err error
			if db, err = openDB(ctx, url, a.token); err != nil {
				return databases, nil, errors.Join(err, end())
			}
			open[url] = db
		}
		if i == 0 {
			databases.Directory = db
		} else {
			databases.Shards = append(databases.Shards, db)
		}
	}
	return databases, end, nil
}

// clients returns clients of the same databases, of the type that the site's own stores use.
func (a *addresses) clients() backup.Site {
	open := map[string]*hrana.Client{}
	client := func(url string) *hrana.Client {
		if open[url] == nil {
			open[url] = hrana.New(hrana.Options{URL: url, Token: a.token, WorkTime: a.workTime})
		}
		return open[url]
	}
	directory, shards := a.all()
	site := backup.Site{Directory: client(directory)}
	for _, url := range shards {
		site.Shards = append(site.Shards, client(url))
	}
	return site
}
