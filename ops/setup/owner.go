package setup

import (
	"context"
	"fmt"
	"slices"

	"plaza/data/wire/hrana"
)

const (
	// tables counts the tables of a database, and the column in which takeOver records the site. Builds before 1.0 had no such column.
	tables = `SELECT count(*), (SELECT count(*) FROM pragma_table_info('schema_steps') WHERE name = 'site_url') FROM sqlite_schema
WHERE type = 'table' AND substr(name, 1, 7) NOT IN ('sqlite_', 'libsql_')`
	owner = `SELECT site_url FROM schema_steps WHERE number = 1`
	note  = `UPDATE schema_steps SET site_url = :url WHERE number = 1 AND site_url <> :url`
)

// checkOwner refuses databases that belong to another site or app, before anything in them changes. takeOver records the site in each
// database. A database without this record is this site's if it is empty, or if wrangler.toml has its address. A dry run checks nothing,
// because it creates no token.
func (r *run) checkOwner(ctx context.Context) error {
	if r.DryRun {
		return nil
	}
	if err := r.open(ctx); err != nil {
		return err
	}
	for i, client := range r.clients {
		url := r.urls()[i]
		results, err := client.Query(ctx, hrana.Stmt{SQL: tables})
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
		case row[0].(int64) > 0 && i == 0 && r.config.value("vars", "LIBSQL_URL") != url:
			return fmt.Errorf("the organization has a database %s with %d tables, which may be another site's or app's: wrangler.toml does not "+
				"name it. Give the name of another database with --database NAME. If it is the site's, write its address into wrangler.toml: "+
				"LIBSQL_URL = %q", r.Database, row[0], url)
		}
	}
	return nil
}

// serves reports whether the deployed Worker uses a database, and its SITE_URL is that in the database's record or that of this run. Then
// both are addresses of one site, which moves.
func (r *run) serves(database, site string) bool {
	deployed := r.deployed["SITE_URL"]
	return deployed != "" && (deployed == site || deployed == r.SiteURL) &&
		(r.deployed["LIBSQL_URL"] == database || slices.Contains(shardsIn(r.deployed["LIBSQL_SHARD_URLS"]), database))
}

// takeOver records in all databases that they belong to this site. changed reports whether a record was missing or of another site.
func (r *run) takeOver(ctx context.Context) (changed bool, err error) {
	for _, client := range r.clients {
		results, err := client.Tx(ctx, hrana.Stmt{SQL: note, Named: []hrana.Named{{Name: "url", Value: r.SiteURL}}})
		if err != nil {
			return false, err
		}
		changed = changed || results[0].RowsAffected > 0
	}
	return changed, nil
}
