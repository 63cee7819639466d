// Package jsonscan reads and writes JSON by hand, without reflection, which is slow in Wasm. It knows nothing of what the JSON means:
// the clients of databases do (data/hrana, data/upstash).
package jsonscan

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Scanner reads the JSON in In from Pos on. The first error is kept in Err and ends it: from then on every loop stops and every value
// is empty. Whatever it takes to the end without an error is JSON by RFC 8259, but that texts may hold broken UTF-8.
type Scanner struct {
	In  string
	Pos int
	Err error

	depth int
}

// MaxDepth is how deep objects and arrays may nest.
const MaxDepth = 64

// Fail ends the scan with an error, if none has ended it before.
func (s *Scanner) Fail(what string) {
	if s.Err == nil {
		s.Err = fmt.Errorf("%s at byte %d of %d", what, s.Pos, len(s.In))
	}
}

// Peek skips white space and returns the next byte, 0 at the end and after an error.
func (s *Scanner) Peek() byte {
	if s.Err != nil {
		return 0
	}
	for s.Pos < len(s.In) {
		c := s.In[s.Pos]
		if c > ' ' || (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
			return c
		}
		s.Pos++
	}
	return 0
}

// Take passes over a byte, behind white space. It fails where that byte is not.
func (s *Scanner) Take(c byte) bool {
	if s.Peek() != c || s.Pos >= len(s.In) || s.Err != nil {
		s.Fail("expected " + strconv.QuoteRune(rune(c)))
		return false
	}
	s.Pos++
	return true
}

// End fails where anything but white space is left.
func (s *Scanner) End() {
	if s.Peek() != 0 || (s.Err == nil && s.Pos < len(s.In)) {
		s.Fail("more after the end")
	}
}

func (s *Scanner) open(c byte) bool {
	if !s.Take(c) {
		return false
	}
	if s.depth++; s.depth > MaxDepth {
		s.Fail("nested too deep")
		return false
	}
	return true
}

func (s *Scanner) closes(c byte) bool {
	if s.Peek() != c {
		return false
	}
	s.Pos++
	s.depth--
	return true
}

// FirstKey begins an object and NextKey goes on in it: for key, ok := s.FirstKey(); ok; key, ok = s.NextKey().
func (s *Scanner) FirstKey() (string, bool) {
	if !s.open('{') || s.closes('}') {
		return "", false
	}
	return s.key()
}

// NextKey is the next key, false at the end of the object.
func (s *Scanner) NextKey() (string, bool) {
	if s.closes('}') || !s.Take(',') {
		return "", false
	}
	return s.key()
}

func (s *Scanner) key() (string, bool) {
	key := s.Text()
	return key, s.Take(':')
}

// FirstItem begins an array and NextItem goes on in it: for ok := s.FirstItem(); ok; ok = s.NextItem().
func (s *Scanner) FirstItem() bool {
	if !s.open('[') || s.closes(']') {
		return false
	}
	return s.Err == nil
}

// NextItem is false at the end of the array.
func (s *Scanner) NextItem() bool {
	if s.At() == ',' {
		s.Pos++
		return true
	}
	return !s.closes(']') && s.Take(',')
}

// Text reads a string. Without escapes it is a slice of In.
func (s *Scanner) Text() string {
	if !s.Take('"') {
		return ""
	}
	start := s.Pos
	for i := start; i < len(s.In); i++ {
		if !special[s.In[i]] {
			continue
		}
		s.Pos = i
		if s.In[i] == '"' {
			s.Pos++
			return s.In[start:i]
		}
		return s.escaped(start)
	}
	s.Fail("a text without end")
	return ""
}

// escaped reads on in a text that begins at start, from its first escape.
func (s *Scanner) escaped(start int) string {
	var b strings.Builder
	size := s.Pos - start + max(strings.IndexByte(s.In[s.Pos:], '"'), 0) // a guess
	b.Grow(size + size/2)
	for ; s.Pos < len(s.In); s.Pos++ {
		c := s.In[s.Pos]
		if !special[c] {
			continue
		}
		b.WriteString(s.In[start:s.Pos])
		switch c {
		case '"':
			s.Pos++
			return b.String()
		case '\\':
			b.WriteRune(s.escape())
		default:
			s.Fail("a control character in a text")
		}
		if s.Err != nil {
			return ""
		}
		start = s.Pos + 1
	}
	s.Fail("a text without end")
	return ""
}

// escape reads an escape up to its last byte.
func (s *Scanner) escape() rune {
	s.Pos++
	switch c := s.At(); c {
	case '"', '\\', '/':
		return rune(c)
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'u':
		return s.unicode()
	}
	s.Fail("an unknown escape")
	return 0
}

// unicode reads the four digits behind \u, and the second half of a surrogate pair, up to the last digit. A lone half is U+FFFD.
func (s *Scanner) unicode() rune {
	r, ok := s.hex(s.Pos + 1)
	if !ok {
		s.Fail("an escape without four digits")
		return 0
	}
	s.Pos += 4
	if !utf16.IsSurrogate(r) {
		return r
	}
	if strings.HasPrefix(s.In[s.Pos+1:], `\u`) {
		if low, ok := s.hex(s.Pos + 3); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				s.Pos += 6
				return pair
			}
		}
	}
	return utf8.RuneError
}

// hex reads the four digits of an escape.
func (s *Scanner) hex(at int) (rune, bool) {
	if at+4 > len(s.In) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s.In[at : at+4]) {
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

// Number returns the text of a JSON number.
func (s *Scanner) Number() string {
	s.Peek()
	start := s.Pos
	if s.At() == '-' {
		s.Pos++
	}
	if s.At() == '0' {
		s.Pos++
	} else if !s.digits() {
		return ""
	}
	if s.At() == '.' {
		s.Pos++
		if !s.digits() {
			return ""
		}
	}
	if c := s.At(); c == 'e' || c == 'E' {
		s.Pos++
		if c := s.At(); c == '+' || c == '-' {
			s.Pos++
		}
		if !s.digits() {
			return ""
		}
	}
	return s.In[start:s.Pos]
}

// At is the byte at Pos, 0 at the end and after an error.
func (s *Scanner) At() byte {
	if s.Err != nil || s.Pos >= len(s.In) {
		return 0
	}
	return s.In[s.Pos]
}

func (s *Scanner) digits() bool {
	start := s.Pos
	for c := s.At(); c >= '0' && c <= '9'; c = s.At() {
		s.Pos++
	}
	if s.Pos == start {
		s.Fail("expected a digit")
	}
	return s.Err == nil
}

// Skip passes over any value.
func (s *Scanner) Skip() {
	switch c := s.Peek(); {
	case c == '{':
		for _, ok := s.FirstKey(); ok; _, ok = s.NextKey() {
			s.Skip()
		}
	case c == '[':
		for ok := s.FirstItem(); ok; ok = s.NextItem() {
			s.Skip()
		}
	case c == '"':
		s.Text()
	case c == 'n':
		s.Word("null")
	case c == 't':
		s.Word("true")
	case c == 'f':
		s.Word("false")
	default:
		s.Number()
	}
}

// Word passes over null, true or false, and fails where that word is not.
func (s *Scanner) Word(w string) {
	if !strings.HasPrefix(s.In[s.Pos:], w) {
		s.Fail("expected " + w)
		return
	}
	s.Pos += len(w)
}
