package verify

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plaza/data/wire/hrana"
)

// Difference is one value that is not what it must be.
type Difference struct {
	Database string // directory, shard 0, redis, bucket
	Table    string
	Key      string // the row's primary key; of several columns, with commas
	Column   string // "row" when the whole row must not be there
	Stored   string
	Computed string
	Repaired bool
	// NotRepaired is why it was not repaired although that was asked for.
	NotRepaired string
}

func (d Difference) String() string {
	s := fmt.Sprintf("%s: %s %s: %s is %s and should be %s", d.Database, d.Table, d.Key, d.Column, d.Stored, d.Computed)
	switch {
	case d.Repaired:
		return s + " (repaired)"
	case d.NotRepaired != "":
		return s + " (left as it is: " + d.NotRepaired + ")"
	}
	return s
}

// column is one that is compared.
type column struct {
	name string
	is   string                          // an expression of row x: what it must be
	was  string                          // what it is instead of the column's value; "": that
	same func(stored, computed any) bool // nil: equal
	// unrepairable is why a wrong value can't be repaired: the row that it names is gone. "" when it can be computed.
	unrepairable string
	// stored and computed are what a report shows instead of the values.
	stored, computed string
	show             func(value any) string // how it shows values; nil: text
}

func columnsOf(names ...string) []column {
	return mapped(names, func(name string) column { return column{name: name} })
}

// compare returns what differs in a row with these keys. values are the stored and the computed value of each column in turn, or nil.
func (db *database) compare(table string, key []any, columns []column, values []any) (found []Difference) {
	if values == nil {
		return nil
	}
	for i, c := range columns {
		stored, computed, same, show := values[2*i], values[2*i+1], c.same, c.show
		if same == nil {
			same = equal
		}
		if show == nil {
			show = text
		}
		if !same(stored, computed) {
			found = append(found, Difference{Database: db.name, Table: table, Key: join(key), Column: c.name,
				Stored: cmp.Or(c.stored, show(stored)), Computed: cmp.Or(c.computed, show(computed)), NotRepaired: c.unrepairable})
		}
	}
	return found
}

// A finding is what differs in one row, and how to repair it.
type finding struct {
	differences []Difference
	repair      repair
}

// repair returns why it left something as it is, or "".
type repair func(context.Context) (skipped string, err error)

// finding returns one of one column.
func (db *database) finding(table string, key any, column, stored, computed string, how repair) finding {
	d := Difference{Database: db.name, Table: table, Key: fmt.Sprint(key), Column: column, Stored: stored, Computed: computed}
	return finding{[]Difference{d}, how}
}

// findings are one of what differs in a row (compare), or none.
func (db *database) findings(table string, key []any, columns []column, values []any, how repair) []finding {
	if differ := db.compare(table, key, columns, values); len(differ) > 0 {
		return []finding{{differ, how}}
	}
	return nil
}

// by is a repair by one statement.
func (v *verifier) by(db *database, statement string, args ...hrana.Named) repair {
	return func(ctx context.Context) (string, error) {
		_, err := v.write(ctx, db, statement, args...)
		return leftAsTaken(err)
	}
}

// unrepairable is the repair of what can't be repaired.
func unrepairable(why string) repair {
	return func(context.Context) (string, error) { return why, nil }
}

// leftAsTaken turns the error of a key that another row has into the reason why something is left. Two accounts whose addresses turned out
// to be one both stay.
func leftAsTaken(err error) (string, error) {
	if hrana.IsUnique(err) {
		return "another row has that already; if it is the address of an account, its member logs in by the username", nil
	}
	return "", err
}

// settle repairs what was found, if that is asked for, and reports it.
func (v *verifier) settle(ctx context.Context, list ...finding) error {
	for _, f := range list {
		if v.Repair {
			skipped, err := f.repair(ctx)
			if err != nil {
				return err
			}
			for i := range f.differences {
				f.differences[i].NotRepaired = cmp.Or(f.differences[i].NotRepaired, skipped)
			}
		}
		v.report(f.differences)
	}
	return nil
}

// report counts differences and tells of them. What is not left is repaired by now.
func (v *verifier) report(found []Difference) {
	for _, d := range found {
		v.result.Found++
		if d.Repaired = v.Repair && d.NotRepaired == ""; d.Repaired {
			v.result.Repaired++
		} else if !v.Repair {
			d.NotRepaired = ""
		}
		v.Found(d)
	}
}

// maxChecks bounds how often what differs is looked at.
const maxChecks = 4

// confirm returns the findings that two looks in a row had alike. What two servers have to agree on can't be read in one state of both. So
// it is reported when a second look, some seconds later, finds exactly the same.
func (v *verifier) confirm(ctx context.Context, look func() ([]finding, error)) ([]finding, error) {
	last, err := look()
	for n := 1; n < maxChecks && err == nil && len(last) > 0; n++ {
		if err := v.Wait(ctx); err != nil {
			return nil, err
		}
		now, err := look()
		if err != nil {
			return nil, err
		}
		same := slices.DeleteFunc(slices.Clone(now), func(f finding) bool {
			return !slices.ContainsFunc(last, func(l finding) bool { return slices.Equal(l.differences, f.differences) })
		})
		if len(same) == len(now) || n == maxChecks-1 {
			return same, nil
		}
		last = now
	}
	return nil, err
}

// within returns a comparison of numbers that may differ by an amount, or by a part of themselves.
func within(amount, part float64) func(a, b any) bool {
	return func(a, b any) bool {
		x, isX := number(a)
		y, isY := number(b)
		return isX && isY && math.Abs(x-y) <= max(amount, part*max(math.Abs(x), math.Abs(y)))
	}
}

func equal(a, b any) bool { return a == b || exactly(a, b) }

var (
	exactly = within(0, 0)
	// oneStep is for values that are rounded to seven decimals: the logarithm of another platform may round the other way.
	oneStep = within(1.5e-7, 0)
	// nearly is for values whose last bits depend on the platform's power, or on a number's way through JSON.
	nearly = within(0, 1e-9)
)

// number is a value as a float, which is exact for counters: they stay below 2^53. Ids don't, and are compared as they are.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int64:
		if n > -1<<53 && n < 1<<53 {
			return float64(n), true
		}
	}
	return 0, false
}

// str is a text of a row, "" for NULL.
func str(v any) string { s, _ := v.(string); return s }

// text is a value as a report shows it.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		if r := []rune(v); len(r) > 100 {
			v = string(r[:99]) + "…"
		}
		return strconv.Quote(v)
	}
	return fmt.Sprint(v)
}

// join is a key of several columns as reports show it.
func join(keys []any) string {
	return strings.Join(mapped(keys, func(key any) string { return fmt.Sprint(key) }), ", ")
}

func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // of numbers and texts
	}
	return string(b)
}
