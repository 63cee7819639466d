package verify

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/content/posts"
	"plaza/data/delivery/outbox"
	"plaza/data/wire/hrana"
	"plaza/protocol/weburl"
)

// A derivation is a column that Go computes from the same row: keys of look-ups, and paths.
type derivation struct {
	table   string
	inputs  []string // expressions of row x
	columns []string
	compute func(id int64, inputs []any) []any // nil: not known
}

var derivations = []derivation{
	{"users", []string{"x.username", "x.email", "x.views", "x.week_views", "x.views_week"}, []string{"username_key", "email_key", "views",
		"week_views"}, func(id int64, in []any) []any {
		if str(in[0]) == "" { // a deleted account (data/accounts/deletion)
			return append([]any{"~" + strconv.FormatInt(id, 10), nil}, viewsOf(in[2:])...)
		}
		return append([]any{strings.ToLower(str(in[0])), credentials.EmailKey(str(in[1]))}, viewsOf(in[2:])...)
	}},
	{"communities", []string{"x.name"}, []string{"name_key"}, func(_ int64, in []any) []any { return []any{strings.ToLower(str(in[0]))} }},
	{"posts", []string{"x.link", "x.image", "x.crosspost", "x.views", "x.week_views", "x.views_week", "x.domain", "x.link_key", forgetting},
		[]string{"domain", "link_key", "views", "week_views"},
		func(id int64, in []any) []any {
			about := aboutPost(id, in)
			if about == nil {
				about = in[6:8]
			}
			return append(slices.Clone(about), viewsOf(in[3:])...)
		}},
	// The ids from the comment up to the first level, each with its distance.
	{"comments", []string{`(WITH RECURSIVE up (id, parent_id, n) AS (SELECT x.id, x.parent_id, 0
    UNION ALL SELECT c.id, c.parent_id, up.n + 1 FROM up CROSS JOIN comments c ON c.id = up.parent_id
  WHERE up.n < 200)
  SELECT json_group_array(json_array(n, id, parent_id)) FROM up)`}, []string{"path", "depth"}, pathOf},
}

// forgetting is 1 for a deleted post whose crossposts on other shards are not updated yet. They are found by its link_key, which stays
// until the work is done (posts.UpdateCopies).
const forgetting = `(x.status = 'deleted' AND EXISTS (SELECT 1 FROM outbox o WHERE o.subject_id = x.id AND o.job = '` +
	string(outbox.JobUpdate) + `'))`

func str(v any) string { s, _ := v.(string); return s }

// aboutPost is the source of a post's domain and link_key: its link, else its image, or the original of a crosspost. The source of a
// deleted original is not known any more.
func aboutPost(_ int64, in []any) []any {
	address := cmp.Or(str(in[0]), str(in[1]))
	domain, key := weburl.Domain(address), weburl.Key(address)
	if in[8] == int64(1) {
		return []any{domain, in[7]}
	}
	if original, ok := parseOriginal(str(in[2])); ok {
		switch {
		case original.Title == deletedTitle:
			return nil
		case original.Link != "":
			key = weburl.Key(original.Link)
		default:
			key = posts.KeyOf(original.ID)
		}
	}
	return []any{domain, key}
}

// viewsOf returns what can be checked in views, the week's views and the week's number: the week can't have more than the total, and
// before the first week there are none. Only Redis has the viewers, and only for a week (data/lists/views).
func viewsOf(in []any) []any {
	all, _ := in[0].(int64)
	ofWeek, _ := in[1].(int64)
	if ofWeek = max(ofWeek, 0); in[2] == int64(0) {
		ofWeek = 0
	}
	return []any{max(all, ofWeek), ofWeek}
}

// pathOf computes a comment's path from the ids of its ancestors.
func pathOf(_ int64, in []any) []any {
	var steps [][3]int64
	decoder := json.NewDecoder(strings.NewReader(str(in[0])))
	if decoder.Decode(&steps) != nil || len(steps) == 0 {
		return nil
	}
	slices.SortFunc(steps, func(a, b [3]int64) int { return cmp.Compare(b[0], a[0]) })
	if steps[0][2] != 0 { // the parent is missing, which another check reports
		return nil
	}
	var path strings.Builder
	for _, step := range steps {
		path.WriteString(data.ID(step[1]).Text())
	}
	return []any{path.String(), int64(len(steps) - 1)}
}

const derivedPage = 500

func (d derivation) find() string {
	columns := make([]string, len(d.columns))
	for i, c := range d.columns {
		columns[i] = "x." + c
	}
	return fmt.Sprintf("SELECT x.id, %s, %s FROM %s x WHERE x.id > :after ORDER BY x.id LIMIT :limit",
		strings.Join(d.inputs, ", "), strings.Join(columns, ", "), d.table)
}

// repair writes the columns of one row, unless their sources have changed.
func (d derivation) repair() string {
	var sets, same []string
	for i, c := range d.columns {
		sets = append(sets, fmt.Sprintf("%s = :c%d", c, i))
	}
	for i, in := range d.inputs {
		same = append(same, fmt.Sprintf("%s IS :i%d", in, i))
	}
	return fmt.Sprintf("UPDATE %s AS x SET %s WHERE x.id = :id AND %s", d.table, strings.Join(sets, ", "), strings.Join(same, " AND "))
}

func (v *verifier) derived(ctx context.Context, db *database, d derivation) error {
	find, repair := d.find(), d.repair()
	for after := int64(0); ; {
		rows, err := rowsOf(ctx, db.Client, find, named("after", after), named("limit", derivedPage))
		if err != nil {
			return err
		}
		for _, row := range rows {
			after = row[0].(int64)
			inputs, stored := row[1:1+len(d.inputs)], row[1+len(d.inputs):]
			computed := d.compute(after, inputs)
			var found []Difference
			for i, value := range computed {
				if !equal(stored[i], value) {
					found = append(found, Difference{Database: db.name, Table: d.table, Key: strconv.FormatInt(after, 10), Column: d.columns[i],
						Stored: text(stored[i]), Computed: text(value)})
				}
			}
			if len(found) > 0 && v.Repair {
				skipped, err := v.repairDerived(ctx, db, repair, after, inputs, computed)
				if err != nil {
					return err
				}
				for i := range found {
					found[i].Repaired, found[i].NotRepaired = skipped == "", skipped
				}
			}
			v.report(found...)
		}
		v.read(db, d.table, len(rows))
		if len(rows) < derivedPage {
			return nil
		}
	}
}

// keyTaken is the reason why a key was not repaired. Two accounts whose addresses turned out to be the same both stay.
const keyTaken = "another row has that already; if it is the address of an account, its member logs in by the username"

// repairDerived writes the columns of one row, or returns why it did not.
func (v *verifier) repairDerived(ctx context.Context, db *database, repair string, id int64, inputs, computed []any) (skipped string,
	err error) {
	args := []hrana.Named{named("id", id)}
	for i, value := range inputs {
		args = append(args, named(fmt.Sprintf("i%d", i), value))
	}
	for i, value := range computed {
		args = append(args, named(fmt.Sprintf("c%d", i), value))
	}
	n, err := v.write(ctx, db.Client, repair, args...)
	switch {
	case err != nil && strings.Contains(err.Error(), "UNIQUE constraint failed"):
		return keyTaken, nil
	case err == nil && n == 0:
		skipped = "the row has changed since"
	}
	return skipped, err
}
