package hrana

import (
	"encoding/base64"
	"strconv"
	"strings"

	"plaza/data/wire/jsonscan"
)

// result reads what one statement has returned.
func (d *decoder) result() Result {
	var r Result
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		switch {
		case key == "cols" && d.Peek() == '[':
			r.Columns = d.columns()
		case key == "rows" && d.Peek() == '[':
			r.Rows = d.rows(len(r.Columns))
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
	if d.Err == nil {
		for _, row := range r.Rows {
			if len(row) != len(r.Columns) {
				d.Fail("a row with another number of values than columns")
				break
			}
		}
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

// usualColumn reads the name of a column that is written as sqld writes it, to the byte. Of anything else it reads nothing.
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

// rows puts the values of rows into slices of a few large ones.
func (d *decoder) rows(width int) [][]any {
	rows := make([][]any, 0, 16)
	var slab, above []any
	for ok := d.FirstItem(); ok; ok = d.NextItem() {
		if cap(slab)-len(slab) < width {
			slab = make([]any, 0, width*min(max(len(rows), 4), 1024))
		}
		start := len(slab)
		for ok := d.FirstItem(); ok; ok = d.NextItem() {
			var same any
			if column := len(slab) - start; column < len(above) {
				same = above[column]
			}
			slab = append(slab, d.value(same))
		}
		above = slab[start:len(slab):len(slab)]
		rows = append(rows, above)
	}
	return rows
}

// usualValue reads a value that is written as sqld writes it, to the byte. Of anything else it reads nothing. If the value equals above, it
// is above, which takes no memory: rows often repeat what the row above them has.
func (d *decoder) usualValue(above any) (any, bool) {
	const (
		head    = `{"type":"`
		text    = `text","value":"`
		integer = `integer","value":"`
		float   = `float","value":`
		null    = `null"}`
	)
	if d.Err != nil || !strings.HasPrefix(d.In[d.Pos:], head) {
		return nil, false
	}
	s := d.In[d.Pos+len(head):]
	switch {
	case strings.HasPrefix(s, text):
		s = s[len(text):]
		n := strings.IndexByte(s, '"')
		if n < 0 || n+1 == len(s) || s[n+1] != '}' || strings.IndexByte(s[:n], '\\') >= 0 {
			return nil, false
		}
		d.Pos += len(head) + len(text) + n + 2
		if same, ok := above.(string); ok && same == s[:n] {
			return above, true
		}
		return s[:n], true
	case strings.HasPrefix(s, integer):
		s = s[len(integer):]
		n, i := int64(0), 0
		for i < len(s) && s[i]-'0' < 10 {
			n = 10*n + int64(s[i]-'0')
			i++
		}
		// 18 digits always fit. Negative numbers are rare.
		if i == 0 || i > 18 || i+2 > len(s) || s[i:i+2] != `"}` {
			return nil, false
		}
		d.Pos += len(head) + len(integer) + i + 2
		if same, ok := above.(int64); ok && same == n {
			return above, true
		}
		return n, true
	case strings.HasPrefix(s, null):
		d.Pos += len(head) + len(null)
		return nil, true
	case strings.HasPrefix(s, float):
		start := d.Pos
		d.Pos += len(head) + len(float)
		if c := d.At(); c == '-' || c >= '0' && c <= '9' {
			f, err := strconv.ParseFloat(d.Number(), 64)
			if err == nil && d.At() == '}' {
				d.Pos++
				return f, true
			}
		}
		d.Pos = start
	}
	return nil, false
}

// value reads a value. above is the one above it in the same column, or nil.
func (d *decoder) value(above any) any {
	if v, ok := d.usualValue(above); ok {
		return v
	}
	var kind, text, blob string
	var hasText, hasNumber, hasBlob bool
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		switch key {
		case "type":
			kind = d.Text()
		case "value":
			switch c := d.Peek(); {
			case c == '"':
				text, hasText, hasNumber = d.Text(), true, false
			case c == '-' || c >= '0' && c <= '9':
				text, hasText, hasNumber = d.Number(), false, true
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
		return nil
	}
	switch kind {
	case "text":
		if hasText {
			return text
		}
	case "integer":
		if hasText || hasNumber {
			if n, err := strconv.ParseInt(text, 10, 64); err == nil {
				return n
			}
		}
	case "null":
		return nil
	case "float":
		if hasNumber {
			if f, err := strconv.ParseFloat(text, 64); err == nil {
				return f
			}
		} else if !hasText {
			d.Fail("a float without a value: an infinity, which JSON cannot carry")
			return nil
		}
	case "blob":
		if hasBlob {
			for len(blob) > 0 && blob[len(blob)-1] == '=' {
				blob = blob[:len(blob)-1]
			}
			if b, err := base64.RawStdEncoding.DecodeString(blob); err == nil {
				return b
			}
		}
	}
	d.Fail("a value that is not what its type says")
	return nil
}

// integer reads a number, a number in quotes or null, which counts as 0.
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
