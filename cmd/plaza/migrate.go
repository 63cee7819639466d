package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"

	"plaza"
	"plaza/data/schema"
)

// list is a flag that may be given more than once.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func runMigrate(ctx context.Context, env *environment, args []string) error {
	f := newFlags(env, "migrate")
	var urls list
	f.Var(&urls, "url", "a database's `URL`; once for each (default $LIBSQL_URL and $LIBSQL_SHARD_URLS)")
	token := f.String("token", env.getenv("LIBSQL_AUTH_TOKEN"), "auth token of the databases")
	rest, err := parseFlags(f, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return usagef("what is %q?", rest[0])
	}
	if len(urls) == 0 {
		urls = databases(env)
	}
	if len(urls) == 0 {
		return usagef("which database? give --url or set LIBSQL_URL")
	}
	for _, u := range urls {
		db, err := openDB(ctx, u, *token)
		if err != nil {
			return err
		}
		fmt.Fprintf(env.out, "%s\n", u)
		err = migrate(ctx, db, env.out)
		if err := errors.Join(err, db.Close()); err != nil {
			return fmt.Errorf("%s: %w", u, err)
		}
	}
	return nil
}

// databases are the directory and the shards that the environment names, each once.
func databases(env *environment) (urls list) {
	seen := map[string]bool{"": true}
	for _, u := range append([]string{env.getenv("LIBSQL_URL")}, strings.Split(env.getenv("LIBSQL_SHARD_URLS"), ",")...) {
		if u = strings.TrimSpace(u); !seen[u] {
			seen[u] = true
			urls = append(urls, u)
		}
	}
	return urls
}

// migrate brings a database to schema.sql. Tables and indexes that are missing are created; indexes and triggers that
// differ are made anew. A table that differs is an error: what to do with its rows is for a person to decide.
func migrate(ctx context.Context, db *sql.DB, out io.Writer) error {
	have, err := objects(ctx, db)
	if err != nil {
		return err
	}
	var differ []string
	changed := 0
	for _, statement := range schema.Split(plaza.Schema) {
		kind, name := object(statement)
		old, exists := have[name]
		if exists && old == canonical(statement) {
			continue
		}
		verb := "created"
		if exists {
			if kind == "table" {
				differ = append(differ, name)
				continue
			}
			verb = "renewed"
			if _, err := db.ExecContext(ctx, "DROP "+kind+" "+name); err != nil {
				return fmt.Errorf("drop %s %s: %w", kind, name, err)
			}
		}
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s %s: %w", kind, name, err)
		}
		changed++
		fmt.Fprintf(out, "  %s %s %s\n", verb, kind, name)
	}
	if len(differ) > 0 {
		return fmt.Errorf("these tables are not as schema.sql has them: %s. Alter them by hand, "+
			"or start with an empty database (plaza dev --fresh)", strings.Join(differ, ", "))
	}
	if changed == 0 {
		fmt.Fprintln(out, "  up to date")
	}
	return nil
}

// objects reads the canonical text of everything that the database has, by name.
func objects(ctx context.Context, db *sql.DB) (map[string]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	have := map[string]string{}
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, err
		}
		have[name] = canonical(text)
	}
	return have, rows.Err()
}

// object tells what a CREATE statement makes: its kind in lower case, and its name.
func object(statement string) (kind, name string) {
	words := strings.Fields(canonical(statement))
	for i, w := range words {
		switch k := strings.ToLower(w); k {
		case "table", "index", "trigger", "view":
			if i+1 < len(words) {
				name, _, _ = strings.Cut(words[i+1], "(")
				return k, name
			}
		}
	}
	return "statement", canonical(statement)
}

// canonical is a statement as SQLite keeps it, with neither comments nor more white space than it needs.
func canonical(statement string) string {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(statement); i++ {
		c := statement[i]
		if quote == 0 && c == '-' && strings.HasPrefix(statement[i:], "--") {
			if end := strings.IndexByte(statement[i:], '\n'); end >= 0 {
				i += end
			} else {
				i = len(statement)
			}
			b.WriteByte('\n')
			continue
		}
		if c == quote {
			quote = 0
		} else if quote == 0 && (c == '\'' || c == '"') {
			quote = c
		}
		b.WriteByte(c)
	}
	s := strings.Join(strings.Fields(b.String()), " ")
	s = strings.Replace(s, " IF NOT EXISTS ", " ", 1)
	return strings.ReplaceAll(strings.ReplaceAll(s, "( ", "("), " )", ")")
}
