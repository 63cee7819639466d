package hrana

import (
	"math"
	"strconv"
	"strings"

	"plaza/data/wire/jsonscan"
)

// Table holds the values of the rows of a result. One allocation, without pointers, has all of them: a page has hundreds of values, and
// as an any each would be allocated separately.
type Table struct {
	Count int // of rows

	cells   []Cell // row by row
	body    string // the response, which contains the texts
	escaped string // texts that are encoded in the response: with escapes, or in base64
}

// Compact returns a copy that keeps only its own values in memory, and not the response. A cached result of a few rows would otherwise
// keep the whole response of a page.
func (t Table) Compact() Table {
	if t.Count == 0 {
		return Table{}
	}
	var length uint64
	for _, c := range t.cells {
		if c.Kind == Text || c.Kind == Blob {
			length += c.bits
		}
	}
	cells := make([]Cell, len(t.cells))
	var texts strings.Builder
	texts.Grow(int(length))
	for i, c := range t.cells {
		if c.Kind == Text || c.Kind == Blob {
			text := t.Text(c)
			c.at, c.escaped = uint32(texts.Len()), false
			texts.WriteString(text)
		}
		cells[i] = c
	}
	return Table{Count: t.Count, cells: cells, body: texts.String()}
}

// Kind is a type of SQLite.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Integer
	Float
	Text
	Blob
)

// Cell is a value of a Table.
type Cell struct {
	Kind    Kind
	escaped bool   // the text is in Table.escaped
	at      uint32 // where the text or the blob begins
	bits    uint64 // the integer, the bits of the float, the length of the text or the blob
}

func integerCell(n int64) Cell { return Cell{Kind: Integer, bits: uint64(n)} }

func floatCell(f float64) Cell { return Cell{Kind: Float, bits: math.Float64bits(f)} }

// Integer returns the value of a cell whose kind is Integer.
func (c Cell) Integer() int64 { return int64(c.bits) }

// Float returns the value of a cell whose kind is Float.
func (c Cell) Float() float64 { return math.Float64frombits(c.bits) }

// Row is the cells of row i, from 0.
func (t *Table) Row(i int) []Cell {
	width := len(t.cells) / t.Count
	return t.cells[i*width : (i+1)*width]
}

// Text returns the value of a cell of this table whose kind is Text or Blob.
func (t *Table) Text(c Cell) string {
	from := t.body
	if c.escaped {
		from = t.escaped
	}
	return from[c.at : uint64(c.at)+c.bits]
}

// Value returns the value of a cell of this table: nil, int64, float64, string or []byte.
func (t *Table) Value(c Cell) any {
	switch c.Kind {
	case Integer:
		return c.Integer()
	case Float:
		return c.Float()
	case Text:
		return t.Text(c)
	case Blob:
		return []byte(t.Text(c))
	default:
		return nil
	}
}

// Rows returns the values of all rows, as Value does. Pages read a Table instead.
func (t Table) Rows() [][]any {
	rows := make([][]any, t.Count)
	values := make([]any, len(t.cells))
	for i, c := range t.cells {
		values[i] = t.Value(c)
	}
	for i := range rows {
		width := len(t.cells) / t.Count
		rows[i] = values[i*width : (i+1)*width : (i+1)*width]
	}
	return rows
}

// ReadArray parses a JSON array of texts, integers and null, from SQLite's json_array. It is a table of one row.
func ReadArray(text string) (Table, error) {
	d := decoder{Scanner: jsonscan.Scanner{In: text}, cells: make([]Cell, 0, 4)}
	for ok := d.FirstItem(); ok; ok = d.NextItem() {
		switch d.Peek() {
		case '"':
			d.cells = append(d.cells, d.text())
		case 'n':
			d.Word("null")
			d.cells = append(d.cells, Cell{})
		default:
			n, err := strconv.ParseInt(d.Number(), 10, 64)
			if err != nil {
				d.Fail("expected an integer")
			}
			d.cells = append(d.cells, integerCell(n))
		}
	}
	d.End()
	return Table{Count: 1, cells: d.cells, body: text, escaped: d.escaped.String()}, d.Err
}
