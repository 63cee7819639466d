package hrana

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decoder scans JSON in place. The first error ends it: from then on every loop stops and every value is empty. It
// does not refuse control characters inside texts, everything else of the grammar it does.
type decoder struct {
	s     string
	i     int
	depth int
	err   error
}

const maxDepth = 32

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("cannot read the response at byte %d: %s", d.i, what)
	}
}

// peek skips white space and returns the next byte, 0 at the end and after an error.
func (d *decoder) peek() byte {
	if d.err != nil {
		return 0
	}
	for d.i < len(d.s) {
		c := d.s[d.i]
		if c > ' ' || (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
			return c
		}
		d.i++
	}
	return 0
}

func (d *decoder) take(c byte) bool {
	if d.peek() != c || d.i >= len(d.s) || d.err != nil {
		d.fail("expected " + strconv.QuoteRune(rune(c)))
		return false
	}
	d.i++
	return true
}

func (d *decoder) end() {
	if d.peek() != 0 || (d.err == nil && d.i < len(d.s)) {
		d.fail("something after the end")
	}
}

func (d *decoder) open(c byte) bool {
	if !d.take(c) {
		return false
	}
	if d.depth++; d.depth > maxDepth {
		d.fail("nested too deep")
		return false
	}
	return true
}

func (d *decoder) closes(c byte) bool {
	if d.peek() != c {
		return false
	}
	d.i++
	d.depth--
	return true
}

// firstKey and nextKey walk an object: for key, ok := d.firstKey(); ok; key, ok = d.nextKey().
func (d *decoder) firstKey() (string, bool) {
	if !d.open('{') || d.closes('}') {
		return "", false
	}
	return d.key()
}

func (d *decoder) nextKey() (string, bool) {
	if d.closes('}') || !d.take(',') {
		return "", false
	}
	return d.key()
}

func (d *decoder) key() (string, bool) {
	key := d.text()
	return key, d.take(':')
}

// firstItem and nextItem walk an array: for ok := d.firstItem(); ok; ok = d.nextItem().
func (d *decoder) firstItem() bool {
	if !d.open('[') || d.closes(']') {
		return false
	}
	return d.err == nil
}

func (d *decoder) nextItem() bool {
	if d.at() == ',' {
		d.i++
		return true
	}
	return !d.closes(']') && d.take(',')
}

// text reads a string; without escapes it is a slice of the input.
func (d *decoder) text() string {
	if !d.take('"') {
		return ""
	}
	rest := d.s[d.i:]
	n := strings.IndexByte(rest, '"')
	if n < 0 {
		d.fail("a text without end")
		return ""
	}
	if strings.IndexByte(rest[:n], '\\') < 0 {
		d.i += n + 1
		return rest[:n]
	}
	return d.escaped(n)
}

// escaped reads a string with escapes; size is a first guess at its length.
func (d *decoder) escaped(size int) string {
	var b strings.Builder
	b.Grow(size + size/2)
	for {
		start := d.i
		for d.i < len(d.s) && d.s[d.i] != '"' && d.s[d.i] != '\\' {
			d.i++
		}
		b.WriteString(d.s[start:d.i])
		if d.i+1 >= len(d.s) {
			if d.i < len(d.s) && d.s[d.i] == '"' {
				d.i++
				return b.String()
			}
			d.fail("a text without end")
			return ""
		}
		if d.s[d.i] == '"' {
			d.i++
			return b.String()
		}
		c := d.s[d.i+1]
		d.i += 2
		switch c {
		case '"', '\\', '/':
			b.WriteByte(c)
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'u':
			b.WriteRune(d.unicode())
		default:
			d.fail("an unknown escape")
		}
		if d.err != nil {
			return ""
		}
	}
}

// unicode reads the four digits behind \u, and the second half of a surrogate pair. A lone half is U+FFFD.
func (d *decoder) unicode() rune {
	r, ok := d.hex(d.i)
	if !ok {
		d.fail("an escape without four digits")
		return 0
	}
	d.i += 4
	if !utf16.IsSurrogate(r) {
		return r
	}
	if strings.HasPrefix(d.s[d.i:], `\u`) {
		if low, ok := d.hex(d.i + 2); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				d.i += 6
				return pair
			}
		}
	}
	return utf8.RuneError
}

func (d *decoder) hex(at int) (rune, bool) {
	if at+4 > len(d.s) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(d.s[at : at+4]) {
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
	return r, true
}

// number returns the text of a JSON number.
func (d *decoder) number() string {
	d.peek()
	start := d.i
	if d.at() == '-' {
		d.i++
	}
	if d.at() == '0' {
		d.i++
	} else if !d.digits() {
		return ""
	}
	if d.at() == '.' {
		d.i++
		if !d.digits() {
			return ""
		}
	}
	if c := d.at(); c == 'e' || c == 'E' {
		d.i++
		if c := d.at(); c == '+' || c == '-' {
			d.i++
		}
		if !d.digits() {
			return ""
		}
	}
	return d.s[start:d.i]
}

func (d *decoder) at() byte {
	if d.err != nil || d.i >= len(d.s) {
		return 0
	}
	return d.s[d.i]
}

func (d *decoder) digits() bool {
	start := d.i
	for c := d.at(); c >= '0' && c <= '9'; c = d.at() {
		d.i++
	}
	if d.i == start {
		d.fail("expected a digit")
	}
	return d.err == nil
}

// skip passes over any value.
func (d *decoder) skip() {
	switch c := d.peek(); {
	case c == '{':
		for _, ok := d.firstKey(); ok; _, ok = d.nextKey() {
			d.skip()
		}
	case c == '[':
		for ok := d.firstItem(); ok; ok = d.nextItem() {
			d.skip()
		}
	case c == '"':
		d.text()
	case c == 'n':
		d.word("null")
	case c == 't':
		d.word("true")
	case c == 'f':
		d.word("false")
	default:
		d.number()
	}
}

func (d *decoder) word(w string) {
	if !strings.HasPrefix(d.s[d.i:], w) {
		d.fail("expected " + w)
		return
	}
	d.i += len(w)
}
