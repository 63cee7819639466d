package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// A check compares columns of rows x with values that the same statement computes, a page of rows at a time. The statement sees one state
// of the database, so concurrent writes make no difference.
type check struct {
	table   string // as reports name it
	from    string // the table of the rows x; "": the same
	keys    keys   // nil: id
	columns []column
	// inputs are expressions of row x. compute, in Go, returns the values of the columns from them, or nil if it can't.
	inputs  []string
	compute func(key, inputs []any) []any
	// repair are the statements that repair :rows, a JSON array of keys; a key of several columns is itself an array. With compute, each
	// element is an array of key, inputs and values. nil: one statement that writes the columns, unless the inputs have changed.
	repair []string
	// with are common table expressions over page (id) that compute the values of a page's rows together. The last is the table computed:
	// id, and the values of the columns by their names. more are further columns of computed t and of the row x, for each.
	with, more string
	// pages selects the keys (id) of a page for with, in order. "": those of the table.
	pages  string
	upsert bool // a row may be missing; its stored values then count as 0
	// find selects the keys of a page's rows, the stored and the computed value of each column, and more. With compute, it selects keys,
	// inputs and stored values. "": it is built from the other fields.
	find  string
	size  int  // of a page
	short bool // as in pageQuery
	step  int  // rows of one repair
	// each is called with the rows of a page: the key, and the columns of more.
	each func(v *verifier, ctx context.Context, db *database, table string, rows [][]any) error
}

// page returns a statement that selects a page of the rows x of a table: their keys and these values.
func page(from string, k keys, values ...string) string {
	names := strings.Join(k.names(), ", x.")
	return fmt.Sprintf("SELECT x.%s, %s FROM %s x WHERE (x.%[1]s) > (:%[4]s) ORDER BY x.%[1]s LIMIT :limit", names, strings.Join(values, ", "),
		from, strings.Join(k.names(), ", :"))
}

// pageOf returns a statement that selects keys and values as page does, of the rows :ids.
func pageOf(from, key string, values ...string) string {
	return fmt.Sprintf("SELECT x.%s, %s FROM json_each(:ids) j CROSS JOIN %s x ON x.%[1]s = j.value ORDER BY x.%[1]s", key,
		strings.Join(values, ", "), from)
}

// among returns a condition: the key of the row x is one of :rows.
func among(k keys) string {
	value := "value"
	if len(k) > 1 {
		list := make([]string, len(k))
		for i := range list {
			list[i] = fmt.Sprintf("value ->> %d", i)
		}
		value = strings.Join(list, ", ")
	}
	return fmt.Sprintf("(x.%s) IN (SELECT %s FROM json_each(:rows))", strings.Join(k.names(), ", x."), value)
}

// withDefaults returns the check with all its statements and sizes.
func (c check) withDefaults() check {
	if c.keys == nil {
		c.keys = keysOf("id")
	}
	key, values := c.keys[0].Name, slices.Clone(c.inputs)
	var names, computed, sets []string
	for i, col := range c.columns {
		stored, value := cmp.Or(col.stored, "x."+col.name), cmp.Or(col.computed, "t."+col.name)
		if c.upsert {
			stored = "coalesce(" + stored + ", 0)"
		}
		if values = append(values, stored); c.compute == nil {
			values = append(values, value)
		} else {
			value = fmt.Sprintf("j.value ->> %d", len(c.keys)+len(c.inputs)+i)
		}
		if col.unrepairable == "" {
			names, computed, sets = append(names, col.name), append(computed, value), append(sets, col.name+" = "+value)
		}
	}
	find, write := page(cmp.Or(c.from, c.table), c.keys, values...), "UPDATE "+c.table+" AS x SET "+strings.Join(sets, ", ")
	size, step := pageSize, repairStep
	switch {
	case c.compute != nil:
		size, step = 500, 1
		write += " FROM json_each(:rows) j WHERE x." + key + " = j.value ->> 0"
		for i, in := range c.inputs {
			write += fmt.Sprintf(" AND %s IS j.value ->> %d", in, 1+i)
		}
	case c.with != "":
		c.keys = keys{named(key, int64(0))}
		pages := fmt.Sprintf("SELECT %s AS id FROM %s WHERE %[1]s > :%[1]s ORDER BY %[1]s LIMIT :limit", key, c.table)
		join := "CROSS JOIN"
		write += " FROM computed t WHERE x." + key + " = t.id AND " + among(c.keys) // else SQLite reads the whole table for each row of computed
		if c.upsert {
			join = "LEFT JOIN"
			write = fmt.Sprintf("INSERT INTO %s (%s, %s) SELECT t.id, %s FROM computed t WHERE true\nON CONFLICT (%[2]s) DO UPDATE SET %[5]s",
				c.table, key, strings.Join(names, ", "), strings.Join(computed, ", "), excluded(names))
		}
		find = fmt.Sprintf("WITH RECURSIVE page AS MATERIALIZED (%s),\n%s\nSELECT t.id, %s%s\n"+
			"FROM computed t %s %s x ON x.%s = t.id ORDER BY t.id",
			cmp.Or(c.pages, pages), c.with, strings.Join(values, ", "), c.more, join, c.table, key)
		write = "WITH RECURSIVE page AS MATERIALIZED (SELECT value AS id FROM json_each(:rows)),\n" + c.with + "\n" + write
	default:
		write += " WHERE " + among(c.keys)
	}
	if c.repair == nil {
		c.repair = []string{write}
	}
	c.find, c.size, c.step = cmp.Or(c.find, find), cmp.Or(c.size, size), cmp.Or(c.step, step)
	return c
}

// repairStep is how many rows one statement of a repair writes.
const repairStep = 50

func (v *verifier) check(ctx context.Context, db *database, c check) error {
	c = c.withDefaults()
	p := pageQuery{table: c.table, query: c.find, keys: c.keys, size: c.size, short: c.short}
	return v.pages(ctx, db, p, func(rows [][]any) error {
		var wrong []any
		var found [][]Difference
		n, pairs := len(c.keys), 2*len(c.columns)
		for i, row := range rows {
			key, rest := row[:n:n], row[n:]
			var one any = key
			if n == 1 {
				one = key[0]
			}
			values := rest
			if c.compute != nil {
				inputs, stored := rest[:len(c.inputs)], rest[len(c.inputs):]
				computed := c.compute(key, inputs)
				values = nil
				for i, value := range computed {
					values = append(values, stored[i], value)
				}
				one = slices.Concat(key, inputs, computed)
			} else {
				rows[i] = append(key, rest[pairs:]...)
			}
			differ := db.compare(c.table, key, c.columns, values)
			if slices.ContainsFunc(differ, func(d Difference) bool { return d.NotRepaired == "" }) {
				wrong, found = append(wrong, one), append(found, differ)
			} else {
				v.report(differ)
			}
		}
		if err := v.repairRows(ctx, db, c, wrong, found); err != nil || c.each == nil {
			return err
		}
		return c.each(v, ctx, db, c.table, rows)
	})
}

// repairRows repairs and reports the differences of rows, a few rows at a time.
func (v *verifier) repairRows(ctx context.Context, db *database, c check, wrong []any, found [][]Difference) error {
	for len(wrong) > 0 {
		rows := wrong[:min(len(wrong), c.step)]
		differences := slices.Concat(found[:len(rows)]...)
		wrong, found = wrong[len(rows):], found[len(rows):]
		err := v.reportOrRepair(ctx, finding{differences, func(ctx context.Context) (string, error) {
			var n int64
			for _, statement := range c.repair {
				var err error
				if n, err = v.write(ctx, db, statement, named("rows", jsonOf(rows))); err != nil {
					return skipIfTaken(err)
				}
			}
			if c.compute != nil && n < int64(len(rows)) {
				return "the row has changed since", nil // the next run looks at it
			}
			return "", nil
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// excluded returns the assignments of an upsert.
func excluded(columns []string) string {
	return strings.Join(mapSlice(columns, func(c string) string { return c + " = excluded." + c }), ", ")
}
