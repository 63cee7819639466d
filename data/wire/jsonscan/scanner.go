// Package jsonscan reads and writes JSON by hand, without reflection, which is slow in Wasm. It does not know the meaning of the JSON:
// the clients of databases do (data/wire/hrana, data/wire/upstash).
package jsonscan

import (
	"fmt"
	"strconv"
	"strings"
)

// Scanner parses the JSON in In from Pos on. The first error is stored in Err and ends the scan: from then on every loop stops and every
// value is empty. Input that it accepts to the end is JSON by RFC 8259, except that texts may have invalid UTF-8.
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

// Take skips the byte c, after white space. It fails if another byte is there.
func (s *Scanner) Take(c byte) bool {
	if s.Peek() != c || s.Pos >= len(s.In) || s.Err != nil {
		s.Fail("expected " + strconv.QuoteRune(rune(c)))
		return false
	}
	s.Pos++
	return true
}

// End fails if anything except white space is left.
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

// FirstKey begins an object and NextKey continues it: for key, ok := s.FirstKey(); ok; key, ok = s.NextKey().
func (s *Scanner) FirstKey() (string, bool) {
	if !s.open('{') || s.closes('}') {
		return "", false
	}
	return s.key()
}

// NextKey returns the next key, false at the end of the object.
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

// FirstItem begins an array and NextItem continues it: for ok := s.FirstItem(); ok; ok = s.NextItem().
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

// At returns the byte at Pos, 0 at the end and after an error.
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

// Skip skips any value.
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

// Word skips null, true or false, and fails if another word is there.
func (s *Scanner) Word(w string) {
	if !strings.HasPrefix(s.In[s.Pos:], w) {
		s.Fail("expected " + w)
		return
	}
	s.Pos += len(w)
}
