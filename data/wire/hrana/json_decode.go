package hrana

import (
	"fmt"
	"strconv"
	"strings"

	"plaza/data/wire/jsonscan"
)

// decoder reads the answers of the protocol in JSON.
type decoder struct {
	jsonscan.Scanner
	cells   []Cell // of all results so far
	escaped strings.Builder
}

func newDecoder(body string) *decoder {
	const size = 40 // a value takes about as many bytes
	return &decoder{Scanner: jsonscan.Scanner{In: body}, cells: make([]Cell, 0, len(body)/size)}
}

// decodeJSON reads the answer to the pipeline [batch, close], or with a statement beside the batch (marking). Every element is
// looked at: with HTTP 200 any of them can be an error. Texts of the result are slices of body wherever they hold no escape.
func decodeJSON(body string, steps int, as marking) (reply, error) {
	d := newDecoder(body)
	var out reply
	elements, requests := 0, requestsOf(as)
	var failed *Error
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		if key != "results" || d.Peek() != '[' {
			d.Skip()
			continue
		}
		elements = 0
		for ok := d.FirstItem(); ok; ok = d.NextItem() {
			batch, e := d.element()
			if e != nil && failed == nil && !as.spares(elements) {
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
		out.steps[i].Result.escaped = d.escaped.String()
	}
	return out, nil
}

// requestsOf is of how many requests a pipeline consists.
func requestsOf(as marking) int {
	if as != unmarked {
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
