package hrana

import (
	"encoding/base64"
	"strconv"
	"strings"

	"plaza/data/wire/jsonscan"
)

// otherWidth is the error for a result whose rows don't have as many values as columns.
const otherWidth = "a row with another number of values than columns"

// result parses the result of one statement.
func (d *decoder) result() Result {
	var r Result
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		switch {
		case key == "cols" && d.Peek() == '[':
			r.Columns = d.columns()
		case key == "rows" && d.Peek() == '[':
			r.Table = d.rows()
		case key == "affected_row_count":
			r.RowsAffected = d.integer()
		case key == "last_insert_rowid":
			r.LastInsertRowID = d.integer()
		case key == "rows_read":
			r.RowsRead = d.integer()
		case key == "rows_written":
			r.RowsWritten = d.integer()
		case key == "query_duration_ms" && d.Peek() != 'n':
			ms, err := strconv.ParseFloat(d.Number(), 64)
			if err != nil {
				d.Fail("a duration that is not a number")
			}
			r.Took = took(ms)
		default:
			d.Skip()
		}
	}
	if d.Err == nil && len(r.cells) != r.Count*len(r.Columns) {
		d.Fail(otherWidth)
	}
	return r
}

func (d *decoder) columns() []string {
	cols := make([]string, 0, 16)
	for ok := d.FirstItem(); ok; ok = d.NextItem() {
		name, usual := d.usualColumn()
		if usual {
			cols = append(cols, name)
			continue
		}
		for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
			if key == "name" && d.Peek() == '"' {
				name = d.Text()
			} else {
				d.Skip()
			}
		}
		cols = append(cols, name)
	}
	return cols
}

// usualColumn parses the name of a column in the exact spelling of sqld. Otherwise it reads nothing.
func (d *decoder) usualColumn() (name string, ok bool) {
	const (
		head  = `{"name":"`
		typed = `","decltype":"`
		plain = `","decltype":null}`
	)
	if d.Err != nil || !strings.HasPrefix(d.In[d.Pos:], head) {
		return "", false
	}
	s := d.In[d.Pos+len(head):]
	n := jsonscan.Unescaped(s)
	end := n + len(plain)
	if !strings.HasPrefix(s[n:], plain) {
		if !strings.HasPrefix(s[n:], typed) {
			return "", false
		}
		end = n + len(typed)
		end += jsonscan.Unescaped(s[end:])
		if !strings.HasPrefix(s[end:], `"}`) {
			return "", false
		}
		end += len(`"}`)
	}
	d.Pos += len(head) + end
	return s[:n], true
}

// rows parses rows. decode adds the texts with escapes to the table at the end of the response.
func (d *decoder) rows() Table {
	start, width := len(d.cells), 0
	t := Table{body: d.In}
	for ok := d.FirstItem(); ok; ok = d.NextItem() {
		row := len(d.cells)
		for ok := d.FirstItem(); ok; ok = d.NextItem() {
			d.cells = append(d.cells, d.value())
		}
		if n := len(d.cells) - row; t.Count == 0 {
			width = n
		} else if n != width {
			d.Fail(otherWidth)
		}
		t.Count++
	}
	t.cells = d.cells[start:len(d.cells):len(d.cells)]
	return t
}

// usualValue parses a value in the exact spelling of sqld. Otherwise it reads nothing. The first letter of the type selects the
// comparison, because each comparison is a call in Wasm.
func (d *decoder) usualValue() (Cell, bool) {
	const (
		text    = `{"type":"text","value":"`
		integer = `{"type":"integer","value":"`
		float   = `{"type":"float","value":`
		null    = `{"type":"null"}`
		letter  = len(`{"type":"`)
	)
	s := d.In[d.Pos:]
	if d.Err != nil || len(s) < len(null) {
		return Cell{}, false
	}
	switch s[letter] {
	case 't':
		if !strings.HasPrefix(s, text) {
			return Cell{}, false
		}
		start, at := d.Pos, d.Pos+len(text)
		n := jsonscan.Unescaped(d.In[at:])
		if at+n+1 < len(d.In) && d.In[at+n] == '"' && d.In[at+n+1] == '}' {
			d.Pos = at + n + 2
			return Cell{Kind: Text, at: uint32(at), bits: uint64(n)}, true
		}
		d.Pos = at - 1
		if c := d.text(); d.At() == '}' {
			d.Pos++
			return c, true
		}
		d.Pos = start
	case 'i':
		if !strings.HasPrefix(s, integer) {
			return Cell{}, false
		}
		s = s[len(integer):]
		n, i := int64(0), 0
		for i < len(s) && s[i]-'0' < 10 {
			n = 10*n + int64(s[i]-'0')
			i++
		}
		// 18 digits always fit. Negative numbers are rare.
		if i == 0 || i > 18 || i+2 > len(s) || s[i] != '"' || s[i+1] != '}' {
			return Cell{}, false
		}
		d.Pos += len(integer) + i + 2
		return integerCell(n), true
	case 'n':
		if !strings.HasPrefix(s, null) {
			return Cell{}, false
		}
		d.Pos += len(null)
		return Cell{}, true
	case 'f':
		if !strings.HasPrefix(s, float) {
			return Cell{}, false
		}
		start := d.Pos
		d.Pos += len(float)
		if c := d.At(); c == '-' || c >= '0' && c <= '9' {
			f, err := strconv.ParseFloat(d.Number(), 64)
			if err == nil && d.At() == '}' {
				d.Pos++
				return floatCell(f), true
			}
		}
		d.Pos = start
	}
	return Cell{}, false
}

// value parses a value.
func (d *decoder) value() Cell {
	if c, ok := d.usualValue(); ok {
		return c
	}
	var kind, number, blob string
	var text Cell
	var hasText, hasNumber, hasBlob bool
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		switch key {
		case "type":
			kind = d.Text()
		case "value":
			switch c := d.Peek(); {
			case c == '"':
				text, hasText, hasNumber = d.text(), true, false
			case c == '-' || c >= '0' && c <= '9':
				number, hasText, hasNumber = d.Number(), false, true
			default:
				d.Skip()
				hasText, hasNumber = false, false
			}
		case "base64":
			blob, hasBlob = d.Text(), true
		default:
			d.Skip()
		}
	}
	if d.Err != nil {
		return Cell{}
	}
	switch kind {
	case "text":
		if hasText {
			return text
		}
	case "integer":
		if hasText {
			number = (&Table{body: d.In, escaped: d.escaped.String()}).Text(text)
		}
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			return integerCell(n)
		}
	case "null":
		return Cell{}
	case "float":
		if hasNumber {
			if f, err := strconv.ParseFloat(number, 64); err == nil {
				return floatCell(f)
			}
		} else if !hasText {
			d.Fail("a float without a value: an infinity, which JSON can't encode")
			return Cell{}
		}
	case "blob":
		if hasBlob {
			for len(blob) > 0 && blob[len(blob)-1] == '=' {
				blob = blob[:len(blob)-1]
			}
			if b, err := base64.RawStdEncoding.DecodeString(blob); err == nil {
				at := d.escaped.Len()
				d.escaped.Write(b)
				return Cell{Kind: Blob, escaped: true, at: uint32(at), bits: uint64(len(b))}
			}
		}
	}
	d.Fail("a value that is not what its type says")
	return Cell{}
}

func (d *decoder) text() Cell {
	from, to, escaped := d.Place(&d.escaped)
	return Cell{Kind: Text, escaped: escaped, at: uint32(from), bits: uint64(to - from)}
}

// integer parses a number, a number in quotes or null, which counts as 0.
func (d *decoder) integer() int64 {
	var text string
	switch d.Peek() {
	case 'n':
		d.Skip()
		return 0
	case '"':
		text = d.Text()
	default:
		text = d.Number()
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		d.Fail("a count that is not an integer")
	}
	return n
}
