package data

import (
	"fmt"
	"strconv"

	"plaza/data/wire/jsonscan"
)

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
