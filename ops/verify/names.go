package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// person is the name and avatar of a member, of which posts and other rows have copies.
type person struct{ name, avatar string }

// maxMembers bounds verifier.members.
const maxMembers = 50_000

const (
	// After a change of name or avatar, or an account deletion, the site updates copies in steps.
	namesOf = `SELECT u.id, iif(u.renaming <> '' OR ` + isDeleting + `, '` + changing + `', u.username), iif(u.repainting OR ` + isDeleting +
		`, '` + changing + `', u.avatar)
FROM json_each(:ids) j CROSS JOIN users u ON u.id = j.value`
	isDeleting = `EXISTS (SELECT 1 FROM account_deletions d WHERE d.user_id = u.id AND d.left_at IS NOT NULL AND d.due_at IS NOT NULL)`
)

// changing replaces a member's name or avatar while its copies are being updated: any copy is then accepted.
const changing = "~"

// loadMembers reads members from the directory that are not in v.members yet.
func (v *verifier) loadMembers(ctx context.Context, ids []int64) error {
	missing := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { _, known := v.members[id]; return known })
	if len(missing) == 0 {
		return nil
	}
	if len(v.members)+len(missing) > maxMembers {
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
	// from computes the copy from a name; nil: the copy is the name.
	from   func(member int64, name string) string
	avatar bool   // the copies are of avatars
	none   string // a condition: there must be no copy; "": no row meets it
}

func authorOf(table string) nameCopy {
	return nameCopy{table: table, key: "id", member: "author_id", column: "author_name"}
}

// withoutAvatar is a condition: post or comment x must have no avatar, even if its author has one.
const withoutAvatar = `(x.status = 'deleted' OR x.author_name = '')`

func avatarOf(table string) nameCopy {
	return nameCopy{table: table, key: "id", member: "author_id", column: "author_avatar", avatar: true, none: withoutAvatar}
}

// nameCopies are the copies that compareNames reads. The copies in posts and comments are read with their counters.
var nameCopies = []nameCopy{
	{table: "quarantines", key: "id", member: "decided_by", column: "decided_name"},
	{table: "moderation_log", key: "id", member: "actor_id", column: "actor_name"},
	{table: "bans", key: "id", member: "user_id", column: "username"},
	{table: "author_karma", key: "author_id", member: "author_id", column: "name_key", from: nameKey},
}

// nameKey returns the key of a name. A deleted account has no name; its key is made of its id (data/accounts/deletion).
func nameKey(member int64, name string) string {
	if name == "" {
		return fmt.Sprintf("~%d", member)
	}
	return strings.ToLower(name)
}

// values returns what statements select of copies.
func (c nameCopy) values() []string {
	return []string{"x." + c.member, "x." + c.column, cmp.Or(c.none, "0")}
}

// repair returns a statement that writes a copy, unless the copy, or the member's name or avatar, has changed since they were read.
func (c nameCopy) repair() string {
	now := "names n WHERE n.user_id = :member AND n.name"
	if c.avatar {
		now = "avatars n WHERE n.user_id = :member AND n.avatar"
	}
	return fmt.Sprintf("UPDATE %s SET %s = :copy WHERE %s = :row AND %s = :member AND %[2]s = :was\n"+
		"  AND NOT EXISTS (SELECT 1 FROM %[5]s <> :name)", c.table, c.column, c.key, c.member, now)
}

// memberCopy is a row's copy of a member's name or avatar.
type memberCopy struct {
	row, member int64
	text        string
	none        bool // the row must not have one
}

// copiesOf returns the copies in rows of nameCopy.values.
func copiesOf(rows [][]any) (list []memberCopy) {
	for _, row := range rows {
		if member, _ := row[1].(int64); member != 0 {
			list = append(list, memberCopy{idOf(row), member, str(row[2]), row[3] == int64(1)})
		}
	}
	return list
}

// original returns the name or avatar in the directory, and right, the correct copy of it.
func (v *verifier) original(of nameCopy, c memberCopy) (original, right string, known bool) {
	who, known := v.members[c.member]
	if original = who.name; of.avatar {
		original = who.avatar
	}
	switch right = original; {
	case c.none:
		right = ""
	case of.from != nil:
		right = of.from(c.member, original)
	}
	return original, right, known
}

// compareNames compares all copies in a column with the directory.
func (v *verifier) compareNames(ctx context.Context, db *database, of nameCopy) error {
	key := keysOf(of.key)
	return v.pages(ctx, db, pageQuery{table: of.table, query: page(of.table, key, of.values()...), keys: key}, func(rows [][]any) error {
		return v.nameCopies(ctx, db, of, copiesOf(rows))
	})
}

// nameCopies compares copies of names with the directory. Copies are read before the directory, so the directory has their members. Names
// change and copies follow later, so for a copy that differs it reads copy, name and copy again.
func (v *verifier) nameCopies(ctx context.Context, db *database, of nameCopy, copies []memberCopy) error {
	for round := 0; ; round++ {
		differ, err := v.namesDiffer(ctx, of, copies)
		if err != nil || len(differ) == 0 {
			return err
		}
		ids := mapSlice(differ, func(c memberCopy) int64 { return c.row })
		rows, err := db.rows(ctx, pageOf(of.table, of.key, of.values()...), named("ids", jsonOf(ids)))
		if err != nil {
			return err
		}
		if copies = copiesOf(rows); round == 1 {
			differ = slices.DeleteFunc(differ, func(c memberCopy) bool { return !slices.Contains(copies, c) })
			return v.reportOrRepair(ctx, v.wrongNames(db, of, differ)...)
		}
		for _, c := range differ {
			delete(v.members, c.member)
		}
	}
}

func (v *verifier) wrongNames(db *database, of nameCopy, differ []memberCopy) (found []finding) {
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

// namesDiffer returns the copies that differ from the directory, and those whose member does not exist.
func (v *verifier) namesDiffer(ctx context.Context, of nameCopy, copies []memberCopy) (differ []memberCopy, err error) {
	if err := v.loadMembers(ctx, mapSlice(copies, func(c memberCopy) int64 { return c.member })); err != nil {
		return nil, err
	}
	for _, c := range copies {
		if original, right, known := v.original(of, c); !known || original != changing && right != c.text {
			differ = append(differ, c)
		}
	}
	return differ, nil
}
