package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"plaza/data/wire/hrana"
)

// people are the names and avatars of members, which other rows have copies of.
type people struct {
	directory *hrana.Client
	members   map[int64]person
}

type person struct{ name, avatar string }

// peopleInMemory limits the cached members.
const peopleInMemory = 50_000

func newPeople(directory *hrana.Client) *people { return &people{directory, map[int64]person{}} }

const (
	// The copies of a changed name, or of an account that is being deleted, are updated in steps.
	namesOf = `SELECT u.id, iif(u.renaming <> '' OR ` + departing + `, '` + changing + `', u.username), iif(u.repainting OR ` + departing +
		`, '` + changing + `', u.avatar)
FROM json_each(:ids) j CROSS JOIN users u ON u.id = j.value`
	departing = `EXISTS (SELECT 1 FROM account_deletions d WHERE d.user_id = u.id AND d.left_at IS NOT NULL AND d.due_at IS NOT NULL)`
)

// changing replaces the name or avatar of a member whose copies are being changed: any copy is correct.
const changing = "~"

// learn reads members who are not cached yet from the directory.
func (p *people) learn(ctx context.Context, ids []int64) error {
	missing := []int64{}
	asked := map[int64]bool{}
	for _, id := range ids {
		if _, known := p.members[id]; !known && !asked[id] {
			missing, asked[id] = append(missing, id), true
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if len(p.members)+len(missing) > peopleInMemory {
		clear(p.members)
		missing = ids
	}
	rows, err := rowsOf(ctx, p.directory, namesOf, named("ids", jsonOf(missing)))
	for _, row := range rows {
		p.members[row[0].(int64)] = person{strings.Clone(str(row[1])), strings.Clone(str(row[2]))}
	}
	return err
}

// A nameCopy is a column with copies of members' names, of their keys, or of their avatars.
type nameCopy struct {
	table, key, member, column string
	// of returns the correct copy of a name; nil: the name.
	of func(member int64, name string) string
	// avatar: the copies are of avatars. none is then the condition that there is no copy.
	avatar bool
	none   string
}

func authorOf(table string) nameCopy {
	return nameCopy{table: table, key: "id", member: "author_id", column: "author_name"}
}

// withoutAvatar is the condition that a post or comment x has no avatar, whoever wrote it.
const withoutAvatar = `(x.status = 'deleted' OR x.author_name = '')`

func avatarOf(table string) nameCopy {
	return nameCopy{table: table, key: "id", member: "author_id", column: "author_avatar", avatar: true, none: withoutAvatar}
}

var (
	actorOf   = nameCopy{table: "moderation_log", key: "id", member: "actor_id", column: "actor_name"}
	bannedOf  = nameCopy{table: "bans", key: "id", member: "user_id", column: "username"}
	deciderOf = nameCopy{table: "quarantines", key: "id", member: "decided_by", column: "decided_name"}
	karmaOf   = nameCopy{table: "author_karma", key: "author_id", member: "author_id", column: "name_key",
		of: func(member int64, name string) string {
			if name == "" { // a deleted account
				return fmt.Sprintf("~%d", member)
			}
			return strings.ToLower(name)
		}}
)

// again reads the copies of the rows :ids.
func (c nameCopy) again() string {
	return fmt.Sprintf("SELECT x.%s, x.%s, x.%s, %s FROM json_each(:ids) j CROSS JOIN %s x ON x.%s = j.value",
		c.key, c.member, c.column, cmp.Or(c.none, "0"), c.table, c.key)
}

// repair writes a copy, unless it has changed since it was read, or the member has another name or avatar by now.
func (c nameCopy) repair() string {
	now := "names n WHERE n.user_id = :member AND n.name"
	if c.avatar {
		now = "avatars n WHERE n.user_id = :member AND n.avatar"
	}
	return fmt.Sprintf("UPDATE %s SET %s = :copy WHERE %s = :row AND %s = :member AND %s = :was AND NOT EXISTS (SELECT 1 FROM %s <> :name)",
		c.table, c.column, c.key, c.member, c.column, now)
}

// copied is a row's copy of a member's name or avatar.
type copied struct {
	row, member int64
	text        string
	none        bool // the row must not have one
}

// nameCopies compares copies of names with the directory. Shards are read before the directory, so every member who is named there is
// found.
//
// Names change, and copies follow. So each difference is checked again: first the copy, then the name, then the copy once more.
func (v *verifier) nameCopies(ctx context.Context, db *database, of nameCopy, copies []copied) error {
	differ, err := v.namesDiffer(ctx, of, copies)
	if err != nil || len(differ) == 0 {
		return err
	}
	for _, c := range differ {
		delete(v.people.members, c.member)
	}
	if copies, err = of.read(ctx, db, differ); err != nil {
		return err
	}
	if differ, err = v.namesDiffer(ctx, of, copies); err != nil || len(differ) == 0 {
		return err
	}
	now, err := of.read(ctx, db, differ)
	if err != nil {
		return err
	}
	for _, c := range differ {
		if !slices.Contains(now, c) {
			continue
		}
		who, known := v.people.members[c.member]
		name := of.original(who)
		d := Difference{Database: db.name, Table: of.table, Key: fmt.Sprint(c.row)}
		if !known && of.avatar {
			continue // it is reported with the name
		}
		if !known {
			d.Column, d.Stored, d.Computed, d.NotRepaired = of.member, fmt.Sprint(c.member), "nothing", v.skippedBecause("there is no such member")
			v.report(d)
			continue
		}
		d.Column, d.Stored, d.Computed, d.Repaired = of.column, text(c.text), text(of.right(c, name)), v.Repair
		if v.Repair {
			if _, err := v.write(ctx, db.Client, of.repair(), named("copy", of.right(c, name)), named("name", name), named("row", c.row),
				named("member", c.member), named("was", c.text)); err != nil && strings.Contains(err.Error(), "UNIQUE constraint failed") {
				d.Repaired, d.NotRepaired = false, keyTaken
			} else if err != nil {
				return err
			}
		}
		v.report(d)
	}
	return nil
}

// read reads copies again.
func (c nameCopy) read(ctx context.Context, db *database, copies []copied) (list []copied, err error) {
	ids := make([]int64, len(copies))
	for i, c := range copies {
		ids[i] = c.row
	}
	rows, err := rowsOf(ctx, db.Client, c.again(), named("ids", jsonOf(ids)))
	for _, row := range rows {
		if member, ok := row[1].(int64); ok {
			list = append(list, copied{row[0].(int64), member, strings.Clone(str(row[2])), row[3] == int64(1)})
		}
	}
	return list, err
}

// original is the source of a member's copies.
func (c nameCopy) original(p person) string {
	if c.avatar {
		return p.avatar
	}
	return p.name
}

// right returns the correct value of a copy.
func (c nameCopy) right(row copied, original string) string {
	switch {
	case row.none:
		return ""
	case c.of != nil:
		return c.of(row.member, original)
	}
	return original
}

// namesDiffer returns the copies that differ from the directory, and those without a member.
func (v *verifier) namesDiffer(ctx context.Context, of nameCopy, copies []copied) (differ []copied, err error) {
	ids := make([]int64, len(copies))
	for i, c := range copies {
		ids[i] = c.member
	}
	if err := v.people.learn(ctx, ids); err != nil {
		return nil, fmt.Errorf("directory: %w", err)
	}
	for _, c := range copies {
		who, known := v.people.members[c.member]
		if name := of.original(who); !known || name != changing && of.right(c, name) != c.text {
			differ = append(differ, c)
		}
	}
	return differ, nil
}

// deciders compares the names of moderators who decided a case.
func (v *verifier) deciders(ctx context.Context, db *database, _ string, rows [][]any) error {
	var copies []copied
	for _, row := range rows {
		if by, ok := row[1].(int64); ok {
			copies = append(copies, copied{row: row[0].(int64), member: by, text: str(row[2])})
		}
	}
	return v.nameCopies(ctx, db, deciderOf, copies)
}

const actorPage = `SELECT l.id, l.actor_id, l.actor_name FROM moderation_log l WHERE l.id > :after ORDER BY l.id LIMIT :limit`

// actors compares the names of the actors in the log.
func (v *verifier) actors(ctx context.Context, db *database) error {
	return v.pagesOfCopies(ctx, db, actorOf, actorPage)
}

const bannedPage = `SELECT b.id, b.user_id, b.username FROM bans b WHERE b.id > :after ORDER BY b.id LIMIT :limit`

// banned compares the names of banned members.
func (v *verifier) banned(ctx context.Context, db *database) error {
	return v.pagesOfCopies(ctx, db, bannedOf, bannedPage)
}

// pagesOfCopies compares all copies of a kind. A row of the pages is its key, the member's id and the copy.
func (v *verifier) pagesOfCopies(ctx context.Context, db *database, of nameCopy, page string) error {
	for after := int64(0); ; {
		rows, err := rowsOf(ctx, db.Client, page, named("after", after), named("limit", pageRows))
		if err != nil {
			return err
		}
		var copies []copied
		for _, row := range rows {
			after = row[0].(int64)
			if member := row[1].(int64); member != 0 {
				copies = append(copies, copied{row: after, member: member, text: str(row[2])})
			}
		}
		if err := v.nameCopies(ctx, db, of, copies); err != nil || len(rows) < pageRows {
			return err
		}
	}
}

const karmaNamePage = `SELECT k.author_id, k.author_id, k.name_key FROM author_karma k WHERE k.author_id > :after ORDER BY k.author_id
  LIMIT :limit`

// karmaNames compares the names by which profiles find karma.
func (v *verifier) karmaNames(ctx context.Context, db *database) error {
	return v.pagesOfCopies(ctx, db, karmaOf, karmaNamePage)
}

const (
	moderatorNames = `SELECT m.community_id, m.user_id, m.username, iif(u.renaming = '', u.username, m.username) FROM moderators m
  LEFT JOIN users u ON u.id = m.user_id
WHERE (m.community_id, m.user_id) > (:community, :user) ORDER BY m.community_id, m.user_id LIMIT :limit`
	repairModerator = `UPDATE moderators SET username = (SELECT u.username FROM users u WHERE u.id = moderators.user_id)
WHERE community_id = :community AND user_id = :user AND EXISTS (SELECT 1 FROM users u WHERE u.id = moderators.user_id)`
)

// moderators compares the copies of moderators' names, in the directory.
func (v *verifier) moderators(ctx context.Context, db *database) error {
	var community, user int64
	for {
		rows, err := rowsOf(ctx, db.Client, moderatorNames, named("community", community), named("user", user), named("limit", pageRows))
		if err != nil {
			return err
		}
		for _, row := range rows {
			community, user = row[0].(int64), row[1].(int64)
			if row[2] == row[3] {
				continue
			}
			if v.Repair {
				if _, err := v.write(ctx, db.Client, repairModerator, named("community", community), named("user", user)); err != nil {
					return err
				}
			}
			v.report(Difference{Database: db.name, Table: "moderators", Key: join(row[:2]), Column: "username",
				Stored: text(row[2]), Computed: text(row[3]), Repaired: v.Repair})
		}
		if len(rows) < pageRows {
			return nil
		}
	}
}
