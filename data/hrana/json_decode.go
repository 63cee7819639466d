package hrana

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// decodeJSON reads the answer to the pipeline [batch, close]. Every element is looked at: with HTTP 200 any of them
// can be an error. Texts of the result are slices of body wherever they hold no escape.
func decodeJSON(body string, steps int) ([]StepResult, error) {
	d := decoder{s: body}
	var out []StepResult
	elements := 0
	var failed *Error
	for key, ok := d.firstKey(); ok; key, ok = d.nextKey() {
		if key != "results" || d.peek() != '[' {
			d.skip()
			continue
		}
		elements = 0
		for ok := d.firstItem(); ok; ok = d.nextItem() {
			batch, e := d.element()
			if e != nil && failed == nil {
				failed = e
			}
			if elements == 0 {
				out = batch
			}
			elements++
		}
	}
	d.end()
	switch {
	case d.err != nil:
		return nil, d.err
	case failed != nil:
		return nil, failed
	case elements != 2:
		return nil, fmt.Errorf("the server sent %d results for 2 requests", elements)
	case len(out) != steps:
		return nil, fmt.Errorf("the server answered %d of %d statements", len(out), steps)
	}
	for i := range out {
		if out[i].Err != nil {
			out[i].Err.Step = i
		}
	}
	return out, nil
}

// element reads {"type":"ok","response":{...}} or {"type":"error","error":{...}}.
func (d *decoder) element() ([]StepResult, *Error) {
	var kind string
	var out []StepResult
	var failed *Error
	for key, ok := d.firstKey(); ok; key, ok = d.nextKey() {
		switch {
		case key == "type":
			kind = d.text()
		case key == "error" && d.peek() == '{':
			failed = d.error()
		case key == "response" && d.peek() == '{':
			for key, ok := d.firstKey(); ok; key, ok = d.nextKey() {
				if key == "result" && d.peek() == '{' {
					out = d.batch()
				} else {
					d.skip()
				}
			}
		default:
			d.skip()
		}
	}
	switch {
	case d.err != nil || kind == "ok":
		return out, nil
	case kind == "error" && failed != nil:
		return nil, failed
	}
	d.fail("a result that is neither ok nor an error")
	return nil, nil
}

func (d *decoder) error() *Error {
	e := &Error{Step: -1}
	for key, ok := d.firstKey(); ok; key, ok = d.nextKey() {
		switch {
		case key == "message" && d.peek() == '"':
			e.Message = d.text()
		case key == "code" && d.peek() == '"':
			e.Code = d.text()
		default:
			d.skip()
		}
	}
	return e
}

func (d *decoder) batch() []StepResult {
	var out []StepResult
	var errs []*Error
	for key, ok := d.firstKey(); ok; key, ok = d.nextKey() {
		switch {
		case key == "step_results" && d.peek() == '[':
			out = out[:0]
			for ok := d.firstItem(); ok; ok = d.nextItem() {
				if d.peek() == 'n' {
					d.skip()
					out = append(out, StepResult{Skipped: true})
				} else {
					out = append(out, StepResult{Result: d.result()})
				}
			}
		case key == "step_errors" && d.peek() == '[':
			errs = errs[:0]
			for ok := d.firstItem(); ok; ok = d.nextItem() {
				if d.peek() == 'n' {
					d.skip()
					errs = append(errs, nil)
				} else {
					errs = append(errs, d.error())
				}
			}
		default:
			d.skip()
		}
	}
	if d.err != nil {
		return nil
	}
	if len(errs) != len(out) {
		d.fail("a batch with different numbers of results and errors")
		return nil
	}
	for i, e := range errs {
		if e != nil {
			out[i] = StepResult{Result: out[i].Result, Err: e}
		}
	}
	return out
}

func (d *decoder) result() Result {
	var r Result
	for key, ok := d.firstKey(); ok; key, ok = d.nextKey() {
		switch {
		case key == "cols" && d.peek() == '[':
			r.Columns = d.columns()
		case key == "rows" && d.peek() == '[':
			r.Rows = d.rows(len(r.Columns))
		case key == "affected_row_count":
			r.RowsAffected = d.integer()
		case key == "last_insert_rowid":
			r.LastInsertRowID = d.integer()
		case key == "rows_read":
			r.RowsRead = d.integer()
		case key == "rows_written":
			r.RowsWritten = d.integer()
		default:
			d.skip()
		}
	}
	if d.err == nil {
		for _, row := range r.Rows {
			if len(row) != len(r.Columns) {
				d.fail("a row with another number of values than columns")
				break
			}
		}
	}
	return r
}

func (d *decoder) columns() []string {
	cols := make([]string, 0, 16)
	for ok := d.firstItem(); ok; ok = d.nextItem() {
		name := ""
		for key, ok := d.firstKey(); ok; key, ok = d.nextKey() {
			if key == "name" && d.peek() == '"' {
				name = d.text()
			} else {
				d.skip()
			}
		}
		cols = append(cols, name)
	}
	return cols
}

// rows puts the values of rows into slices of a few large ones.
func (d *decoder) rows(width int) [][]any {
	rows := make([][]any, 0, 16)
	var slab []any
	for ok := d.firstItem(); ok; ok = d.nextItem() {
		if cap(slab)-len(slab) < width {
			slab = make([]any, 0, width*min(max(len(rows), 4), 1024))
		}
		start := len(slab)
		for ok := d.firstItem(); ok; ok = d.nextItem() {
			slab = append(slab, d.value())
		}
		rows = append(rows, slab[start:len(slab):len(slab)])
	}
	return rows
}

// usualValue reads a value that is written as sqld writes it, to the byte. Of anything else it reads nothing.
func (d *decoder) usualValue() (any, bool) {
	const (
		head    = `{"type":"`
		text    = `text","value":"`
		integer = `integer","value":"`
		float   = `float","value":`
		null    = `null"}`
	)
	if d.err != nil || !strings.HasPrefix(d.s[d.i:], head) {
		return nil, false
	}
	s := d.s[d.i+len(head):]
	switch {
	case strings.HasPrefix(s, text):
		s = s[len(text):]
		n := strings.IndexByte(s, '"')
		if n < 0 || n+1 == len(s) || s[n+1] != '}' || strings.IndexByte(s[:n], '\\') >= 0 {
			return nil, false
		}
		d.i += len(head) + len(text) + n + 2
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
		d.i += len(head) + len(integer) + i + 2
		return n, true
	case strings.HasPrefix(s, null):
		d.i += len(head) + len(null)
		return nil, true
	case strings.HasPrefix(s, float):
		start := d.i
		d.i += len(head) + len(float)
		if c := d.at(); c == '-' || c >= '0' && c <= '9' {
			f, err := strconv.ParseFloat(d.number(), 64)
			if err == nil && d.at() == '}' {
				d.i++
				return f, true
			}
		}
		d.i = start
	}
	return nil, false
}

func (d *decoder) value() any {
	if v, ok := d.usualValue(); ok {
		return v
	}
	var kind, text, blob string
	var hasText, hasNumber, hasBlob bool
	for key, ok := d.firstKey(); ok; key, ok = d.nextKey() {
		switch key {
		case "type":
			kind = d.text()
		case "value":
			switch c := d.peek(); {
			case c == '"':
				text, hasText, hasNumber = d.text(), true, false
			case c == '-' || c >= '0' && c <= '9':
				text, hasText, hasNumber = d.number(), false, true
			default:
				d.skip()
				hasText, hasNumber = false, false
			}
		case "base64":
			blob, hasBlob = d.text(), true
		default:
			d.skip()
		}
	}
	if d.err != nil {
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
			d.fail("a float without a value: an infinity, which JSON cannot carry")
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
	d.fail("a value that is not what its type says")
	return nil
}

// integer reads a number, a number in quotes or null, which counts as 0.
func (d *decoder) integer() int64 {
	var text string
	switch d.peek() {
	case 'n':
		d.skip()
		return 0
	case '"':
		text = d.text()
	default:
		text = d.number()
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		d.fail("a count that is not an integer")
	}
	return n
}
