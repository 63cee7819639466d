package verify

import (
	"context"
	"fmt"
	"strings"
)

// A check compares columns of a table with what one statement computes for them, a page of rows at a time. The statement sees one state of
// the database, so what is written meanwhile makes no difference.
type check struct {
	table string
	key   string // its integer key
	// pages selects the keys (id) of a page: those after :after in order, :limit of them.
	pages string
	// with are common table expressions over page (id). The last is truth: id and, named as the columns of the table, their values.
	with    string
	columns []column
	more    string // further columns of truth t and the table's row x, for who watches the pages
	upsert  bool   // a row may be missing; its values are then 0
	size    int    // rows of a page
}

// column is one that is compared.
type column struct {
	name string
	same func(stored, computed any) bool // nil: equal
	// hopeless tells that there is nothing to compute it from when it is wrong: the row that it names is gone.
	hopeless string
}

func columnsOf(names ...string) (list []column) {
	for _, name := range names {
		list = append(list, column{name: name})
	}
	return list
}

// first is the page that begins after a key, again the page of the keys in :ids.
func (c *check) first() string { return "WITH RECURSIVE page AS MATERIALIZED (" + c.pages + "),\n" }
func (c *check) again() string {
	return "WITH RECURSIVE page AS MATERIALIZED (SELECT value AS id FROM json_each(:ids)),\n"
}

// find selects of every row of a page the key, each column as it is and as it must be, and what more there is.
func (c *check) find() string {
	var b strings.Builder
	b.WriteString(c.first() + c.with + "\nSELECT t.id")
	join := "CROSS JOIN"
	stored := "x.%s"
	if c.upsert {
		join, stored = "LEFT JOIN", "coalesce(x.%s, 0)"
	}
	for _, col := range c.columns {
		fmt.Fprintf(&b, ", "+stored+", t.%s", col.name, col.name)
	}
	b.WriteString(c.more)
	fmt.Fprintf(&b, "\nFROM truth t %s %s x ON x.%s = t.id ORDER BY t.id", join, c.table, c.key)
	return b.String()
}

// mend computes the columns of the rows in :ids anew and writes them, in one statement.
func (c *check) mend() string {
	var names, sets, from []string
	for _, col := range c.columns {
		if col.hopeless == "" {
			names, from = append(names, col.name), append(from, "t."+col.name)
			sets = append(sets, col.name+" = t."+col.name)
		}
	}
	if !c.upsert {
		return c.again() + c.with + "\nUPDATE " + c.table + " SET " + strings.Join(sets, ", ") + " FROM truth t WHERE " + c.table + "." + c.key + " = t.id" +
			" AND " + c.table + "." + c.key + " IN (SELECT value FROM json_each(:ids))" // else SQLite reads the whole table for each of truth
	}
	for i, name := range names {
		sets[i] = name + " = excluded." + name
	}
	return c.again() + c.with + "\nINSERT INTO " + c.table + " (" + c.key + ", " + strings.Join(names, ", ") + ") SELECT t.id, " + strings.Join(from, ", ") +
		" FROM truth t WHERE true ON CONFLICT (" + c.key + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

// mendStep is how many rows one statement of a repair writes.
const mendStep = 50

// check walks through a table. each gets the key and the further columns of every row of a page.
func (v *verifier) check(ctx context.Context, db *database, c check, each eachPage) error {
	find, mend := c.find(), c.mend()
	for after := int64(0); ; {
		rows, err := rowsOf(ctx, db.Client, find, named("after", after), named("limit", c.size))
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return nil
		}
		var found []Difference
		var wrong []int64
		more := make([][]any, len(rows))
		for i, row := range rows {
			id := row[0].(int64)
			after = id
			rest := row[1:]
			mendable := false
			for _, col := range c.columns {
				stored, computed := rest[0], rest[1]
				rest = rest[2:]
				if col.agrees(stored, computed) {
					continue
				}
				found = append(found, Difference{Database: db.name, Table: c.table, Key: text(id), Column: col.name,
					Stored: text(stored), Computed: text(computed), Left: v.hopeless(col.hopeless)})
				mendable = mendable || col.hopeless == ""
			}
			if mendable {
				wrong = append(wrong, id)
			}
			more[i] = append([]any{id}, rest...)
		}
		if err := v.mend(ctx, db, mend, wrong); err != nil {
			return err
		}
		for i := range found {
			found[i].Mended = v.Repair && found[i].Left == ""
		}
		v.report(found...)
		v.read(db, c.table, len(rows))
		if each != nil {
			if err := each(ctx, db, c.table, more); err != nil {
				return err
			}
		}
		if len(rows) < c.size {
			return nil
		}
	}
}

func (v *verifier) hopeless(why string) string {
	if v.Repair {
		return why
	}
	return ""
}

// mend runs a repair for the rows of these keys, a few at a time.
func (v *verifier) mend(ctx context.Context, db *database, statement string, ids []int64) error {
	for v.Repair && len(ids) > 0 {
		n := min(len(ids), mendStep)
		if _, err := write(ctx, db.Client, statement, named("ids", jsonOf(ids[:n]))); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

func (c column) agrees(stored, computed any) bool {
	if c.same != nil {
		return c.same(stored, computed)
	}
	return equal(stored, computed)
}

// eachPage gets the rows of a page: the key and what more the check selects.
type eachPage func(ctx context.Context, db *database, table string, rows [][]any) error
