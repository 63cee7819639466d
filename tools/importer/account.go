package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/searchwords"
	"plaza/data/names"
	"plaza/tools/exchange"
)

// An author of another site gets an account here, with the same name if that is free (users.unclaimed). It can't be logged in to until it
// is claimed.

const (
	// Unique index users_origin.
	findAccounts = `SELECT u.origin, u.id, u.username FROM json_each(?) j JOIN users u ON u.origin = j.value`
	// A former name of a member counts as taken. Primary key of former_names, index account_deletions_name.
	insertAccounts = `INSERT INTO users (id, username, username_key, password_hash, bio, bio_html, created_at, origin, unclaimed, words)
SELECT value ->> 0, value ->> 1, lower(value ->> 1), '', value ->> 2, value ->> 3, value ->> 4, value ->> 5, 1, value ->> 6
FROM json_each(?)
WHERE NOT EXISTS (SELECT 1 FROM former_names f WHERE f.name_key = lower(value ->> 1))
  AND NOT EXISTS (SELECT 1 FROM account_deletions d WHERE d.name_key = lower(value ->> 1))
ON CONFLICT DO NOTHING`
)

// accountsInMemory limits the cached accounts.
const accountsInMemory = 300_000

// bioMax is the longest biography, in characters.
const bioMax = 1000

// newcomer is an account to make.
type newcomer struct {
	account
	person exchange.User
	since  time.Time
}

// enrol finds or makes the accounts of a batch's authors, and assigns them to their posts and comments.
func (w *writer) enrol(ctx context.Context, b batch) error {
	if len(w.accounts) > accountsInMemory {
		clear(w.accounts)
	}
	missing := map[string]*newcomer{}
	see := func(a account, at time.Time) *newcomer {
		if _, known := w.accounts[a.origin]; known || a.origin == "" {
			return nil
		}
		n := missing[a.origin]
		if n == nil {
			n = &newcomer{account: a, since: at}
			missing[a.origin] = n
		}
		if at.Before(n.since) && !at.IsZero() || n.since.IsZero() {
			n.since = at
		}
		return n
	}
	for _, p := range b.posts {
		see(p.author, p.created)
	}
	for _, c := range b.comments {
		see(c.author, c.created)
	}
	for _, p := range b.people {
		a, err := accountOf(p.site, p.Name)
		if err != nil {
			return err
		}
		if n := see(a, p.CreatedAt); n != nil {
			n.person = p.User
			if !p.CreatedAt.IsZero() {
				n.since = p.CreatedAt
			}
		}
	}
	if err := w.open(ctx, missing); err != nil {
		return err
	}
	for _, p := range b.posts {
		p.author = w.accounts[p.author.origin]
	}
	for _, c := range b.comments {
		c.author = w.accounts[c.author.origin]
	}
	return nil
}

// nameTries limits the names to try for an account.
const nameTries = 100

// open finds the missing accounts, and makes those that do not exist.
func (w *writer) open(ctx context.Context, missing map[string]*newcomer) error {
	created := false
	for try := range uint32(nameTries) {
		if len(missing) == 0 {
			return nil
		}
		there := len(missing)
		if err := w.findAccounts(ctx, missing); err != nil {
			return err
		}
		if there -= len(missing); created {
			w.result.Accounts += there
		}
		var list []*newcomer
		var rows [][]any
		for _, n := range missing {
			if n.since.IsZero() {
				n.since = w.now
			}
			list = append(list, n)
		}
		var given numbers
		ids := make([]data.ID, len(list))
		if err := given.give(ctx, w.directory, takenUsers, len(list), func(i int, salt uint32) data.ID {
			n := list[i]
			if n.person.ID != "" {
				return idFor("user:"+n.person.ID, n.since, 0, data.KindOther, salt)
			}
			return idFor(n.origin+" "+n.name, n.since, 0, data.KindOther, salt)
		}, func(i int, id data.ID) { ids[i] = id }); err != nil {
			return err
		}
		for i, n := range list {
			bio := strings.TrimSpace(clean(n.person.Bio))
			if utf8.RuneCountInString(bio) > bioMax {
				bio = data.FirstRunes(bio, bioMax)
			}
			html := ""
			if bio != "" {
				html = htmlOf(bio, data.BioHTMLMax)
			}
			rows = append(rows, []any{int64(ids[i]), userName(n.name, n.origin, try), bio, html, n.since.UnixMilli(), n.origin,
				searchwords.Words(bio)})
		}
		if len(rows) == 0 {
			return nil
		}
		// Rows in the order of their ids are far faster for the search index.
		slices.SortFunc(rows, func(a, b []any) int { return cmp.Compare(a[0].(int64), b[0].(int64)) })
		text, err := json.Marshal(rows)
		if err != nil {
			return err
		}
		if _, err := w.directory.ExecContext(ctx, insertAccounts, string(text)); err != nil && !isConflict(err) {
			return fmt.Errorf("authors: %w", err)
		}
		created = true
	}
	return fmt.Errorf("found no free name for %d authors", len(missing))
}

// findAccounts removes from missing those that exist.
func (w *writer) findAccounts(ctx context.Context, missing map[string]*newcomer) error {
	origins := make([]string, 0, len(missing))
	for origin := range missing {
		origins = append(origins, origin)
	}
	list, err := json.Marshal(origins)
	if err != nil {
		return err
	}
	rows, err := w.directory.QueryContext(ctx, findAccounts, string(list))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var a account
		if err := rows.Scan(&a.origin, (*int64)(&a.id), &a.name); err != nil {
			return err
		}
		w.accounts[a.origin] = a
		delete(missing, a.origin)
	}
	return rows.Err()
}

// mixedMarks matches underscores beside hyphens, which no name has.
var mixedMarks = regexp.MustCompile(`_+-[_-]*|-+_[_-]*`)

// userName returns the name of an author here: the name there as far as the rules here allow it and, after the first attempt, a variant
// of it.
func userName(name, origin string, try uint32) string {
	plain := strings.Trim(mixedMarks.ReplaceAllString(strings.Map(func(r rune) rune {
		if data.IsName(string(r), 1, 1, true) {
			return r
		}
		return '_'
	}, name), "_"), "_-")
	first := func(n int) string { return strings.Trim(plain[:min(len(plain), n)], "_-") }
	if name := first(names.Member.Longest); try == 0 && names.Member.Is(name) && !data.IsReservedName(name) {
		return name
	}
	return fmt.Sprintf("%s-%03d", cmp.Or(first(names.Member.Longest-4), "user"), (hash(origin)+try)%1000)
}
