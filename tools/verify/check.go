package verify

import (
	"context"
	"fmt"
	"strings"
)

// A check compares columns of a table with the values that one statement computes for them, a page of rows at a time. The statement sees
// one state of the database, so concurrent writes make no difference.
type check struct {
	table string
	key   string // its integer key
	// pages selects the keys (id) of a page: those after :after in order, :limit of them.
	pages string
	// with are common table expressions over page (id). The last is the table computed: id, and the values of the columns by their names.
	with    string
	columns []column
	more    string // further columns of computed t and of the table's row x, for eachPage
	upsert  bool   // a row may be missing; its values are then 0
	size    int    // rows of a page
}

// column is a column to compare.
type column struct {
	name string
	same func(stored, computed any) bool // nil: equal
	// unrepairable is why a wrong value can't be repaired: the row that it refers to is deleted. "" if it can be computed.
	unrepairable string
}

func columnsOf(names ...string) (list []column) {
	for _, name := range names {
		list = append(list, column{name: name})
	}
	return list
}

// pageAfter is the page that begins after the key :after.
func (c *check) pageAfter() string { return "WITH RECURSIVE page AS MATERIALIZED (" + c.pages + "),\n" }

// pageOfKeys is the page of the keys in :ids.
func (c *check) pageOfKeys() string {
	return "WITH RECURSIVE page AS MATERIALIZED (SELECT value AS id FROM json_each(:ids)),\n"
}

// find selects of every row of a page the key, each column's stored and correct value, and the further columns.
func (c *check) find() string {
	var b strings.Builder
	b.WriteString(c.pageAfter() + c.with + "\nSELECT t.id")
	join := "CROSS JOIN"
	stored := "x.%s"
	if c.upsert {
		join, stored = "LEFT JOIN", "coalesce(x.%s, 0)"
	}
	for _, col := range c.columns {
		fmt.Fprintf(&b, ", "+stored+", t.%s", col.name, col.name)
	}
	b.WriteString(c.more)
	fmt.Fprintf(&b, "\nFROM computed t %s %s x ON x.%s = t.id ORDER BY t.id", join, c.table, c.key)
	return b.String()
}

// repair computes the columns of the rows in :ids again and writes them, in one statement.
func (c *check) repair() string {
	var names, sets, from []string
	for _, col := range c.columns {
		if col.unrepairable == "" {
			names, from = append(names, col.name), append(from, "t."+col.name)
			sets = append(sets, col.name+" = t."+col.name)
		}
	}
	if !c.upsert {
		key := c.table + "." + c.key
		return c.pageOfKeys() + c.with + "\nUPDATE " + c.table + " SET " + strings.Join(sets, ", ") + "\nFROM computed t WHERE " + key +
			" = t.id" +
			" AND " + key + " IN (SELECT value FROM json_each(:ids))" // otherwise SQLite reads the whole table for each row of computed
	}
	for i, name := range names {
		sets[i] = name + " = excluded." + name
	}
	return c.pageOfKeys() + c.with + "\nINSERT INTO " + c.table + " (" + c.key + ", " + strings.Join(names, ", ") + ")" +
		"\nSELECT t.id, " + strings.Join(from, ", ") + " FROM computed t WHERE true\nON CONFLICT (" + c.key + ") DO UPDATE SET " +
		strings.Join(sets, ", ")
}

// repairStep is how many rows one statement of a repair writes.
const repairStep = 50

// check compares all of a table. each, which may be nil, is called with every page.
func (v *verifier) check(ctx context.Context, db *database, c check, each eachPage) error {
	find, repair := c.find(), c.repair()
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
					Stored: text(stored), Computed: text(computed), NotRepaired: v.skippedBecause(col.unrepairable)})
				mendable = mendable || col.unrepairable == ""
			}
			if mendable {
				wrong = append(wrong, id)
			}
			more[i] = append([]any{id}, rest...)
		}
		if err := v.repair(ctx, db, repair, wrong); err != nil {
			return err
		}
		for i := range found {
			found[i].Repaired = v.Repair && found[i].NotRepaired == ""
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

// skippedBecause returns Difference.Left of a difference that can't be repaired.
func (v *verifier) skippedBecause(why string) string {
	if v.Repair {
		return why
	}
	return ""
}

// repair runs a repair for the rows of these keys, a few at a time.
func (v *verifier) repair(ctx context.Context, db *database, statement string, ids []int64) error {
	for v.Repair && len(ids) > 0 {
		n := min(len(ids), repairStep)
		if _, err := v.write(ctx, db.Client, statement, named("ids", jsonOf(ids[:n]))); err != nil {
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

// eachPage is called with the rows of a page: the key and the further columns of the check.
type eachPage func(ctx context.Context, db *database, table string, rows [][]any) error
