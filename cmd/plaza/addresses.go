package main

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/ops/backup"
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

// all returns the addresses of the directory and of the shards. By default the directory is the only shard.
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

// open returns clients of all databases, after each has responded.
func (a *addresses) open(ctx context.Context) (backup.Site, error) {
	directory, shards := a.all()
	if directory == "" {
		return backup.Site{}, usagef("which database? give --url or set LIBSQL_URL")
	}
	for _, url := range slices.Compact(append([]string{directory}, shards...)) {
		if err := checkResponds(ctx, url, a.token); err != nil {
			return backup.Site{}, err
		}
	}
	return a.clients(), nil
}

// clients returns the clients of all databases, one for each address.
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

// longWork is how long a statement or a transaction may take that reads or writes many rows.
const longWork = time.Hour

// openHrana returns a client of a libSQL database, after it has responded. Its transactions are one request each, and may take longWork.
func openHrana(ctx context.Context, address, token string) (*hrana.Client, error) {
	return hrana.New(hrana.Options{URL: address, Token: token, WorkTime: longWork}), checkResponds(ctx, address, token)
}

// checkResponds returns an error if a database does not respond.
func checkResponds(ctx context.Context, address, token string) error {
	if err := checkURL(address); err != nil {
		return err
	}
	_, err := hrana.New(hrana.Options{URL: address, Token: token, Attempts: 1}).Query(ctx, hrana.Stmt{SQL: "SELECT 1"})
	if err != nil {
		return fmt.Errorf("the database at %s does not answer: %w", address, err)
	}
	return nil
}

func checkURL(address string) error {
	if u, err := url.Parse(address); err != nil || u.Host == "" {
		return usagef("%q is not a database's URL, which is like http://127.0.0.1:8080 or libsql://name.turso.io", address)
	}
	return nil
}

// siteDB returns the databases of a site for stores.
func siteDB(site backup.Site) *data.DB { return data.NewDB(site.Directory, site.Shards...) }

// numbers returns the columns of a query's first row, which are integers. There must be a row.
func numbers(ctx context.Context, db *hrana.Client, query string) (list []int64, err error) {
	results, err := db.Query(ctx, hrana.Stmt{SQL: query})
	if err != nil {
		return nil, err
	}
	for _, cell := range results[0].Row(0) {
		list = append(list, cell.Integer())
	}
	return list, nil
}
