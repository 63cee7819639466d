package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// The sections that this command knows. In a module they are in the order of these numbers; custom ones may be anywhere.
// https://webassembly.github.io/spec/core/binary/modules.html
const (
	sectionCustom   = 0
	sectionType     = 1
	sectionImport   = 2
	sectionFunction = 3
	sectionMemory   = 5
	sectionGlobal   = 6
	sectionExport   = 7
	sectionStart    = 8
	sectionElement  = 9
	sectionCode     = 10
	sectionData     = 11
)

var magic = []byte("\x00asm\x01\x00\x00\x00")

var errBroken = errors.New("this is not a module of WebAssembly as Go's linker writes it")

type section struct {
	id   byte
	body []byte
}

type sections []section

func parse(module []byte) (sections, error) {
	if !bytes.HasPrefix(module, magic) {
		return nil, errBroken
	}
	var all sections
	for r := (reader{rest: module[len(magic):]}); len(r.rest) > 0; {
		s := section{id: r.byte()}
		s.body = r.take(r.unsigned())
		if r.broken {
			return nil, errBroken
		}
		all = append(all, s)
	}
	return all, nil
}

// custom returns a section that engines ignore and JavaScript can read by its name.
func custom(name, text string) section {
	return section{sectionCustom, append(appendUnsigned(nil, len(name)), name+text...)}
}

func (all sections) find(id byte) *section {
	for i := range all {
		if all[i].id == id {
			return &all[i]
		}
	}
	return nil
}

func (all sections) bytes() []byte {
	out := slices.Clone(magic)
	for _, s := range all {
		out = append(appendUnsigned(append(out, s.id), len(s.body)), s.body...)
	}
	return out
}

// addStart adds a function with that body after all others, so that they keep their numbers, and lets it run at the start.
func (all *sections) addStart(body []byte) error {
	functions, elements := all.find(sectionFunction), slices.IndexFunc(*all, func(s section) bool { return s.id == sectionElement })
	imported, err := importedFunctions(all.find(sectionImport))
	if err != nil || functions == nil || elements < 0 {
		return errBroken
	}
	const takesAndReturnsNothing = "\x60\x00\x00"
	kind, err := all.append(sectionType, []byte(takesAndReturnsNothing))
	if err != nil {
		return err
	}
	number, err := all.append(sectionFunction, appendUnsigned(nil, kind))
	if err != nil {
		return err
	}
	if _, err := all.append(sectionCode, append(appendUnsigned(nil, len(body)), body...)); err != nil {
		return err
	}
	*all = slices.Insert(*all, elements, section{sectionStart, appendUnsigned(nil, imported+number)})
	return nil
}

// append adds an entry to a section that is a list, and returns its number.
func (all sections) append(id byte, entry []byte) (number int, err error) {
	s := all.find(id)
	if s == nil {
		return 0, errBroken
	}
	r := reader{rest: s.body}
	number = r.unsigned()
	s.body = slices.Concat(appendUnsigned(nil, number+1), r.rest, entry)
	if r.broken {
		return 0, errBroken
	}
	return number, nil
}

// importedFunctions counts the imported functions, which are numbered before the module's own. Go's linker imports only functions.
func importedFunctions(s *section) (int, error) {
	if s == nil {
		return 0, nil
	}
	r := reader{rest: s.body}
	n := r.unsigned()
	for range n {
		r.take(r.unsigned()) // the module's name
		r.take(r.unsigned())
		const function = 0
		if r.byte() != function {
			return 0, errBroken
		}
		r.unsigned() // its type
	}
	if r.broken || len(r.rest) > 0 {
		return 0, errBroken
	}
	return n, nil
}

// reader reads from the front. After the end it returns zeros, and broken is set.
type reader struct {
	rest   []byte
	broken bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.rest, r.broken = nil, true
		return nil
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// unsigned reads a number in LEB128. A signed number that is not negative reads the same.
func (r *reader) unsigned() int {
	n, size := binary.Uvarint(r.rest)
	r.take(max(size, 1))
	if size <= 0 || n > 1<<32 {
		r.broken = true
		return 0
	}
	return int(n)
}

func appendUnsigned(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

// appendSigned writes any number in signed LEB128.
func appendSigned(b []byte, n int64) []byte {
	for {
		low := byte(n & 0x7f)
		n >>= 7
		if (n == 0 && low&0x40 == 0) || (n == -1 && low&0x40 != 0) {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}

// signed reads any number in signed LEB128.
func (r *reader) signed() int64 {
	var n int64
	for shift := 0; ; shift += 7 {
		if shift > 63 || len(r.rest) == 0 {
			r.broken = true
			return 0
		}
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if shift < 57 && b&0x40 != 0 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
}
