package hrana

import (
	"fmt"
	"strconv"
	"strings"

	"plaza/data/wire/jsonscan"
)

// decoder parses the responses of the protocol.
type decoder struct {
	jsonscan.Scanner
	cells   []Cell // of all results so far
	escaped strings.Builder
}

func newDecoder(body string) *decoder {
	const size = 40 // a value takes about as many bytes
	return &decoder{Scanner: jsonscan.Scanner{In: body}, cells: make([]Cell, 0, len(body)/size)}
}

// decode parses the response to the pipeline [batch, close], or to one with a statement ahead of the batch. It checks every element: with
// HTTP 200 any of them can be an error. The index is that of the first element. Texts of the result are slices of body unless they have
// an escape.
func decode(body string, steps int, ahead bool) (reply, error) {
	d := newDecoder(body)
	var out reply
	elements, requests := 0, 2
	if ahead {
		requests = 3
	}
	var failed *Error
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		switch {
		case key == "results" && d.Peek() == '[':
			elements = 0
			for ok := d.FirstItem(); ok; ok = d.NextItem() {
				stepResults, index, e := d.element()
				if e != nil && failed == nil {
					failed = e
				}
				if out.steps == nil {
					out.steps = stepResults
				}
				if elements == 0 {
					out.index = index
				}
				elements++
			}
		case key == "baton" && d.Peek() == '"':
			out.baton = strings.Clone(d.Text())
		case key == "base_url" && d.Peek() == '"':
			out.baseURL = strings.Clone(d.Text())
		default:
			d.Skip()
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
		return reply{}, fmt.Errorf("the server sent results for %d of %d statements", len(out.steps), steps)
	}
	for i := range out.steps {
		if out.steps[i].Err != nil {
			out.steps[i].Err.Step = i
		}
		out.steps[i].Result.escaped = d.escaped.String()
	}
	return out, nil
}

// element parses {"type":"ok","response":{...}} or {"type":"error","error":{...}}.
func (d *decoder) element() (steps []StepResult, index uint64, failed *Error) {
	var kind string
	for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
		switch {
		case key == "type":
			kind = d.Text()
		case key == "error" && d.Peek() == '{':
			failed = d.error()
		case key == "response" && d.Peek() == '{':
			for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
				if key == "result" && d.Peek() == '{' {
					steps, index = d.batch()
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
		return steps, index, nil
	case kind == "error" && failed != nil:
		return nil, 0, failed
	}
	d.Fail("a result that is neither ok nor an error")
	return nil, 0, nil
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

// batch parses the result of a batch. For a statement ahead of it, it reads only the index, which both have.
func (d *decoder) batch() (out []StepResult, index uint64) {
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
			index, _ = strconv.ParseUint(d.Text(), 10, 64) // an invalid index is unknown
		default:
			d.Skip()
		}
	}
	if len(errs) != len(out) {
		d.Fail("a batch with different numbers of results and errors")
		return nil, 0
	}
	for i, e := range errs {
		if e != nil {
			out[i] = StepResult{Result: out[i].Result, Err: e}
		}
	}
	return out, index
}
