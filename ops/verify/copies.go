package verify

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plaza/data/accounts/sessions"
	"plaza/data/content/communities"
	"plaza/data/wire/hrana"
)

// confirmed looks at one page after the other, and settles the findings that two looks at it had alike. look returns those of the page
// after these keys, and its last keys; nil at the end.
func (v *verifier) confirmed(ctx context.Context, table string, after keys, look func(after keys) ([]finding, keys, error)) error {
	for after != nil {
		var end keys
		found, err := v.confirm(ctx, func() (found []finding, err error) {
			found, end, err = look(after)
			return found, err
		})
		if err == nil {
			err = v.settle(ctx, found...)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
		after = end
	}
	return nil
}

// An agreement is what rows of the directory and of other databases have to agree on.
type agreement struct {
	table string
	page  string // a page of the directory; rows begin with their ids
	there string // what a database has of :ids
	own   bool   // the directory is asked for that, too
	size  int
	// compare returns how a row differs from what there is of its id in databases.
	compare func(v *verifier, row []any, there func(*database) []any) []finding
}

func (v *verifier) agree(ctx context.Context, a agreement) error {
	databases := v.all[1:]
	if a.own {
		databases = v.all
	}
	if len(databases) == 0 {
		return nil
	}
	return v.confirmed(ctx, a.table, keysOf("after"), func(after keys) (found []finding, end keys, err error) {
		rows, err := v.all[0].rows(ctx, a.page, after[0], named("limit", a.size))
		if err != nil {
			return nil, nil, err
		}
		ids := mapped(rows, idOf)
		there := map[*database]map[int64][]any{}
		for _, db := range databases {
			if there[db], err = db.rowsByID(ctx, a.there, ids); err != nil {
				return nil, nil, err
			}
		}
		for _, row := range rows {
			found = append(found, a.compare(v, row, func(db *database) []any { return there[db][idOf(row)] })...)
		}
		if len(rows) == a.size {
			end = after.of(rows[a.size-1])
		}
		return found, end, nil
	})
}

// copiedColumns of communities are the same in the directory and in the community's shard.
var (
	copiedColumns = append([]string{"name", "name_key", "kind", "sidebar_html", "creator_id", "created_at", "revision"},
		communities.SettingColumns...)
	copiedList = strings.Join(copiedColumns, ", ")
	// A copy that has a later revision by then stays.
	repairCommunity = `INSERT INTO communities (id, ` + copiedList + `) VALUES (:id, :` + strings.Join(copiedColumns, ", :") + `)
ON CONFLICT (id) DO UPDATE SET ` + excluded(copiedColumns) + ` WHERE coalesce(communities.revision, 0) <= coalesce(excluded.revision, 0)`
)

var communityCopies = agreement{table: "communities", size: 200,
	// A new community may be without its copy for ten minutes (in milliseconds). A job of each minute makes it.
	page: `SELECT id, created_at < ` + databaseNow + ` - 600000, ` + copiedList + `
FROM communities WHERE id > :after ORDER BY id LIMIT :limit`,
	there: `SELECT c.id, 1, ` + copiedList + ` FROM json_each(:ids) j CROSS JOIN communities c ON c.id = j.value`,
	compare: func(v *verifier, row []any, there func(*database) []any) []finding {
		db := v.home(idOf(row))
		if db == nil || db.directory {
			return nil
		}
		args, copied := []hrana.Named{named("id", row[0])}, there(db)
		var columns []column
		var values []any
		for i, name := range copiedColumns {
			truth := row[2+i]
			args = append(args, named(name, truth))
			if copied != nil && (name != "sidebar_html" || len(str(truth)) <= 65536) { // copies leave out long HTML of earlier builds
				columns, values = append(columns, column{name: name}), append(values, copied[2+i], truth)
			}
		}
		repair := v.by(db, repairCommunity, args...)
		if copied == nil && row[1] != int64(0) {
			return []finding{db.finding("communities", row[0], "row", "missing", "there", repair)}
		}
		return db.findings("communities", row[:1], columns, values, repair)
	}}

// revocationCopies are ended sessions, and restored members, of which the directory knows and a shard does not.
var revocationCopies = agreement{table: "revocations", size: pageSize,
	// What has run out, or does within a minute (in milliseconds), may be purged here and not yet there.
	page: `SELECT subject, before, expires_at FROM revocations
WHERE subject > :after AND expires_at > ` + databaseNow + ` + 60000 ORDER BY subject LIMIT :limit`,
	there: `SELECT j.value, coalesce(r.before, 0), coalesce(r.before > ` + databaseNow + `, 0)
FROM json_each(:ids) j LEFT JOIN revocations r ON r.subject = j.value`,
	compare: func(v *verifier, row []any, there func(*database) []any) (found []finding) {
		want := row[1].(int64)
		for _, db := range v.all[1:] {
			have, isToCome := there(db)[1].(int64), there(db)[2] != int64(0)
			if have < want || have > want && isToCome {
				found = append(found, db.finding("revocations", row[0], "before", fmt.Sprint(have), fmt.Sprint(want),
					v.by(db, sessions.RevokeElsewhere, named("list", jsonOf([][]any{row})), named("now", nil))))
			}
		}
		return found
	}}

// ratings are the karma that the directory has of members, and what they have earned in all shards together. Those whose karma waits to be
// copied are left out.
var ratings = agreement{table: "users", size: pageSize, own: true,
	page: `SELECT u.id, u.karma FROM users u WHERE u.id > :after ORDER BY u.id LIMIT :limit`,
	there: `SELECT j.value, coalesce(k.posts + k.comments, 0), m.author_id IS NOT NULL
FROM json_each(:ids) j LEFT JOIN author_karma k ON k.author_id = j.value LEFT JOIN karma_changed m ON m.author_id = j.value`,
	compare: func(v *verifier, row []any, there func(*database) []any) []finding {
		var earned int64
		for _, db := range v.all {
			if earned += there(db)[1].(int64); there(db)[2] != int64(0) {
				return nil
			}
		}
		if row[1] == earned {
			return nil
		}
		return []finding{v.all[0].finding("users", row[0], "karma", text(row[1]), fmt.Sprint(earned),
			v.by(v.all[0], repairRating, named("id", row[0]), named("karma", earned), named("stored", row[1])))}
	}}

// repairRating does not write over what was copied meanwhile.
const repairRating = `UPDATE users SET karma = :karma, karma_turn = karma_turn + 1 WHERE id = :id AND karma = :stored`

// A mirror is a table whose rows x in every database follow from the directory. Its keys are integers.
type mirror struct {
	table string
	keys  keys
	// more is one more column of x. It has to be the same if it has a name, which is value; else only the rows count. A row in which it is ""
	// is as good as none.
	more, value string
	// truth selects the rows of a page as they must be in the same way, from the directory. "": the directory's own rows are the truth.
	truth string
	// insert writes a row with the keys and :more, or has it get its value.
	insert string
}

var mirrors = []mirror{
	{table: "blocks", keys: keysOf("blocker_id", "blocked_id"), more: "x.created_at",
		insert: `INSERT INTO blocks (blocker_id, blocked_id, created_at) VALUES (:blocker_id, :blocked_id, :more) ON CONFLICT DO NOTHING`},
	{table: "names", keys: keysOf("user_id"), more: "x.name", value: "name",
		truth: `SELECT u.id, iif(u.renaming = '', u.username, '` + changing + `') FROM users u
WHERE u.id > :user_id AND u.renamed_at IS NOT NULL AND u.username <> '' ORDER BY u.id LIMIT :limit`,
		insert: `INSERT INTO names (user_id, name) VALUES (:user_id, :more) ON CONFLICT (user_id) DO UPDATE SET name = excluded.name`},
	{table: "avatars", keys: keysOf("user_id"), more: "x.avatar", value: "avatar",
		truth: `SELECT u.id, iif(u.repainting, '` + changing + `', u.avatar) FROM users u
WHERE u.id > :user_id AND (u.avatar <> '' OR u.repainting) AND u.username <> '' ORDER BY u.id LIMIT :limit`,
		insert: `INSERT INTO avatars (user_id, avatar, revision) VALUES (:user_id, :more, 0) ON CONFLICT (user_id)
  DO UPDATE SET avatar = excluded.avatar`},
	// One row at most.
	{table: "site_settings", keys: keysOf("id"), more: "json_array(x.revision, x.archive, x.body)", value: "body",
		insert: `INSERT INTO site_settings (id, revision, archive, body) VALUES (:id, :more ->> 0, :more ->> 1, :more ->> 2)
ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, archive = excluded.archive, body = excluded.body
  WHERE revision <= excluded.revision`},
}

// there selects a page of the rows as they are, and remove deletes one.
func (m mirror) there() string { return page(m.table, m.keys, m.more) }

func (m mirror) remove() string {
	names := m.keys.names()
	return fmt.Sprintf("DELETE FROM %s WHERE (%s) = (:%s)", m.table, strings.Join(names, ", "), strings.Join(names, ", :"))
}

// mirrored compares a mirror with the directory, in every database.
func (v *verifier) mirrored(ctx context.Context, m mirror) error {
	return inTurn(v.all, func(db *database) error {
		if db.directory && m.truth == "" {
			return nil
		}
		return v.confirmed(ctx, m.table, m.keys, func(after keys) ([]finding, keys, error) {
			args := append(slices.Clone(after), named("limit", pageSize))
			there, err := db.rows(ctx, m.there(), args...)
			if err != nil {
				return nil, nil, err
			}
			truth, err := v.all[0].rows(ctx, cmp.Or(m.truth, m.there()), args...)
			if err != nil {
				return nil, nil, err
			}
			found, end := v.mirrorPage(m, db, truth, there)
			return found, end, nil
		})
	})
}

// mirrorPage compares the rows of a page, and returns its last keys; nil for the last page.
func (v *verifier) mirrorPage(m mirror, db *database, truth, there [][]any) (found []finding, end keys) {
	n := len(m.keys)
	order := func(a, b []any) int {
		return slices.CompareFunc(a[:n], b[:n], func(x, y any) int { return cmp.Compare(x.(int64), y.(int64)) })
	}
	var last []any // row of the list that ends first
	for _, list := range [][][]any{truth, there} {
		if len(list) == pageSize && (last == nil || order(list[pageSize-1], last) < 0) {
			last = list[pageSize-1]
			end = m.keys.of(last)
		}
	}
	beyond := func(row []any) bool { return last != nil && order(row, last) > 0 }
	differs := func(row []any, column, stored, computed string, how repair) {
		found = append(found, db.finding(m.table, join(row[:n]), column, stored, computed, how))
	}
	insert := func(row []any) repair { return v.by(db, m.insert, append(m.keys.of(row), named("more", row[n]))...) }
	missing := map[string][]any{}
	for _, row := range slices.DeleteFunc(truth, beyond) {
		missing[join(row[:n])] = row
	}
	for _, row := range slices.DeleteFunc(there, func(row []any) bool { return beyond(row) || m.value == "avatar" && row[n] == "" }) {
		key := join(row[:n])
		want := missing[key]
		delete(missing, key)
		switch {
		case want == nil:
			differs(row, "row", "there", "gone", v.by(db, m.remove(), m.keys.of(row)...))
		case m.value != "" && want[n] != changing && want[n] != row[n]:
			differs(row, m.value, text(row[n]), text(want[n]), insert(want))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(missing)) {
		if row := missing[key]; row[n] != changing {
			differs(row, "row", "missing", "there", insert(row))
		}
	}
	return found, end
}
