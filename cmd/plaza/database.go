package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"time"

	"github.com/tursodatabase/libsql-client-go/libsql"

	"plaza/data/wire/hrana"
)

// openDB opens a libSQL database over HTTP and checks that it responds.
func openDB(ctx context.Context, address, token string) (*sql.DB, error) {
	if address == "" {
		return nil, usagef("which database? give --url or set LIBSQL_URL")
	}
	if err := checkURL(address); err != nil {
		return nil, err
	}
	var options []libsql.Option
	if token != "" {
		options = append(options, libsql.WithAuthToken(token))
	}
	connector, err := libsql.NewConnector(address, options...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	db := sql.OpenDB(connector)
	// The server closes a stream that is idle for 10 s, so a connection that was kept for later would be broken.
	db.SetMaxIdleConns(1)
	db.SetConnMaxIdleTime(5 * time.Second)
	// The driver's own ping sends no request.
	if _, err := db.ExecContext(ctx, "SELECT 1"); err != nil {
		db.Close()
		return nil, fmt.Errorf("the database at %s does not answer: %w", address, err)
	}
	return db, nil
}

// openHrana returns a client of a libSQL database, and fails if the database does not respond. Its transactions are one request each, and
// may take an hour.
func openHrana(ctx context.Context, address, token string) (*hrana.Client, error) {
	if err := checkURL(address); err != nil {
		return nil, err
	}
	o := hrana.Options{URL: address, Token: token, Attempts: 1}
	if _, err := hrana.New(o).Query(ctx, hrana.Stmt{SQL: "SELECT 1"}); err != nil {
		return nil, fmt.Errorf("the database at %s does not answer: %w", address, err)
	}
	o.Attempts, o.WorkTime = 0, time.Hour
	return hrana.New(o), nil
}

func checkURL(address string) error {
	if u, err := url.Parse(address); err != nil || u.Host == "" {
		return usagef("%q is not a database's URL, which is like http://127.0.0.1:8080 or libsql://name.turso.io", address)
	}
	return nil
}
