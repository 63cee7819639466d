package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"plaza/data/wire/hrana"
)

// A mirror is a table whose rows in every database follow from the directory. Its keys are integers.
type mirror struct {
	table string
	keys  []string
	// value is a column that must be equal; "" if only the rows count.
	value string
	// truth and there are the correct and the stored rows of a page: the keys and one more column, :limit rows after the keys :k0 and so on,
	// in their order. truth is read in the directory.
	truth, there string
	// insert writes a row, whose columns are :k0 and so on and :more, or updates its value. remove deletes it.
	insert, remove string
	shardsOnly     bool // the directory's own rows are the source
}

var mirrors = []mirror{
	{table: "blocks", keys: []string{"blocker_id", "blocked_id"}, truth: blockPage, there: blockPage, shardsOnly: true,
		insert: `INSERT INTO blocks (blocker_id, blocked_id, created_at) VALUES (:k0, :k1, :more) ON CONFLICT DO NOTHING`,
		remove: `DELETE FROM blocks WHERE blocker_id = :k0 AND blocked_id = :k1`},
	{table: "names", keys: []string{"user_id"}, value: "name", truth: newNames, there: namePage,
		insert: `INSERT INTO names (user_id, name) VALUES (:k0, :more) ON CONFLICT (user_id) DO UPDATE SET name = excluded.name`,
		remove: `DELETE FROM names WHERE user_id = :k0`},
	{table: "avatars", keys: []string{"user_id"}, value: "avatar", truth: newAvatars, there: avatarPage,
		insert: `INSERT INTO avatars (user_id, avatar, revision) VALUES (:k0, :more, 0) ON CONFLICT (user_id)
  DO UPDATE SET avatar = excluded.avatar`,
		remove: `DELETE FROM avatars WHERE user_id = :k0`},
	{table: "site_settings", keys: []string{"id"}, value: "body", truth: settingsRow, there: settingsRow, shardsOnly: true,
		insert: `INSERT INTO site_settings (id, revision, archive, body) VALUES (:k0, :more ->> 0, :more ->> 1, :more ->> 2)
ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, archive = excluded.archive, body = excluded.body
  WHERE revision <= excluded.revision`,
		remove: `DELETE FROM site_settings WHERE id = :k0`},
}

const (
	// Primary keys, in their order.
	blockPage = `SELECT b.blocker_id, b.blocked_id, b.created_at FROM blocks b WHERE (b.blocker_id, b.blocked_id) > (:k0, :k1)
ORDER BY b.blocker_id, b.blocked_id LIMIT :limit`
	newNames = `SELECT u.id, iif(u.renaming = '', u.username, '` + changing + `') FROM users u
WHERE u.id > :k0 AND u.renamed_at IS NOT NULL AND u.username <> '' ORDER BY u.id LIMIT :limit`
	namePage = `SELECT n.user_id, n.name FROM names n WHERE n.user_id > :k0 ORDER BY n.user_id LIMIT :limit`
	// A row without an avatar counts as none.
	newAvatars = `SELECT u.id, iif(u.repainting, '` + changing + `', u.avatar) FROM users u
WHERE u.id > :k0 AND (u.avatar <> '' OR u.repainting) AND u.username <> '' ORDER BY u.id LIMIT :limit`
	avatarPage = `SELECT n.user_id, n.avatar FROM avatars n WHERE n.user_id > :k0 AND n.avatar <> '' ORDER BY n.user_id LIMIT :limit`
	// One row at most.
	settingsRow = `SELECT x.id, json_array(x.revision, x.archive, x.body) FROM site_settings x WHERE x.id > :k0 ORDER BY x.id LIMIT :limit`
)

// mirrorRow is a row of a mirror.
type mirrorRow struct {
	keys []int64
	more any
}

func (m mirror) rows(ctx context.Context, db *hrana.Client, query string, after []int64, limit int) (list []mirrorRow, err error) {
	rows, err := rowsOf(ctx, db, query, append(m.named(after), named("limit", limit))...)
	for _, row := range rows {
		r := mirrorRow{more: row[len(m.keys)]}
		if s, ok := r.more.(string); ok {
			r.more = strings.Clone(s)
		}
		for i := range m.keys {
			r.keys = append(r.keys, row[i].(int64))
		}
		list = append(list, r)
	}
	return list, err
}

// named returns the arguments for keys.
func (m mirror) named(keys []int64) (args []hrana.Named) {
	for i, key := range keys {
		args = append(args, named(fmt.Sprintf("k%d", i), key))
	}
	return args
}

// mirrored compares a mirror with the directory, in every database.
func (v *verifier) mirrored(ctx context.Context, m mirror) error {
	all := v.all
	if m.shardsOnly {
		all = all[1:]
	}
	for _, db := range all {
		for after := make([]int64, len(m.keys)); after != nil; {
			var page mirrorPage
			found, err := v.confirm(ctx, func(ctx context.Context) ([]Difference, error) {
				var err error
				page, err = v.mirrorPage(ctx, m, db, after)
				return page.found, err
			})
			if err != nil {
				return err
			}
			for i := range found {
				if !v.Repair {
					break
				}
				statement, args := m.remove, m.named(page.keys[found[i].Key])
				if want, there := page.want[found[i].Key]; there {
					statement, args = m.insert, append(args, named("more", want.more))
				}
				if _, err := v.write(ctx, db.Client, statement, args...); err != nil {
					return fmt.Errorf("%s: %w", db.name, err)
				}
				found[i].Repaired = true
			}
			v.report(found...)
			after = page.end
		}
	}
	return nil
}

// mirrorPage is the result for a page of a mirror.
type mirrorPage struct {
	found []Difference
	want  map[string]mirrorRow
	keys  map[string][]int64
	end   []int64 // the last keys of the page; nil for the last page
}

func (v *verifier) mirrorPage(ctx context.Context, m mirror, db *database, after []int64) (p mirrorPage, err error) {
	there, err := m.rows(ctx, db.Client, m.there, after, pageRows)
	if err != nil {
		return p, fmt.Errorf("%s: %w", db.name, err)
	}
	truth, err := m.rows(ctx, v.Directory, m.truth, after, pageRows)
	if err != nil {
		return p, fmt.Errorf("directory: %w", err)
	}
	for _, list := range [][]mirrorRow{there, truth} {
		if len(list) == pageRows && (p.end == nil || slices.Compare(list[pageRows-1].keys, p.end) < 0) {
			p.end = list[pageRows-1].keys
		}
	}
	p.want, p.keys = map[string]mirrorRow{}, map[string][]int64{}
	have := map[string]bool{}
	differs := func(row mirrorRow, column, stored, computed string) {
		key := row.key()
		p.keys[key] = row.keys
		p.found = append(p.found, Difference{Database: db.name, Table: m.table, Key: key, Column: column, Stored: stored, Computed: computed})
	}
	for _, row := range truth {
		p.want[row.key()] = row
	}
	for _, row := range there {
		if have[row.key()] = true; !p.covers(row) {
			break
		}
		switch want, wanted := p.want[row.key()]; {
		case !wanted:
			differs(row, "row", "there", "gone")
		case m.value != "" && want.more != changing && want.more != row.more:
			differs(row, m.value, text(row.more), text(want.more))
		}
	}
	for _, row := range truth {
		if p.covers(row) && !have[row.key()] && row.more != changing {
			differs(row, "row", "missing", "there")
		}
	}
	slices.SortStableFunc(p.found, func(a, b Difference) int { return cmp.Compare(a.Key, b.Key) })
	return p, nil
}

// covers reports whether a row is on the page.
func (p *mirrorPage) covers(row mirrorRow) bool {
	return p.end == nil || slices.Compare(row.keys, p.end) <= 0
}

func (r mirrorRow) key() string {
	keys := make([]any, len(r.keys))
	for i, key := range r.keys {
		keys[i] = key
	}
	return join(keys)
}
