package upstash

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// maxDepth is how deep lists may nest; Redis's own replies stay below ten.
const maxDepth = 64

// decoder reads the JSON of one response in a single pass. All texts go into one builder that is grown once, so a list
// of a hundred members costs two allocations.
type decoder struct {
	in      []byte
	pos     int
	texts   strings.Builder
	scratch []byte
}

func newDecoder(body []byte) *decoder {
	return &decoder{in: body}
}

// document reads {"result": …} or {"error": "…"} and expects nothing behind it.
func (d *decoder) document() (Reply, error) {
	r, err := d.outcome(0)
	if d.peek(); err == nil && d.pos < len(d.in) {
		err = d.bad("more after the end")
	}
	return r, err
}

// documents reads an array of outcomes, about n of them. A single error in its place, which is how a transaction is
// discarded, is returned as the error.
func (d *decoder) documents(n int) ([]Reply, error) {
	if d.peek() == '{' {
		r, err := d.document()
		if err == nil {
			if err = r.Err(); err == nil {
				err = d.bad("one result for a batch")
			}
		}
		return nil, err
	}
	replies, err := d.elements(make([]Reply, 0, n), func() (Reply, error) { return d.outcome(0) })
	if d.peek(); err == nil && d.pos < len(d.in) {
		err = d.bad("more after the end")
	}
	return replies, err
}

// outcome reads an object with "result" or "error"; other members are skipped. An error that is null counts as none,
// for a server that sends both.
func (d *decoder) outcome(depth int) (Reply, error) {
	if !d.take('{') {
		return Reply{}, d.bad("no object")
	}
	var out Reply
	var fail *Error
	var seen bool
	for first := true; !d.take('}'); first = false {
		if !first && !d.take(',') {
			return out, d.bad("no comma between members")
		}
		key, err := d.rawString()
		if err != nil {
			return out, err
		}
		name := string(key)
		if !d.take(':') {
			return out, d.bad("no colon after a name")
		}
		switch name {
		case "result":
			out, err = d.value(depth + 1)
			seen = true
		case "error":
			if d.peek() == 'n' {
				err = d.word("null")
				break
			}
			var message []byte
			if message, err = d.rawString(); err == nil {
				fail = &Error{Status: 200, Message: string(message)}
				seen = true
			}
		default:
			err = d.skip(depth + 1)
		}
		if err != nil {
			return out, err
		}
	}
	if !seen {
		return out, d.bad("neither result nor error")
	}
	if fail != nil {
		return Reply{kind: kindError, err: fail}, nil
	}
	return out, nil
}

func (d *decoder) value(depth int) (Reply, error) {
	if depth > maxDepth {
		return Reply{}, d.bad("nested too deep")
	}
	switch c := d.peek(); {
	case c == '"':
		text, err := d.rawString()
		if err != nil {
			return Reply{}, err
		}
		return Reply{kind: kindText, text: d.keep(d.plain(text))}, nil
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	case c == '[':
		list, err := d.elements([]Reply{}, func() (Reply, error) { return d.value(depth + 1) })
		return Reply{kind: kindList, list: list}, err
	case c == 'n':
		return Reply{}, d.word("null")
	case c == 't':
		return Reply{kind: kindInt, num: 1}, d.word("true")
	case c == 'f':
		return Reply{kind: kindInt}, d.word("false")
	case c == '{':
		return d.outcome(depth)
	}
	return Reply{}, d.bad("no value")
}

func (d *decoder) elements(list []Reply, next func() (Reply, error)) ([]Reply, error) {
	if !d.take('[') {
		return nil, d.bad("no array")
	}
	for first := true; !d.take(']'); first = false {
		if !first && !d.take(',') {
			return nil, d.bad("no comma between elements")
		}
		r, err := next()
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// plain undoes base64. What is not base64 is taken as it is: "OK" never is, by the protocol, and the service's own
// client does the same.
func (d *decoder) plain(text []byte) []byte {
	if len(text)%4 != 0 {
		return text
	}
	if n := base64.StdEncoding.DecodedLen(len(text)); cap(d.scratch) < n {
		d.scratch = make([]byte, 0, max(n, 512))
	}
	out := d.scratch[:cap(d.scratch)]
	n, err := base64.StdEncoding.Decode(out, text)
	if err != nil {
		return text
	}
	return out[:n]
}

// keep copies text into the shared memory. No text is longer in memory than in JSON, so the builder never moves.
func (d *decoder) keep(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	if d.texts.Cap() == 0 {
		d.texts.Grow(len(d.in) - d.pos + len(text) + 2)
	}
	start := d.texts.Len()
	d.texts.Write(text)
	return d.texts.String()[start:]
}

func (d *decoder) skip(depth int) error {
	if d.peek() != '{' {
		_, err := d.value(depth)
		return err
	}
	if depth > maxDepth {
		return d.bad("nested too deep")
	}
	d.take('{')
	for first := true; !d.take('}'); first = false {
		if !first && !d.take(',') {
			return d.bad("no comma between members")
		}
		if _, err := d.rawString(); err != nil {
			return err
		}
		if !d.take(':') {
			return d.bad("no colon after a name")
		}
		if err := d.skip(depth + 1); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) bad(what string) error {
	return fmt.Errorf("%w: %s at byte %d of %d", ErrMalformed, what, d.pos, len(d.in))
}
