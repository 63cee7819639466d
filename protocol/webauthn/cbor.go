package webauthn

import (
	"encoding/binary"
	"unicode/utf8"
)

// The part of CBOR (RFC 8949) in CTAP2's canonical form: definite lengths, shortest numbers, no tags and no floating-point numbers.

// cborDepth is how deep arrays and maps may be nested.
const cborDepth = 8

// decodeAll decodes one value that is all of b: int64, []byte, string, bool, nil, []any or map[any]any with keys of int64 or string.
// ErrMalformed.
func decodeAll(b []byte) (any, error) {
	v, rest, err := decode(b)
	if err != nil || len(rest) != 0 {
		return nil, ErrMalformed
	}
	return v, nil
}

// decode is decodeAll for a value with bytes after it, which it returns as rest.
func decode(b []byte) (v any, rest []byte, err error) {
	d := decoder{b}
	v, ok := d.value(cborDepth)
	if !ok {
		return nil, nil, ErrMalformed
	}
	return v, d.b, nil
}

type decoder struct{ b []byte }

// Major types.
const (
	majorUint = iota
	majorNegative
	majorBytes
	majorText
	majorArray
	majorMap
	_
	majorSimple
)

func (d *decoder) value(depth int) (any, bool) {
	major, n, ok := d.head()
	if !ok || depth == 0 {
		return nil, false
	}
	switch major {
	case majorUint:
		return int64(n), true
	case majorNegative:
		return -1 - int64(n), true
	case majorBytes:
		return d.take(n)
	case majorText:
		b, ok := d.take(n)
		return string(b), ok && utf8.Valid(b)
	case majorArray:
		if n > uint64(len(d.b)) {
			return nil, false
		}
		list := make([]any, 0, n)
		for range n {
			v, ok := d.value(depth - 1)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	case majorMap:
		return d.entries(n, depth)
	case majorSimple:
		switch n {
		case 20, 21:
			return n == 21, true
		case 22:
			return nil, true
		}
	}
	return nil, false
}

// entries decodes a map without duplicate keys.
func (d *decoder) entries(n uint64, depth int) (any, bool) {
	if n > uint64(len(d.b)) {
		return nil, false
	}
	m := make(map[any]any, n)
	for range n {
		key, ok := d.value(depth - 1)
		if !ok {
			return nil, false
		}
		switch key.(type) {
		case int64, string:
		default:
			return nil, false
		}
		if _, twice := m[key]; twice {
			return nil, false
		}
		if m[key], ok = d.value(depth - 1); !ok {
			return nil, false
		}
	}
	return m, true
}

func (d *decoder) take(n uint64) ([]byte, bool) {
	if n > uint64(len(d.b)) {
		return nil, false
	}
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b, true
}

// head reads the type of the next value and its number. Numbers must have the shortest form, and fit an int64.
func (d *decoder) head() (major byte, n uint64, ok bool) {
	if len(d.b) == 0 {
		return 0, 0, false
	}
	major, info := d.b[0]>>5, d.b[0]&31
	d.b = d.b[1:]
	if info < 24 {
		return major, uint64(info), true
	}
	if info > 27 || major == majorSimple {
		return 0, 0, false
	}
	size := 1 << (info - 24)
	b, ok := d.take(uint64(size))
	if !ok {
		return 0, 0, false
	}
	var wide [8]byte
	copy(wide[8-size:], b)
	n = binary.BigEndian.Uint64(wide[:])
	shortest := map[int]uint64{1: 24, 2: 1 << 8, 4: 1 << 16, 8: 1 << 32}[size]
	return major, n, n >= shortest && n < 1<<63
}
