package hrana

import "fmt"

// protoDecoder reads Protobuf in place. Its methods take the end of the message they are in. The first error moves it to
// the end of everything: from then on every loop stops and every value is empty.
//
// https://protobuf.dev/programming-guides/encoding/
type protoDecoder struct {
	s   string
	i   int
	err error
}

func (d *protoDecoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("cannot read the response at byte %d: %s", d.i, what)
	}
	d.i = len(d.s)
}

func (d *protoDecoder) varint() uint64 {
	if d.i < len(d.s) && d.s[d.i] < 0x80 {
		d.i++
		return uint64(d.s[d.i-1])
	}
	return d.longVarint()
}

func (d *protoDecoder) longVarint() uint64 {
	var v uint64
	for shift := 0; shift < 64 && d.i < len(d.s); shift += 7 {
		c := d.s[d.i]
		d.i++
		if c < 0x80 {
			if shift == 63 && c > 1 {
				break
			}
			return v | uint64(c)<<shift
		}
		v |= uint64(c&0x7f) << shift
	}
	d.fail("a number without end")
	return 0
}

// open reads the size of a field and returns where it ends, never behind end.
func (d *protoDecoder) open(end int) int {
	n := d.varint()
	if d.i > end || n > uint64(end-d.i) {
		d.fail("a field that is longer than what it is part of")
		return d.i
	}
	return d.i + int(n)
}

// close tells whether the last field of a message ended where the message does.
func (d *protoDecoder) close(end int) {
	if d.i != end {
		d.fail("a field that is longer than what it is part of")
	}
}

func (d *protoDecoder) text(end int) string {
	stop := d.open(end)
	text := d.s[d.i:stop]
	d.i = stop
	return text
}

func (d *protoDecoder) fixed64(end int) uint64 {
	if end-d.i < 8 {
		d.fail("a float that is cut off")
		return 0
	}
	var v uint64
	for i := 7; i >= 0; i-- {
		v = v<<8 | uint64(d.s[d.i+i])
	}
	d.i += 8
	return v
}

// skip passes over a field that nobody here knows. Groups are gone from Protobuf since long.
func (d *protoDecoder) skip(key uint64, end int) {
	switch key & 7 {
	case varintType:
		d.varint()
	case bytesType:
		d.text(end)
	case fixed64:
		d.fixed64(end)
	case fixed32:
		if end-d.i < 4 {
			d.fail("a number that is cut off")
			return
		}
		d.i += 4
	default:
		d.fail("a field of an unknown kind")
	}
}

// count tells how many fields with this key follow each other, the one whose key was just read included.
func (d *protoDecoder) count(key byte, end int) int {
	ahead := *d
	for n := 1; ; n++ {
		if ahead.i = ahead.open(end); ahead.i >= end || ahead.s[ahead.i] != key {
			return n
		}
		ahead.i++
	}
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
