package upstash

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// peek skips white space and returns the next byte, or 0 at the end, which is also what a NUL byte looks like.
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

// number keeps an int64 exact by never passing through a float64.
func (d *decoder) number() (Reply, error) {
	start := d.pos
	d.accept('-')
	first := d.pos
	whole := true
	ok := d.digits() && (d.in[first] != '0' || d.pos == first+1)
	if ok && d.accept('.') {
		whole, ok = false, d.digits()
	}
	if ok && (d.accept('e') || d.accept('E')) {
		_ = d.accept('-') || d.accept('+')
		whole, ok = false, d.digits()
	}
	if !ok {
		return Reply{}, d.bad("no number")
	}
	token := d.in[start:d.pos]
	if whole && len(token) < 19 {
		return Reply{kind: kindInt, num: smallInt(token)}, nil
	}
	text := d.keep(token)
	if whole {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return Reply{kind: kindInt, num: n}, nil
		}
	}
	return Reply{kind: kindNumber, text: text}, nil
}

// digits passes over at least one digit.
func (d *decoder) digits() bool {
	start := d.pos
	for d.pos < len(d.in) && d.in[d.pos] >= '0' && d.in[d.pos] <= '9' {
		d.pos++
	}
	return d.pos > start
}

func (d *decoder) accept(c byte) bool {
	if d.pos == len(d.in) || d.in[d.pos] != c {
		return false
	}
	d.pos++
	return true
}

// smallInt reads a valid number of at most 18 bytes, which cannot overflow.
func smallInt(token []byte) (n int64) {
	negative := token[0] == '-'
	if negative {
		token = token[1:]
	}
	for _, c := range token {
		n = n*10 + int64(c-'0')
	}
	if negative {
		return -n
	}
	return n
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
