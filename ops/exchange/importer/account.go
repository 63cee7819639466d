package importer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/names"
	"plaza/data/searchwords"
	"plaza/ops/exchange"
)

// An author of another site gets an account here, with the same name if that is free. Nobody can log in to the account until it is claimed
// (users.unclaimed).

const (
	// Unique index users_origin.
	findAccounts = `SELECT u.origin, u.id, u.username FROM json_each(:list) j JOIN users u ON u.origin = j.value`
	// A name that a member had before counts as taken. Primary key of former_names, index account_deletions_name.
	insertAccounts = `INSERT INTO users (id, username, username_key, password_hash, bio, bio_html, created_at, origin, unclaimed, words)
SELECT value ->> 0, value ->> 1, lower(value ->> 1), '', value ->> 2, value ->> 3, value ->> 4, value ->> 5, 1, value ->> 6
FROM json_each(:rows)
WHERE NOT EXISTS (SELECT 1 FROM former_names f WHERE f.name_key = lower(value ->> 1))
  AND NOT EXISTS (SELECT 1 FROM account_deletions d WHERE d.name_key = lower(value ->> 1))
ON CONFLICT DO NOTHING`
)

// accountsInMemory limits the cached accounts.
const accountsInMemory = 300_000

// bioMax is the longest biography, in characters.
const bioMax = 1000

// newAccount is an account to create.
type newAccount struct {
	account
	person exchange.User
	since  time.Time
}

// assignAccounts finds or creates the accounts of a batch's authors, and assigns them to their posts and comments.
func (w *writer) assignAccounts(ctx context.Context, b batch) error {
	if len(w.accounts) > accountsInMemory {
		clear(w.accounts)
	}
	missing := map[string]*newAccount{}
	add := func(a account, at time.Time) *newAccount {
		if _, known := w.accounts[a.origin]; known || a.origin == "" {
			return nil
		}
		n := missing[a.origin]
		if n == nil {
			n = &newAccount{account: a, since: at}
			missing[a.origin] = n
		}
		if at.Before(n.since) && !at.IsZero() || n.since.IsZero() {
			n.since = at
		}
		return n
	}
	for _, e := range b.entries {
		add(e.author, e.created)
	}
	for _, p := range b.people {
		if n := add(p.account, p.CreatedAt); n != nil {
			n.person = p.User
			if !p.CreatedAt.IsZero() {
				n.since = p.CreatedAt
			}
		}
	}
	if err := w.createAccounts(ctx, missing); err != nil {
		return err
	}
	for _, e := range b.entries {
		e.author = w.accounts[e.author.origin]
	}
	return nil
}

// nameTries limits the names to try for an account.
const nameTries = 100

// createAccounts finds the missing accounts, and creates those that do not exist.
func (w *writer) createAccounts(ctx context.Context, missing map[string]*newAccount) error {
	for try := uint32(0); len(missing) > 0; try++ {
		if try == nameTries {
			return fmt.Errorf("found no free name for %d authors", len(missing))
		}
		before := len(missing)
		origins := slices.Collect(maps.Keys(missing))
		if err := retry(ctx, w.db, func() error {
			return find(ctx, w.db, directory, findAccounts, data.Args{"list": origins}, func(row *data.Row) {
				origin := strings.Clone(row.Text())
				w.accounts[origin] = account{origin: origin, id: row.ID(), name: strings.Clone(row.Text())}
				delete(missing, origin)
			})
		}); err != nil {
			return err
		}
		if try > 0 {
			w.result.Accounts += before - len(missing)
		}
		if len(missing) == 0 {
			return nil
		}
		list := slices.Collect(maps.Values(missing))
		for _, n := range list {
			if n.since.IsZero() {
				n.since = w.now
			}
		}
		var ids []data.ID
		err := retry(ctx, w.db, func() (err error) {
			ids, err = giveIDs(ctx, w.db, directory, takenUsers, len(list), func(i int, salt uint32) data.ID {
				source := list[i].origin + " " + list[i].name
				if id := list[i].person.ID; id != "" {
					source = "user:" + id
				}
				return idFor(source, list[i].since, 0, data.KindOther, salt)
			})
			return err
		})
		if err != nil {
			return err
		}
		rows := make([][]any, len(list))
		for i, n := range list {
			bio, html := data.FirstRunes(strings.TrimSpace(clean(n.person.Bio)), bioMax), ""
			if bio != "" {
				html = htmlOf(bio, data.BioHTMLMax)
			}
			rows[i] = []any{int64(ids[i]), userName(n.name, n.origin, try), bio, html, n.since.UnixMilli(), n.origin, searchwords.Words(bio)}
		}
		// Rows in the order of their ids are far faster for the search index.
		slices.SortFunc(rows, func(a, b []any) int { return cmp.Compare(a[0].(int64), b[0].(int64)) })
		for len(rows) > 0 {
			some := rows[:batchLenOf(rows, maxStatementRows, maxStatementText, textSize)]
			rows = rows[len(some):]
			err := retry(ctx, w.db, func() error { return write(ctx, w.db, directory, insertAccounts, data.Args{"rows": listOf(some)}) })
			if err != nil {
				return fmt.Errorf("authors: %w", err)
			}
		}
	}
	return nil
}

// textSize returns how many bytes the texts of a row have.
func textSize(row []any) (n int) {
	for _, value := range row {
		text, _ := value.(string)
		n += len(text)
	}
	return n
}

// mixedMarks matches underscores beside hyphens, which no name has.
var mixedMarks = regexp.MustCompile(`_+-[_-]*|-+_[_-]*`)

// userName returns the name of an author's account: the author's name as far as the rules here allow it and, after the first attempt, a
// variant of it.
func userName(name, origin string, try uint32) string {
	plain := strings.Trim(mixedMarks.ReplaceAllString(strings.Map(func(r rune) rune {
		if data.IsName(string(r), 1, 1, true) {
			return r
		}
		return '_'
	}, name), "_"), "_-")
	first := func(n int) string { return strings.Trim(plain[:min(len(plain), n)], "_-") }
	if name := first(names.Member.Longest); try == 0 && names.Member.Is(name) && !names.IsReserved(name) {
		return name
	}
	return fmt.Sprintf("%s-%03d", cmp.Or(first(names.Member.Longest-4), "user"), (hash(origin)+try)%1000)
}
