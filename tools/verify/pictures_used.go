package verify

import (
	"context"
	"fmt"
	"strings"
)

// A pictured is a table whose rows x use pictures. list is an SQL expression: a JSON array of the pictures of a row, or an empty text for
// none. Triggers write picture_uses from the same columns.
type pictured struct{ kind, table, list string }

var pictureds = []pictured{
	{"post", "posts", "x.pictures"},
	{"comment", "comments", "x.pictures"},
	{"avatar", "users", onePicture("substr(x.avatar, instr(x.avatar, '/') + 1)", "instr(x.avatar, '/') > 0")},
	{"icon", "communities", onePicture("x.icon", "x.icon <> ''")},
	{"banner", "communities", onePicture("x.banner", "x.banner <> ''")},
}

// onePicture returns the list of a row with at most one picture: the expression sum, if the condition has holds.
func onePicture(sum, has string) string {
	return "iif(" + has + ", json_array(json_object('sum', " + sum + ")), '')"
}

// elements returns the list as a table j. A column that is not valid JSON counts as an empty list.
func (p pictured) elements() string {
	return "json_each(iif(json_valid(" + p.list + "), " + p.list + ", '[]')) j"
}

// isUse is the condition that picture_uses has the element j of the row x.
const isUse = `EXISTS (SELECT 1 FROM picture_uses u WHERE u.sum = j.value ->> 'sum' AND u.kind = :kind AND u.subject_id = x.id
  AND u.position = j.key)`

// find returns a statement that selects the ids of a page, and for each the sums that picture_uses lacks.
func (p pictured) find() string {
	return fmt.Sprintf(`SELECT x.id, iif(%s = '', NULL, (SELECT group_concat(j.value ->> 'sum', ', ') FROM %s WHERE NOT %s))
FROM %s x WHERE x.id > :after ORDER BY x.id LIMIT :limit`, p.list, p.elements(), isUse, p.table)
}

func (p pictured) repair() string {
	return fmt.Sprintf(`INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT j.value ->> 'sum', :kind, x.id, j.key
FROM %s x CROSS JOIN %s WHERE x.id IN (SELECT value FROM json_each(:ids)) ON CONFLICT DO NOTHING`, p.table, p.elements())
}

// unused returns the condition that the row x of picture_uses names a picture that its post, comment, member or community does not show.
func unused() string {
	var b strings.Builder
	b.WriteString("CASE x.kind")
	for _, p := range pictureds {
		fmt.Fprintf(&b, " WHEN '%s' THEN NOT EXISTS (SELECT 1 FROM %s y WHERE y.id = x.subject_id AND json_valid(%[3]s)\n  "+
			"AND %[3]s ->> ('$[' || x.position || '].sum') = x.sum)", p.kind, p.table, strings.ReplaceAll(p.list, "x.", "y."))
	}
	b.WriteString(" ELSE 0 END")
	return b.String()
}

// uses compares picture_uses in a database with the pictures that its rows show.
func (v *verifier) uses(ctx context.Context, db *database) error {
	for _, p := range pictureds {
		for after := int64(0); ; {
			rows, err := rowsOf(ctx, db.Client, p.find(), named("kind", p.kind), named("after", after), named("limit", pageRows))
			if err != nil {
				return err
			}
			var found []Difference
			for _, row := range rows {
				if after = row[0].(int64); row[1] == nil {
					continue
				}
				found = append(found, Difference{Database: db.name, Table: "picture_uses", Key: text(after), Column: "row", Stored: "missing",
					Computed: text(row[1]), Repaired: v.Repair})
				if v.Repair {
					if _, err := v.write(ctx, db.Client, p.repair(), named("kind", p.kind), named("ids", jsonOf([]int64{after}))); err != nil {
						return err
					}
				}
			}
			v.report(found...)
			if len(rows) < pageRows {
				break
			}
		}
	}
	return nil
}
