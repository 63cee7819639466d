package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/wire/hrana"
)

// Values in two databases can't be read in one state of both. Such a difference is reported if a second read, some seconds later, finds
// exactly the same.

// maxChecks limits how often a difference is checked.
const maxChecks = 4

// confirm returns the differences that two reads in a row have found equally. look gets the keys to read: all of its page the first time.
func (v *verifier) confirm(ctx context.Context, look func(ctx context.Context) ([]Difference, error)) ([]Difference, error) {
	last, err := look(ctx)
	for n := 1; n < maxChecks && err == nil && len(last) > 0; n++ {
		if err := v.Wait(ctx); err != nil {
			return nil, err
		}
		now, err := look(ctx)
		if err != nil {
			return nil, err
		}
		same := slices.DeleteFunc(slices.Clone(now), func(d Difference) bool { return !slices.Contains(last, d) })
		if len(same) == len(now) || n == maxChecks-1 {
			return same, nil
		}
		last = now
	}
	return nil, err
}

// newCommunity is how long a new community may be without its copy, which a job of each minute makes.
const newCommunity = 10 * time.Minute

// copiedColumns of communities are the same in the directory and in the community's shard.
var copiedColumns = append([]string{"name", "name_key", "kind", "sidebar_html", "creator_id", "created_at", "revision"},
	communities.SettingColumns...)

var (
	communityList = strings.Join(copiedColumns, ", ")
	communityPage = `SELECT id, created_at < ` + databaseNow + ` - ` + fmt.Sprint(newCommunity.Milliseconds()) + `, ` + communityList + `
FROM communities WHERE id > :after ORDER BY id LIMIT :limit`
	communityCopy = `SELECT c.id, ` + communityList + ` FROM json_each(:ids) j CROSS JOIN communities c ON c.id = j.value`
	// A copy with a later revision by then stays.
	repairCommunity = `INSERT INTO communities (id, ` + communityList + `) VALUES (:id, :` + strings.Join(copiedColumns, ", :") + `)
ON CONFLICT (id) DO UPDATE SET ` + excluded(copiedColumns) + ` WHERE coalesce(communities.revision, 0) <= coalesce(excluded.revision, 0)`
)

func excluded(columns []string) string {
	sets := make([]string, len(columns))
	for i, c := range columns {
		sets[i] = c + " = excluded." + c
	}
	return strings.Join(sets, ", ")
}

const copyPage = 200

// shardOf returns the database of a shard; nil if it is the directory or does not exist.
func (v *verifier) shardOf(n int) *database {
	for _, db := range v.all {
		if db.shard == n && !db.directory {
			return db
		}
	}
	return nil
}

// isOn reports whether a database is the shard of the row with an id.
func (v *verifier) isOn(id data.ID, db *database) bool {
	n, ok := v.slots.Of(id.Slot())
	return ok && n == db.shard
}

// findSlots reads the shards of slots.
func (v *verifier) findSlots(ctx context.Context) error {
	v.slots = data.NewSlotMap(max(len(v.Shards), 1))
	rows, err := rowsOf(ctx, v.Directory, data.SlotsOf)
	if err != nil {
		return fmt.Errorf("directory: %w", err)
	}
	for _, row := range rows {
		v.slots.Put(int(row[0].(int64)), int(row[1].(int64)))
	}
	return nil
}

// communityCopies compares each community with its copy in its shard.
func (v *verifier) communityCopies(ctx context.Context) error {
	for after, more := int64(0), len(v.all) > 1; more; {
		var list [][]any
		found, err := v.confirm(ctx, func(ctx context.Context) (found []Difference, err error) {
			if list, err = rowsOf(ctx, v.Directory, communityPage, named("after", after), named("limit", copyPage)); err != nil {
				return nil, fmt.Errorf("directory: %w", err)
			}
			for n := range v.Shards {
				if db := v.shardOf(n); db != nil {
					differ, err := v.copiesIn(ctx, db, list)
					if err != nil {
						return nil, fmt.Errorf("%s: %w", db.name, err)
					}
					found = append(found, differ...)
				}
			}
			return found, nil
		})
		if err != nil {
			return err
		}
		if v.Repair {
			if err := v.repairCommunities(ctx, list, found); err != nil {
				return err
			}
		}
		v.report(found...)
		if len(list) > 0 {
			after = list[len(list)-1][0].(int64)
		}
		more = len(list) == copyPage
	}
	return nil
}

// copiesIn compares the communities of a list with their copies on a shard. A row of list is one of communityPage.
func (v *verifier) copiesIn(ctx context.Context, db *database, list [][]any) (found []Difference, err error) {
	ids := []int64{}
	for _, row := range list {
		if id := row[0].(int64); v.isOn(data.ID(id), db) {
			ids = append(ids, id)
		}
	}
	rows, err := rowsOf(ctx, db.Client, communityCopy, named("ids", jsonOf(ids)))
	if err != nil {
		return nil, err
	}
	copies := map[int64][]any{}
	for _, row := range rows {
		copies[row[0].(int64)] = row[1:]
	}
	for _, row := range list {
		id, old, truth := row[0].(int64), row[1] != int64(0), row[2:]
		if !v.isOn(data.ID(id), db) {
			continue
		}
		d := Difference{Database: db.name, Table: "communities", Key: fmt.Sprint(id)}
		copied := copies[id]
		if copied == nil {
			if old {
				d.Column, d.Stored, d.Computed = "row", "missing", "there"
				found = append(found, d)
			}
			continue
		}
		for i, column := range copiedColumns {
			if !equal(copied[i], truth[i]) && !tooLong(column, truth[i]) {
				d.Column, d.Stored, d.Computed = column, text(copied[i]), text(truth[i])
				found = append(found, d)
			}
		}
	}
	return found, nil
}

// tooLong reports whether a value is HTML of earlier builds that copies leave out.
func tooLong(column string, value any) bool {
	return column == "sidebar_html" && len(str(value)) > 65536
}

func (v *verifier) repairCommunities(ctx context.Context, list [][]any, found []Difference) error {
	for _, row := range list {
		id := row[0].(int64)
		n, ok := v.slots.Of(data.ID(id).Slot())
		db := v.shardOf(n)
		if !ok || db == nil || !slices.ContainsFunc(found, func(d Difference) bool { return d.Key == fmt.Sprint(id) }) {
			continue
		}
		args := []hrana.Named{named("id", id)}
		for i, column := range copiedColumns {
			args = append(args, named(column, row[2+i]))
		}
		if _, err := v.write(ctx, db.Client, repairCommunity, args...); err != nil {
			return fmt.Errorf("%s: %w", db.name, err)
		}
		for i := range found {
			found[i].Repaired = found[i].Repaired || found[i].Key == fmt.Sprint(id)
		}
	}
	return nil
}

const (
	// Rows that have expired, or will within a minute (in milliseconds), may be purged here and not yet there.
	revocationPage = `SELECT subject, before, expires_at FROM revocations
WHERE subject > :after AND expires_at > ` + databaseNow + ` + 60000
ORDER BY subject LIMIT :limit`
	revocationCopy = `SELECT r.subject, r.before, r.before > ` + databaseNow +
		` FROM json_each(:ids) j CROSS JOIN revocations r ON r.subject = j.value`
	repairRevocation = `INSERT INTO revocations (subject, before, expires_at) VALUES (:subject, :before, :expires_at)
ON CONFLICT (subject) DO UPDATE SET before = iif(before > ` + databaseNow +
		`, excluded.before, max(before, excluded.before)), expires_at = max(expires_at, excluded.expires_at)`
)

// revocationCopies looks for sessions that the directory has ended and a shard has not, and for members whom the directory has restored and
// a shard has not.
func (v *verifier) revocationCopies(ctx context.Context) error {
	for after, more := int64(0), len(v.all) > 1; more; {
		var list [][]any
		ended := map[string][]any{}
		found, err := v.confirm(ctx, func(ctx context.Context) (found []Difference, err error) {
			if list, err = rowsOf(ctx, v.Directory, revocationPage, named("after", after), named("limit", pageRows)); err != nil {
				return nil, fmt.Errorf("directory: %w", err)
			}
			ids := make([]int64, len(list))
			for i, row := range list {
				ids[i] = row[0].(int64)
				ended[fmt.Sprint(ids[i])] = row
			}
			for _, db := range v.all[1:] {
				copies, err := rowsOf(ctx, db.Client, revocationCopy, named("ids", jsonOf(ids)))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", db.name, err)
				}
				before, toCome := map[int64]int64{}, map[int64]bool{}
				for _, row := range copies {
					before[row[0].(int64)], toCome[row[0].(int64)] = row[1].(int64), row[2] != int64(0)
				}
				for _, row := range list {
					if have, want := before[row[0].(int64)], row[1].(int64); have < want || have > want && toCome[row[0].(int64)] {
						found = append(found, Difference{Database: db.name, Table: "revocations", Key: fmt.Sprint(row[0]), Column: "before",
							Stored: fmt.Sprint(have), Computed: fmt.Sprint(row[1])})
					}
				}
			}
			return found, nil
		})
		if err != nil {
			return err
		}
		for i := range found {
			if v.Repair {
				row := ended[found[i].Key]
				db := v.all[slices.IndexFunc(v.all, func(db *database) bool { return db.name == found[i].Database })]
				if _, err := v.write(ctx, db.Client, repairRevocation, named("subject", row[0]), named("before", row[1]),
					named("expires_at", row[2])); err != nil {
					return fmt.Errorf("%s: %w", db.name, err)
				}
				found[i].Repaired = true
			}
		}
		v.report(found...)
		if len(list) > 0 {
			after = list[len(list)-1][0].(int64)
		}
		more = len(list) == pageRows
	}
	return nil
}

// comparePage processes a page of posts or comments: it sums votes, and compares copies in the rows.
func (v *verifier) comparePage(earned *totals) eachPage {
	return func(ctx context.Context, db *database, table string, rows [][]any) error {
		if err := addEarned(earned, rows, table == "comments"); err != nil {
			return err
		}
		copies, avatars, uncounted := authored(rows)
		if err := v.uncountedVotes(ctx, db, uncounted); err != nil {
			return err
		}
		if err := v.nameCopies(ctx, db, authorOf(table), copies); err != nil {
			return err
		}
		if err := v.nameCopies(ctx, db, avatarOf(table), avatars); err != nil {
			return err
		}
		if table == "posts" {
			return v.crossposts(ctx, db, rows)
		}
		return nil
	}
}
