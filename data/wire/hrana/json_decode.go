package hrana

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"plaza/data/wire/jsonscan"
)

// decoder reads the answers of the protocol in JSON.
type decoder struct{ jsonscan.Scanner }

func newDecoder(body string) decoder { return decoder{jsonscan.Scanner{In: body}} }

// decodeJSON reads the answer to the pipeline [batch, close], or with a statement beside the batch (marking). Every element is
// looked at: with HTTP 200 any of them can be an error. Texts of the result are slices of body wherever they hold no escape.
func decodeJSON(body string, steps int, marked bool) (reply, error) {
	d := newDecoder(body)
	var out reply
	elements, requests := 0, requestsOf(marked)
	var failed *Error
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		if key != "results" || d.Peek() != '[' {
			d.Skip()
			continue
		}
		elements = 0
		for ok := d.FirstItem(); ok; ok = d.NextItem() {
			batch, e := d.element()
			if e != nil && failed == nil {
				failed = e
			}
			out.take(batch)
			elements++
		}
	}
	d.End()
	switch {
	case d.Err != nil:
		return reply{}, fmt.Errorf("cannot read the response: %w", d.Err)
	case failed != nil:
		return reply{}, failed
	case elements != requests:
		return reply{}, fmt.Errorf("the server sent %d results for %d requests", elements, requests)
	case len(out.steps) != steps:
		return reply{}, fmt.Errorf("the server answered %d of %d statements", len(out.steps), steps)
	}
	for i := range out.steps {
		if out.steps[i].Err != nil {
			out.steps[i].Err.Step = i
		}
	}
	return out, nil
}

// requestsOf is of how many requests a pipeline consists.
func requestsOf(marked bool) int {
	if marked {
		return 3
	}
	return 2
}

// take takes what one element says: the steps of a batch, or the index of a statement beside it.
func (r *reply) take(said reply) {
	if r.steps == nil {
		r.steps = said.steps
	}
	if r.index == 0 {
		r.index = said.index
	}
}

// element reads {"type":"ok","response":{...}} or {"type":"error","error":{...}}.
func (d *decoder) element() (reply, *Error) {
	var kind string
	var out reply
	var failed *Error
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		switch {
		case key == "type":
			kind = d.Text()
		case key == "error" && d.Peek() == '{':
			failed = d.error()
		case key == "response" && d.Peek() == '{':
			for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
				if key == "result" && d.Peek() == '{' {
					out = d.batch()
				} else {
					d.Skip()
				}
			}
		default:
			d.Skip()
		}
	}
	switch {
	case d.Err != nil || kind == "ok":
		return out, nil
	case kind == "error" && failed != nil:
		return reply{}, failed
	}
	d.Fail("a result that is neither ok nor an error")
	return reply{}, nil
}

func (d *decoder) error() *Error {
	e := &Error{Step: -1}
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		switch {
		case key == "message" && d.Peek() == '"':
			e.Message = d.Text()
		case key == "code" && d.Peek() == '"':
			e.Code = d.Text()
		default:
			d.Skip()
		}
	}
	return e
}

// batch reads the result of a batch. Of a statement beside it, it reads the index. That of a batch does not count, because it would be in
// this encoding alone.
func (d *decoder) batch() reply {
	var out []StepResult
	var index uint64
	var errs []*Error
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		switch {
		case key == "step_results" && d.Peek() == '[':
			out = out[:0]
			for ok := d.FirstItem(); ok; ok = d.NextItem() {
				if d.Peek() == 'n' {
					d.Skip()
					out = append(out, StepResult{Skipped: true})
				} else {
					out = append(out, StepResult{Result: d.result()})
				}
			}
		case key == "step_errors" && d.Peek() == '[':
			errs = errs[:0]
			for ok := d.FirstItem(); ok; ok = d.NextItem() {
				if d.Peek() == 'n' {
					d.Skip()
					errs = append(errs, nil)
				} else {
					errs = append(errs, d.error())
				}
			}
		case key == "replication_index" && d.Peek() == '"':
			index, _ = strconv.ParseUint(d.Text(), 10, 64) // what can't be read is unknown
		default:
			d.Skip()
		}
	}
	if d.Err != nil {
		return reply{}
	}
	if out == nil && errs == nil {
		return reply{index: index}
	}
	if len(errs) != len(out) {
		d.Fail("a batch with different numbers of results and errors")
		return reply{}
	}
	for i, e := range errs {
		if e != nil {
			out[i] = StepResult{Result: out[i].Result, Err: e}
		}
	}
	return reply{steps: out}
}

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
