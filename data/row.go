package data

import (
	"fmt"
	"strconv"
	"time"

	"plaza/data/wire/hrana"
	"plaza/data/wire/jsonscan"
)

// Row reads the columns of one row in their order: each call takes the next one. NULL is read as the zero value. A
// column of another type than asked for is an error of Run, and is read as the zero value.
type Row struct {
	values []any
	next   int
	count  int
	Err    error
}

// Count is how many rows the statement has found, this one included.
func (r *Row) Count() int { return r.count }

// Fail makes err the error of Run, unless err is nil or there is an error already.
func (r *Row) Fail(err error) {
	if r.Err == nil {
		r.Err = err
	}
}

// Value is the next column as it is: nil, int64, float64, string or []byte.
func (r *Row) Value() any {
	if r.next >= len(r.values) {
		r.Err = fmt.Errorf("row has %d columns, column %d was asked for", len(r.values), r.next)
		r.next++
		return nil
	}
	v := r.values[r.next]
	r.next++
	return v
}

// Int is the next column, an integer.
func (r *Row) Int() int64 {
	switch v := r.Value().(type) {
	case int64:
		return v
	case nil:
		return 0
	default:
		r.misfit(v, "an integer")
		return 0
	}
}

// ID is the next column, an integer.
func (r *Row) ID() ID { return ID(r.Int()) }

// Bool is the next column, an integer: everything but 0 is true.
func (r *Row) Bool() bool { return r.Int() != 0 }

// Time is the next column, milliseconds since 1970, in UTC; the zero time for NULL.
func (r *Row) Time() time.Time {
	switch v := r.Value().(type) {
	case int64:
		return Millis(v)
	case nil:
		return time.Time{}
	default:
		r.misfit(v, "a time in milliseconds")
		return time.Time{}
	}
}

// Text is the next column, a text.
func (r *Row) Text() string {
	switch v := r.Value().(type) {
	case string:
		return v
	case nil:
		return ""
	default:
		r.misfit(v, "text")
		return ""
	}
}

// Float is the next column, a number.
func (r *Row) Float() float64 {
	switch v := r.Value().(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case nil:
		return 0
	default:
		r.misfit(v, "a number")
		return 0
	}
}

func (r *Row) misfit(v any, want string) {
	r.Fail(fmt.Errorf("column %d is %T, not %s", r.next-1, v, want))
}

// each calls f for every row of a result. f may be nil, for rows that nobody wants.
func each(res hrana.Result, f func(*Row)) error {
	if f == nil {
		return nil
	}
	r := &Row{count: len(res.Rows)}
	for _, values := range res.Rows {
		r.values, r.next = values, 0
		f(r)
		if r.Err != nil {
			return r.Err
		}
	}
	return nil
}

// Record reads the next column: several values that a subquery has found, as json_array makes them of texts and integers. scan reads them
// like the columns of a row. For NULL, where the subquery has found nothing, it is not called.
//
// A subquery gives one value. Each of them in a subquery of its own would look the same row up again.
func (r *Row) Record(scan func(*Row)) {
	text := r.Text()
	if text == "" {
		return
	}
	values, err := valuesOf(text)
	if err != nil {
		r.Fail(fmt.Errorf("column %d: %w", r.next-1, err))
		return
	}
	inner := &Row{values: values, count: 1}
	scan(inner)
	r.Fail(inner.Err)
}

// valuesOf reads a JSON array of texts, integers and null.
func valuesOf(text string) (values []any, err error) {
	s := jsonscan.Scanner{In: text}
	values = make([]any, 0, 4)
	for ok := s.FirstItem(); ok; ok = s.NextItem() {
		switch s.Peek() {
		case '"':
			values = append(values, s.Text())
		case 'n':
			s.Word("null")
			values = append(values, nil)
		default:
			n, err := strconv.ParseInt(s.Number(), 10, 64)
			if err != nil {
				s.Fail("expected an integer")
			}
			values = append(values, n)
		}
	}
	s.End()
	return values, s.Err
}
