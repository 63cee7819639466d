package upstash

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
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
	if err == nil && d.peek() != 0 {
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
	if err == nil && d.peek() != 0 {
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

// number keeps an int64 exact by never passing through a float64.
func (d *decoder) number() (Reply, error) {
	start := d.pos
	whole := true
	for ; d.pos < len(d.in); d.pos++ {
		c := d.in[d.pos]
		if c == '.' || c == 'e' || c == 'E' || c == '+' {
			whole = false
		} else if c != '-' && (c < '0' || c > '9') {
			break
		}
	}
	digits := d.in[start:d.pos]
	if whole && len(digits) < 19 {
		if n, ok := smallInt(digits); ok {
			return Reply{kind: kindInt, num: n}, nil
		}
		return Reply{}, d.bad("no number")
	}
	text := d.keep(digits)
	if whole {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return Reply{kind: kindInt, num: n}, nil
		}
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return Reply{}, d.bad("no number")
	}
	return Reply{kind: kindNumber, text: text}, nil
}

func smallInt(digits []byte) (n int64, ok bool) {
	negative := digits[0] == '-'
	if negative {
		digits = digits[1:]
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, len(digits) > 0
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

// rawString reads a JSON string. The result is valid until the next call and may alias the input.
func (d *decoder) rawString() ([]byte, error) {
	if !d.take('"') {
		return nil, d.bad("no string")
	}
	start := d.pos
	for ; d.pos < len(d.in); d.pos++ {
		switch c := d.in[d.pos]; {
		case c == '"':
			d.pos++
			return d.in[start : d.pos-1], nil
		case c == '\\':
			return d.escapedString(start)
		case c < ' ':
			return nil, d.bad("control character in a string")
		}
	}
	return nil, d.bad("string without an end")
}

// escapedString goes on from the first backslash. It unescapes in place, since no escape is shorter than what it means.
func (d *decoder) escapedString(start int) ([]byte, error) {
	out := d.in[start:d.pos]
	for d.pos < len(d.in) {
		c := d.in[d.pos]
		d.pos++
		switch {
		case c == '"':
			return out, nil
		case c < ' ':
			return nil, d.bad("control character in a string")
		case c != '\\':
			out = append(out, c)
			continue
		}
		if d.pos == len(d.in) {
			break
		}
		c = d.in[d.pos]
		d.pos++
		switch c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, ok := d.hex4()
			if !ok {
				return nil, d.bad("wrong \\u escape")
			}
			if utf16.IsSurrogate(r) {
				r = d.pair(r)
			}
			out = utf8.AppendRune(out, r)
		default:
			return nil, d.bad("unknown escape")
		}
	}
	return nil, d.bad("string without an end")
}

// pair completes a surrogate pair; a lone half becomes U+FFFD and what follows is read on its own.
func (d *decoder) pair(high rune) rune {
	at := d.pos
	if d.pos+1 < len(d.in) && d.in[d.pos] == '\\' && d.in[d.pos+1] == 'u' {
		d.pos += 2
		if low, ok := d.hex4(); ok {
			if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
				return r
			}
		}
	}
	d.pos = at
	return utf8.RuneError
}

func (d *decoder) hex4() (r rune, ok bool) {
	if len(d.in)-d.pos < 4 {
		return 0, false
	}
	for _, c := range d.in[d.pos : d.pos+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	d.pos += 4
	return r, true
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

// peek skips white space and returns the next byte, 0 at the end.
func (d *decoder) peek() byte {
	for ; d.pos < len(d.in); d.pos++ {
		switch c := d.in[d.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (d *decoder) take(c byte) bool {
	if d.peek() != c {
		return false
	}
	d.pos++
	return true
}

func (d *decoder) word(w string) error {
	if len(d.in)-d.pos < len(w) || string(d.in[d.pos:d.pos+len(w)]) != w {
		return d.bad("no value")
	}
	d.pos += len(w)
	return nil
}

func (d *decoder) bad(what string) error {
	return fmt.Errorf("%w: %s at byte %d of %d", ErrMalformed, what, d.pos, len(d.in))
}
