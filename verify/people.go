package verify

import (
	"context"
	"fmt"
	"strings"

	"plaza/data/hrana"
)

// people are the names of members, which rows about what they did have copies of. Names never change.
type people struct {
	directory *hrana.Client
	names     map[int64]string
}

// peopleInMemory bounds the names that are remembered.
const peopleInMemory = 50_000

func newPeople(directory *hrana.Client) *people { return &people{directory, map[int64]string{}} }

// Primary keys. The copies of a name whose account is being deleted go in steps.
const namesOf = `SELECT u.id, iif(EXISTS (SELECT 1 FROM departures d WHERE d.user_id = u.id AND d.left_at IS NOT NULL AND d.due_at IS NOT NULL), '` + leaving + `', u.username)
FROM json_each(:ids) j CROSS JOIN users u ON u.id = j.value`

// leaving stands for the name of a member whose account is being deleted: any copy of it is right.
const leaving = "~"

// learn asks the directory for names that are not known yet.
func (p *people) learn(ctx context.Context, ids []int64) error {
	missing := []int64{}
	asked := map[int64]bool{}
	for _, id := range ids {
		if _, known := p.names[id]; !known && !asked[id] {
			missing, asked[id] = append(missing, id), true
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if len(p.names)+len(missing) > peopleInMemory {
		clear(p.names)
		missing = ids
	}
	rows, err := rowsOf(ctx, p.directory, namesOf, named("ids", jsonOf(missing)))
	for _, row := range rows {
		p.names[row[0].(int64)] = strings.Clone(str(row[1]))
	}
	return err
}

// copied is a row's copy of a member's name.
type copied struct {
	row, member int64
	name        string
}

// nameCopies compares copies of names with the directory. Shards are read before the directory, so whoever is named there is found.
func (v *verifier) nameCopies(ctx context.Context, db *database, table, memberColumn, nameColumn string, copies []copied) error {
	ids := make([]int64, len(copies))
	for i, c := range copies {
		ids[i] = c.member
	}
	if err := v.people.learn(ctx, ids); err != nil {
		return fmt.Errorf("directory: %w", err)
	}
	for _, c := range copies {
		name, known := v.people.names[c.member]
		d := Difference{Database: db.name, Table: table, Key: fmt.Sprint(c.row)}
		switch {
		case !known:
			d.Column, d.Stored, d.Computed, d.Left = memberColumn, fmt.Sprint(c.member), "nothing", v.leftBecause("there is no such member")
		case name != c.name && name != leaving:
			d.Column, d.Stored, d.Computed, d.Mended = nameColumn, text(c.name), text(name), v.Repair
		default:
			continue
		}
		if d.Mended {
			mend := fmt.Sprintf("UPDATE %s SET %s = :name WHERE id = :id AND %s = :member", table, nameColumn, memberColumn)
			if _, err := write(ctx, db.Client, mend, named("name", name), named("id", c.row), named("member", c.member)); err != nil {
				return err
			}
		}
		v.report(d)
	}
	return nil
}

// deciders compares the names of moderators who decided a case.
func (v *verifier) deciders(ctx context.Context, db *database, table string, rows [][]any) error {
	var copies []copied
	for _, row := range rows {
		if by, ok := row[1].(int64); ok {
			copies = append(copies, copied{row[0].(int64), by, str(row[2])})
		}
	}
	return v.nameCopies(ctx, db, table, "decided_by", "decided_name", copies)
}

const (
	// Primary keys.
	moderatorNames = `SELECT m.community_id, m.user_id, m.username, coalesce(u.username, m.username) FROM moderators m LEFT JOIN users u ON u.id = m.user_id
WHERE (m.community_id, m.user_id) > (:community, :user) ORDER BY m.community_id, m.user_id LIMIT :limit`
	mendModerator = `UPDATE moderators SET username = (SELECT u.username FROM users u WHERE u.id = moderators.user_id)
WHERE community_id = :community AND user_id = :user AND EXISTS (SELECT 1 FROM users u WHERE u.id = moderators.user_id)`
)

// moderators compares the copies of moderators' names, in the directory.
func (v *verifier) moderators(ctx context.Context, db *database) error {
	var community, user int64
	for {
		rows, err := rowsOf(ctx, db.Client, moderatorNames, named("community", community), named("user", user), named("limit", strayPage))
		if err != nil {
			return err
		}
		for _, row := range rows {
			community, user = row[0].(int64), row[1].(int64)
			if row[2] == row[3] {
				continue
			}
			if v.Repair {
				if _, err := write(ctx, db.Client, mendModerator, named("community", community), named("user", user)); err != nil {
					return err
				}
			}
			v.report(Difference{Database: db.name, Table: "moderators", Key: join(row[:2]), Column: "username",
				Stored: text(row[2]), Computed: text(row[3]), Mended: v.Repair})
		}
		if len(rows) < strayPage {
			return nil
		}
	}
}
