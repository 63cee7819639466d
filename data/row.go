package data

import (
	"fmt"
	"time"

	"plaza/data/wire/hrana"
)

// Row reads the columns of one row in their order: each call reads the next one. NULL is read as the zero value. A column of another type
// is an error of Run, and is read as the zero value.
type Row struct {
	table *hrana.Table
	cells []hrana.Cell
	next  int
	Err   error
	// packed are numbers of Unpack that were not read yet, with blanks between them.
	packed string

	db    *DB   // with where: for a Read
	where Where // the place that was read
}

// Shard is the shard or directory that was read.
func (r *Row) Shard() Where { return r.where }

// InOwnShard reports whether a row with that id belongs to the shard that was read. While a slot moves, two shards have the same rows, and
// the directory names one of them (ops/shards/mover). So lists of all shards leave the other's rows out. No list gets shorter by that: a
// row's predecessors on one shard also precede it in the whole list.
func (r *Row) InOwnShard(id ID) bool {
	if r.where.kind != onShard && r.where.kind != inDirectory {
		return true
	}
	r.db.mu.Lock()
	shard, moves := r.db.slots.rows[id.Slot()]
	r.db.mu.Unlock()
	return !moves || shard >= len(r.db.shards) || r.db.shards[shard] == r.db.client(r.where)
}

// Count returns how many rows the statement has found, including this one.
func (r *Row) Count() int { return r.table.Count }

// Fail makes err the error of Run, unless err is nil or there is an error already.
func (r *Row) Fail(err error) {
	if r.Err == nil {
		r.Err = err
	}
}

// cell returns the next column, NULL if there is none.
func (r *Row) cell() hrana.Cell {
	if r.packed != "" {
		r.Fail(fmt.Errorf("column %d has numbers that were not read: %s", r.next-1, r.packed))
	}
	if r.next >= len(r.cells) {
		r.Err = fmt.Errorf("row has %d columns, column %d was asked for", len(r.cells), r.next)
		r.next++
		return hrana.Cell{}
	}
	r.next++
	return r.cells[r.next-1]
}

// Value returns the next column as it is: nil, int64, float64, string or []byte.
func (r *Row) Value() any { return r.table.Value(r.cell()) }

// Unpack reads the next column: integers in one text, from SQLite's format('%d %d', …), which has 0 for NULL. The next calls of Int, ID,
// Bool and Time read these numbers. There Time returns the zero time for 0. All numbers must be read before the next column.
//
// A row of a page has up to twenty numbers. In columns of their own they are most of the response.
func (r *Row) Unpack() { r.packed = r.Text() }

// unpacked returns the next number of Unpack.
func (r *Row) unpacked() (n int64) {
	i, negative := 0, r.packed[0] == '-'
	if negative {
		i++
	}
	for ; i < len(r.packed) && r.packed[i] != ' '; i++ {
		digit := r.packed[i] - '0'
		if digit > 9 {
			r.Fail(fmt.Errorf("column %d has no numbers: %s", r.next-1, r.packed))
			r.packed = ""
			return 0
		}
		n = 10*n + int64(digit)
	}
	r.packed = r.packed[min(i+1, len(r.packed)):]
	if negative {
		return -n
	}
	return n
}

// Int returns the next column, an integer.
func (r *Row) Int() int64 {
	if r.packed != "" {
		return r.unpacked()
	}
	c := r.cell()
	if c.Kind != hrana.Integer && c.Kind != hrana.Null {
		r.misfit(c, "an integer")
		return 0
	}
	return c.Integer()
}

// ID returns the next column, an integer.
func (r *Row) ID() ID { return ID(r.Int()) }

// Bool returns the next column, an integer: everything except 0 is true.
func (r *Row) Bool() bool { return r.Int() != 0 }

// Time returns the next column, milliseconds since 1970, in UTC; the zero time for NULL.
func (r *Row) Time() time.Time {
	if r.packed != "" {
		if n := r.unpacked(); n != 0 {
			return Millis(n)
		}
		return time.Time{}
	}
	switch c := r.cell(); c.Kind {
	case hrana.Integer:
		return Millis(c.Integer())
	case hrana.Null:
		return time.Time{}
	default:
		r.misfit(c, "a time in milliseconds")
		return time.Time{}
	}
}

// Text returns the next column, a text.
func (r *Row) Text() string {
	switch c := r.cell(); c.Kind {
	case hrana.Text:
		return r.table.Text(c)
	case hrana.Null:
		return ""
	default:
		r.misfit(c, "text")
		return ""
	}
}

// Float returns the next column, a number.
func (r *Row) Float() float64 {
	switch c := r.cell(); c.Kind {
	case hrana.Float:
		return c.Float()
	case hrana.Integer:
		return float64(c.Integer())
	case hrana.Null:
		return 0
	default:
		r.misfit(c, "a number")
		return 0
	}
}

func (r *Row) misfit(c hrana.Cell, want string) {
	r.Fail(fmt.Errorf("column %d is %T, not %s", r.next-1, r.table.Value(c), want))
}

// each calls f for every row of a result. f may be nil, for rows without a reader.
func each(res hrana.Result, f func(*Row)) error { return eachOf(nil, Where{}, res, f) }

// eachOf is each for a result of a Read.
func eachOf(db *DB, where Where, res hrana.Result, f func(*Row)) error {
	if f == nil {
		return nil
	}
	r := &Row{table: &res.Table, db: db, where: where}
	for i := range res.Count {
		r.cells, r.next, r.packed = res.Row(i), 0, ""
		f(r)
		if r.packed != "" {
			r.Fail(fmt.Errorf("column %d has numbers that were not read: %s", r.next-1, r.packed))
		}
		if r.Err != nil {
			return r.Err
		}
	}
	return nil
}

// Record reads the next column: several values of a subquery, encoded by json_array from texts and integers. scan reads them like the
// columns of a row. It is not called for NULL, when the subquery has found nothing.
//
// A subquery returns one value. With a subquery for each value, each would look the same row up again.
func (r *Row) Record(scan func(*Row)) {
	text := r.Text()
	if text == "" {
		return
	}
	table, err := hrana.ReadArray(text)
	if err != nil {
		r.Fail(fmt.Errorf("column %d: %w", r.next-1, err))
		return
	}
	inner := &Row{table: &table, cells: table.Row(0)}
	scan(inner)
	r.Fail(inner.Err)
}
