package verify

import (
	"context"
	"fmt"
	"strings"
)

// A pictured is a table whose rows x use pictures: list is the JSON array of them, or ” for none. Triggers write picture_uses from it.
type pictured struct{ kind, table, list string }

var pictureds = []pictured{
	{"post", "posts", "x.pictures"},
	{"comment", "comments", "x.pictures"},
	{"avatar", "users", onePicture("substr(x.avatar, instr(x.avatar, '/') + 1)", "instr(x.avatar, '/') > 0")},
	{"icon", "communities", onePicture("x.icon", "x.icon <> ''")},
	{"banner", "communities", onePicture("x.banner", "x.banner <> ''")},
}

// onePicture is the list of a row that shows the picture sum, if it has one.
func onePicture(sum, has string) string {
	return "iif(" + has + ", json_array(json_object('sum', " + sum + ")), '')"
}

// elements is the list as an array, whatever is in the column.
func (p pictured) elements() string {
	return "json_each(iif(json_valid(" + p.list + "), " + p.list + ", '[]')) j"
}

// isUse is whether an element is among the uses.
const isUse = `EXISTS (SELECT 1 FROM picture_uses u WHERE u.sum = j.value ->> 'sum' AND u.kind = :kind AND u.subject_id = x.id
  AND u.position = j.key)`

// find selects the keys of a page, and the sums that are not among the uses.
func (p pictured) find() string {
	return fmt.Sprintf(`SELECT x.id, iif(%s = '', NULL, (SELECT group_concat(j.value ->> 'sum', ', ') FROM %s WHERE NOT %s))
FROM %s x WHERE x.id > :after ORDER BY x.id LIMIT :limit`, p.list, p.elements(), isUse, p.table)
}

func (p pictured) mend() string {
	return fmt.Sprintf(`INSERT INTO picture_uses (sum, kind, subject_id, position) SELECT j.value ->> 'sum', :kind, x.id, j.key
FROM %s x CROSS JOIN %s WHERE x.id IN (SELECT value FROM json_each(:ids)) ON CONFLICT DO NOTHING`, p.table, p.elements())
}

// unused is an SQL condition: what a row x of picture_uses belongs to does not show the picture.
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

// uses compares what uses pictures in a database with the pictures that its rows show.
func (v *verifier) uses(ctx context.Context, db *database) error {
	for _, p := range pictureds {
		for after := int64(0); ; {
			rows, err := rowsOf(ctx, db.Client, p.find(), named("kind", p.kind), named("after", after), named("limit", strayPage))
			if err != nil {
				return err
			}
			var found []Difference
			for _, row := range rows {
				if after = row[0].(int64); row[1] == nil {
					continue
				}
				found = append(found, Difference{Database: db.name, Table: "picture_uses", Key: text(after), Column: "row", Stored: "missing",
					Computed: text(row[1]), Mended: v.Repair})
				if v.Repair {
					if _, err := write(ctx, db.Client, p.mend(), named("kind", p.kind), named("ids", jsonOf([]int64{after}))); err != nil {
						return err
					}
				}
			}
			v.report(found...)
			if len(rows) < strayPage {
				break
			}
		}
	}
	return nil
}
