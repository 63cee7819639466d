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
	Column   string // "row" if the whole row is missing or must not exist
	Stored   string
	Computed string
	Repaired bool
	// NotRepaired is the reason why Options.Repair did not repair it.
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

// column is a column that a check compares.
type column struct {
	name     string
	computed string                          // an expression of row x: the correct value
	stored   string                          // an expression of row x that is compared with it; "": the column
	same     func(stored, computed any) bool // nil: equal
	// unrepairable is why a wrong value can't be repaired, such as that the row that it names is gone. "" if it can be computed.
	unrepairable string
	// storedText and computedText are what a report shows instead of the values.
	storedText, computedText string
	show                     func(value any) string // how a report shows values; nil: text
}

func columnsOf(names ...string) []column {
	return mapSlice(names, func(name string) column { return column{name: name} })
}

// compare returns the differences in a row with this key. values are the stored and the computed value of each column in turn, or nil.
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
				Stored: cmp.Or(c.storedText, show(stored)), Computed: cmp.Or(c.computedText, show(computed)), NotRepaired: c.unrepairable})
		}
	}
	return found
}

// A finding is the differences in one row, and how to repair them.
type finding struct {
	differences []Difference
	repair      repair
}

// repair repairs a row. If it leaves the row as it is, skipped is the reason.
type repair func(context.Context) (skipped string, err error)

// finding returns a finding of one column.
func (db *database) finding(table string, key any, column, stored, computed string, how repair) finding {
	d := Difference{Database: db.name, Table: table, Key: fmt.Sprint(key), Column: column, Stored: stored, Computed: computed}
	return finding{[]Difference{d}, how}
}

// findings returns one finding with the differences in a row (compare), or none.
func (db *database) findings(table string, key []any, columns []column, values []any, how repair) []finding {
	if differ := db.compare(table, key, columns, values); len(differ) > 0 {
		return []finding{{differ, how}}
	}
	return nil
}

// by returns a repair by one statement.
func (v *verifier) by(db *database, statement string, args ...hrana.Named) repair {
	return func(ctx context.Context) (string, error) {
		_, err := v.write(ctx, db, statement, args...)
		return skipIfTaken(err)
	}
}

// unrepairable returns a repair that leaves the row as it is, for this reason.
func unrepairable(why string) repair {
	return func(context.Context) (string, error) { return why, nil }
}

// skipIfTaken returns a reason to skip the repair if err says that another row has the key. So two accounts whose email addresses have the
// same key both stay.
func skipIfTaken(err error) (string, error) {
	if hrana.IsUnique(err) {
		return "another row already has this value; if it is an email address, the member can still log in with the username", nil
	}
	return "", err
}

// reportOrRepair repairs findings, if Options.Repair is set, and reports them.
func (v *verifier) reportOrRepair(ctx context.Context, list ...finding) error {
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

// report counts differences and calls Found. With Options.Repair, one without a reason in NotRepaired has been repaired.
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

// maxChecks bounds how often confirm reads.
const maxChecks = 4

// confirm returns the findings that two reads in a row had in common. Two servers can't be read at the same moment, so a difference
// between them is reported only if a second read, some seconds later, finds exactly the same.
func (v *verifier) confirm(ctx context.Context, read func() ([]finding, error)) ([]finding, error) {
	last, err := read()
	for n := 1; n < maxChecks && err == nil && len(last) > 0; n++ {
		if err := v.Wait(ctx); err != nil {
			return nil, err
		}
		now, err := read()
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

// within returns a comparison of numbers that may differ by an amount, or by a part of the larger one.
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
	// oneStep is for values with seven decimals: another platform's logarithm may round the other way.
	oneStep = within(1.5e-7, 0)
	// nearly is for values whose last bits depend on the platform's math.Pow, or on JSON.
	nearly = within(0, 1e-9)
)

// number returns a value as a float, which is exact for counters: they stay below 2^53. Ids don't, and equal compares them as integers.
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

// str returns a text of a row, "" for NULL.
func str(v any) string { s, _ := v.(string); return s }

// text returns a value as a report shows it.
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

// join returns a key of several columns as reports show it.
func join(keys []any) string {
	return strings.Join(mapSlice(keys, func(key any) string { return fmt.Sprint(key) }), ", ")
}

func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // impossible: v has only numbers and texts
	}
	return string(b)
}
