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

// confirmPages reads one page after the other, and settles its confirmed findings. read returns the findings of the page after these keys,
// and the page's last keys; nil for the last page.
func (v *verifier) confirmPages(ctx context.Context, table string, after keys, read func(after keys) ([]finding, keys, error)) error {
	for after != nil {
		var end keys
		found, err := v.confirm(ctx, func() (found []finding, err error) {
			found, end, err = read(after)
			return found, err
		})
		if err == nil {
			err = v.reportOrRepair(ctx, found...)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
		after = end
	}
	return nil
}

// An agreement compares rows of the directory with rows of the other databases that follow from them.
type agreement struct {
	table  string
	page   string // selects a page of the directory; rows begin with their ids
	stored string // selects the rows of :ids in a database
	own    bool   // the directory has such rows, too
	size   int
	// compare compares a row of the directory with the rows that databases have stored for its id.
	compare func(v *verifier, row []any, stored func(*database) []any) []finding
}

func (v *verifier) compareAgreement(ctx context.Context, a agreement) error {
	databases := v.all[1:]
	if a.own {
		databases = v.all
	}
	if len(databases) == 0 {
		return nil
	}
	return v.confirmPages(ctx, a.table, keysOf("after"), func(after keys) (found []finding, end keys, err error) {
		rows, err := v.all[0].rows(ctx, a.page, after[0], named("limit", a.size))
		if err != nil {
			return nil, nil, err
		}
		ids := mapSlice(rows, idOf)
		stored := map[*database]map[int64][]any{}
		for _, db := range databases {
			if stored[db], err = db.rowsByID(ctx, a.stored, ids); err != nil {
				return nil, nil, err
			}
		}
		for _, row := range rows {
			found = append(found, a.compare(v, row, func(db *database) []any { return stored[db][idOf(row)] })...)
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
	// A copy with a later revision stays.
	repairCommunity = `INSERT INTO communities (id, ` + copiedList + `) VALUES (:id, :` + strings.Join(copiedColumns, ", :") + `)
ON CONFLICT (id) DO UPDATE SET ` + excluded(copiedColumns) + ` WHERE coalesce(communities.revision, 0) <= coalesce(excluded.revision, 0)`
)

var communityCopies = agreement{table: "communities", size: 200,
	// A new community may lack its copy for ten minutes (in milliseconds). The job of each minute writes it.
	page: `SELECT id, created_at < ` + databaseNow + ` - 600000, ` + copiedList + `
FROM communities WHERE id > :after ORDER BY id LIMIT :limit`,
	stored: `SELECT c.id, 1, ` + copiedList + ` FROM json_each(:ids) j CROSS JOIN communities c ON c.id = j.value`,
	compare: func(v *verifier, row []any, stored func(*database) []any) []finding {
		db := v.shardOf(idOf(row))
		if db == nil || db.directory {
			return nil
		}
		args, copied := []hrana.Named{named("id", row[0])}, stored(db)
		var columns []column
		var values []any
		for i, name := range copiedColumns {
			truth := row[2+i]
			args = append(args, named(name, truth))
			if copied != nil && (name != "sidebar_html" || len(str(truth)) <= 65536) { // copies lack long HTML of earlier builds
				columns, values = append(columns, column{name: name}), append(values, copied[2+i], truth)
			}
		}
		repair := v.by(db, repairCommunity, args...)
		if copied == nil && row[1] != int64(0) {
			return []finding{db.finding("communities", row[0], "row", "missing", "there", repair)}
		}
		return db.findings("communities", row[:1], columns, values, repair)
	}}

// revocationCopies are revocations of sessions, and their ends for restored members, that a shard lacks.
var revocationCopies = agreement{table: "revocations", size: pageSize,
	// Rows that have expired, or will within a minute (in milliseconds), may be purged in one database and not yet in another.
	page: `SELECT subject, before, expires_at FROM revocations
WHERE subject > :after AND expires_at > ` + databaseNow + ` + 60000 ORDER BY subject LIMIT :limit`,
	stored: `SELECT j.value, coalesce(r.before, 0), coalesce(r.before > ` + databaseNow + `, 0)
FROM json_each(:ids) j LEFT JOIN revocations r ON r.subject = j.value`,
	compare: func(v *verifier, row []any, stored func(*database) []any) (found []finding) {
		want := row[1].(int64)
		for _, db := range v.all[1:] {
			have, inFuture := stored(db)[1].(int64), stored(db)[2] != int64(0)
			if have < want || have > want && inFuture {
				found = append(found, db.finding("revocations", row[0], "before", fmt.Sprint(have), fmt.Sprint(want),
					v.by(db, sessions.RevokeElsewhere, named("list", jsonOf([][]any{row})), named("now", nil))))
			}
		}
		return found
	}}

// karmaCopies compares the karma of members in the directory with the sum of what they have earned in all shards. It skips members whose
// karma is still to be copied.
var karmaCopies = agreement{table: "users", size: pageSize, own: true,
	page: `SELECT u.id, u.karma FROM users u WHERE u.id > :after ORDER BY u.id LIMIT :limit`,
	stored: `SELECT j.value, coalesce(k.posts + k.comments, 0), m.author_id IS NOT NULL
FROM json_each(:ids) j LEFT JOIN author_karma k ON k.author_id = j.value LEFT JOIN karma_changed m ON m.author_id = j.value`,
	compare: func(v *verifier, row []any, stored func(*database) []any) []finding {
		var earned int64
		for _, db := range v.all {
			if earned += stored(db)[1].(int64); stored(db)[2] != int64(0) {
				return nil
			}
		}
		if row[1] == earned {
			return nil
		}
		return []finding{v.all[0].finding("users", row[0], "karma", text(row[1]), fmt.Sprint(earned),
			v.by(v.all[0], repairKarmaCopy, named("id", row[0]), named("karma", earned), named("stored", row[1])))}
	}}

// repairKarmaCopy does not overwrite karma that was copied meanwhile.
const repairKarmaCopy = `UPDATE users SET karma = :karma, karma_turn = karma_turn + 1 WHERE id = :id AND karma = :stored`

// A mirror is a table whose rows x in every database follow from the directory. Its keys are integers.
type mirror struct {
	table string
	keys  keys
	// more is one more column of x, and value its name in reports. If value is "", rows are inserted with more, but not compared by it. A row
	// of avatars with "" counts as none.
	more, value string
	// truth selects the correct rows of a page from the directory. "": the directory's rows of the same table.
	truth string
	// insert writes a row with the keys and :more, or updates its value.
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
	// At most one row.
	{table: "site_settings", keys: keysOf("id"), more: "json_array(x.revision, x.archive, x.body)", value: "body",
		insert: `INSERT INTO site_settings (id, revision, archive, body) VALUES (:id, :more ->> 0, :more ->> 1, :more ->> 2)
ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, archive = excluded.archive, body = excluded.body
  WHERE revision <= excluded.revision`},
}

// stored returns a statement that selects a page of the stored rows.
func (m mirror) stored() string { return page(m.table, m.keys, m.more) }

func (m mirror) remove() string {
	names := m.keys.names()
	return fmt.Sprintf("DELETE FROM %s WHERE (%s) = (:%s)", m.table, strings.Join(names, ", "), strings.Join(names, ", :"))
}

// compareMirror compares a mirror with the directory, in every database.
func (v *verifier) compareMirror(ctx context.Context, m mirror) error {
	return forEach(v.all, func(db *database) error {
		if db.directory && m.truth == "" {
			return nil
		}
		return v.confirmPages(ctx, m.table, m.keys, func(after keys) ([]finding, keys, error) {
			args := append(slices.Clone(after), named("limit", pageSize))
			stored, err := db.rows(ctx, m.stored(), args...)
			if err != nil {
				return nil, nil, err
			}
			truth, err := v.all[0].rows(ctx, cmp.Or(m.truth, m.stored()), args...)
			if err != nil {
				return nil, nil, err
			}
			found, end := v.mirrorPage(m, db, truth, stored)
			return found, end, nil
		})
	})
}

// mirrorPage compares the rows of a page, and returns its last keys; nil for the last page.
func (v *verifier) mirrorPage(m mirror, db *database, truth, stored [][]any) (found []finding, end keys) {
	n := len(m.keys)
	order := func(a, b []any) int {
		return slices.CompareFunc(a[:n], b[:n], func(x, y any) int { return cmp.Compare(x.(int64), y.(int64)) })
	}
	var last []any // row of the list that ends first
	for _, list := range [][][]any{truth, stored} {
		if len(list) == pageSize && (last == nil || order(list[pageSize-1], last) < 0) {
			last = list[pageSize-1]
			end = m.keys.of(last)
		}
	}
	beyond := func(row []any) bool { return last != nil && order(row, last) > 0 }
	differs := func(row []any, column, was, want string, how repair) {
		found = append(found, db.finding(m.table, join(row[:n]), column, was, want, how))
	}
	insert := func(row []any) repair { return v.by(db, m.insert, append(m.keys.of(row), named("more", row[n]))...) }
	missing := map[string][]any{}
	for _, row := range slices.DeleteFunc(truth, beyond) {
		missing[join(row[:n])] = row
	}
	for _, row := range slices.DeleteFunc(stored, func(row []any) bool { return beyond(row) || m.value == "avatar" && row[n] == "" }) {
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
