package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// person is what rows about what a member did have copies of.
type person struct{ name, avatar string }

// peopleInMemory bounds the members who are remembered.
const peopleInMemory = 50_000

const (
	// The copies of what was changed, or whose account is being deleted, follow in steps.
	namesOf = `SELECT u.id, iif(u.renaming <> '' OR ` + departing + `, '` + changing + `', u.username), iif(u.repainting OR ` + departing +
		`, '` + changing + `', u.avatar)
FROM json_each(:ids) j CROSS JOIN users u ON u.id = j.value`
	departing = `EXISTS (SELECT 1 FROM account_deletions d WHERE d.user_id = u.id AND d.left_at IS NOT NULL AND d.due_at IS NOT NULL)`
)

// changing stands for the name or avatar of a member whose copies are being changed: any copy of it is right.
const changing = "~"

// learn asks the directory for members who are not known yet.
func (v *verifier) learn(ctx context.Context, ids []int64) error {
	missing := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { _, known := v.members[id]; return known })
	if len(missing) == 0 {
		return nil
	}
	if len(v.members)+len(missing) > peopleInMemory {
		clear(v.members)
		missing = slices.Clone(ids)
	}
	slices.Sort(missing)
	rows, err := v.all[0].rows(ctx, namesOf, named("ids", jsonOf(slices.Compact(missing))))
	for _, row := range rows {
		v.members[idOf(row)] = person{strings.Clone(str(row[1])), strings.Clone(str(row[2]))}
	}
	return err
}

// A nameCopy is a column with copies of members' names, of their keys, or of their avatars.
type nameCopy struct {
	table, key, member, column string
	// of is what the copy of a name has to be; nil: the name.
	of func(member int64, name string) string
	// avatar: the copies are of avatars. none is then a condition that there is no copy.
	avatar bool
	none   string
}

func authorOf(table string) nameCopy {
	return nameCopy{table: table, key: "id", member: "author_id", column: "author_name"}
}

// withoutAvatar is a condition: a post or comment x has no avatar, whoever wrote it.
const withoutAvatar = `(x.status = 'deleted' OR x.author_name = '')`

func avatarOf(table string) nameCopy {
	return nameCopy{table: table, key: "id", member: "author_id", column: "author_avatar", avatar: true, none: withoutAvatar}
}

// nameCopies are those that are compared by themselves. Those of posts and comments are compared with their counters.
var nameCopies = []nameCopy{
	{table: "quarantines", key: "id", member: "decided_by", column: "decided_name"},
	{table: "moderation_log", key: "id", member: "actor_id", column: "actor_name"},
	{table: "bans", key: "id", member: "user_id", column: "username"},
	{table: "author_karma", key: "author_id", member: "author_id", column: "name_key", of: nameKey},
}

// nameKey is the key of a name; that of a deleted account has none (data/accounts/deletion).
func nameKey(member int64, name string) string {
	if name == "" {
		return fmt.Sprintf("~%d", member)
	}
	return strings.ToLower(name)
}

// values are what statements select of copies.
func (c nameCopy) values() []string {
	return []string{"x." + c.member, "x." + c.column, cmp.Or(c.none, "0")}
}

// repair writes a copy, unless it has changed since it was read, or the member has another name or avatar by now.
func (c nameCopy) repair() string {
	now := "names n WHERE n.user_id = :member AND n.name"
	if c.avatar {
		now = "avatars n WHERE n.user_id = :member AND n.avatar"
	}
	return fmt.Sprintf("UPDATE %s SET %s = :copy WHERE %s = :row AND %s = :member AND %[2]s = :was\n"+
		"  AND NOT EXISTS (SELECT 1 FROM %[5]s <> :name)", c.table, c.column, c.key, c.member, now)
}

// copied is a row's copy of a member's name or avatar.
type copied struct {
	row, member int64
	text        string
	none        bool // the row must not have one
}

// copiesOf are the copies in rows of values.
func copiesOf(rows [][]any) (list []copied) {
	for _, row := range rows {
		if member, _ := row[1].(int64); member != 0 {
			list = append(list, copied{idOf(row), member, str(row[2]), row[3] == int64(1)})
		}
	}
	return list
}

// original is what a copy is of, and right what it has to be.
func (v *verifier) original(of nameCopy, c copied) (original, right string, known bool) {
	who, known := v.members[c.member]
	if original = who.name; of.avatar {
		original = who.avatar
	}
	switch right = original; {
	case c.none:
		right = ""
	case of.of != nil:
		right = of.of(c.member, original)
	}
	return original, right, known
}

func (v *verifier) pagesOfCopies(ctx context.Context, db *database, of nameCopy) error {
	key := keysOf(of.key)
	return v.pages(ctx, db, paged{table: of.table, query: page(of.table, key, of.values()...), keys: key}, func(rows [][]any) error {
		return v.nameCopies(ctx, db, of, copiesOf(rows))
	})
}

// nameCopies compares copies of names with the directory. Shards are read before the directory, so whoever is named there is found.
// Names change, and copies follow. So what differs is read again, then the name, and then the copy once more.
func (v *verifier) nameCopies(ctx context.Context, db *database, of nameCopy, copies []copied) error {
	for look := 0; ; look++ {
		differ, err := v.namesDiffer(ctx, of, copies)
		if err != nil || len(differ) == 0 {
			return err
		}
		ids := mapped(differ, func(c copied) int64 { return c.row })
		rows, err := db.rows(ctx, again(of.table, of.key, of.values()...), named("ids", jsonOf(ids)))
		if err != nil {
			return err
		}
		if copies = copiesOf(rows); look == 1 {
			differ = slices.DeleteFunc(differ, func(c copied) bool { return !slices.Contains(copies, c) })
			return v.settle(ctx, v.wrongNames(db, of, differ)...)
		}
		for _, c := range differ {
			delete(v.members, c.member)
		}
	}
}

func (v *verifier) wrongNames(db *database, of nameCopy, differ []copied) (found []finding) {
	for _, c := range differ {
		switch original, right, known := v.original(of, c); {
		case known:
			found = append(found, db.finding(of.table, c.row, of.column, text(c.text), text(right), v.by(db, of.repair(), named("copy", right),
				named("name", original), named("row", c.row), named("member", c.member), named("was", c.text))))
		case !of.avatar: // else it is reported with the name
			found = append(found, db.finding(of.table, c.row, of.member, fmt.Sprint(c.member), "nothing", unrepairable("there is no such member")))
		}
	}
	return found
}

// namesDiffer returns the copies that are not what the directory says, and those of nobody.
func (v *verifier) namesDiffer(ctx context.Context, of nameCopy, copies []copied) (differ []copied, err error) {
	if err := v.learn(ctx, mapped(copies, func(c copied) int64 { return c.member })); err != nil {
		return nil, err
	}
	for _, c := range copies {
		if original, right, known := v.original(of, c); !known || original != changing && right != c.text {
			differ = append(differ, c)
		}
	}
	return differ, nil
}
