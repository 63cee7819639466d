package card

import (
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"image/color"
	"math/bits"
)

// stride is the length of a row in a PNG: a byte for the filter, which is always 0, and half a byte for each pixel.
const stride = 1 + Width/2

// encode writes a picture as a PNG file (RFC 2083). A picture is mostly background, so two simple kinds of repetition make it small.
func encode(colours []color.RGBA, rows []byte) []byte {
	b := make([]byte, 0, 32<<10)
	b = append(b, "\x89PNG\r\n\x1a\n"...)
	head := binary.BigEndian.AppendUint32(nil, Width)
	head = binary.BigEndian.AppendUint32(head, Height)
	b = chunk(b, "IHDR", append(head, 4, 3, 0, 0, 0)) // 4 bits a pixel, of a palette
	var plte []byte
	for _, c := range colours {
		plte = append(plte, c.R, c.G, c.B)
	}
	b = chunk(b, "PLTE", plte)
	b = chunk(b, "IDAT", pack(rows))
	return chunk(b, "IEND", nil)
}

func chunk(b []byte, kind string, body []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
	from := len(b)
	b = append(append(b, kind...), body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[from:]))
}

// packer writes one block of fixed Huffman codes (RFC 1951, 3.2.6).
type packer struct {
	b     []byte
	bits  uint64
	count uint
}

func (p *packer) put(v uint64, n uint) {
	p.bits |= v << p.count
	for p.count += n; p.count >= 8; p.count -= 8 {
		p.b = append(p.b, byte(p.bits))
		p.bits >>= 8
	}
}

// code writes a Huffman code, whose first bit is the highest.
func (p *packer) code(v uint32, n uint) { p.put(uint64(bits.Reverse32(v)>>(32-n)), n) }

func (p *packer) symbol(s uint32) {
	switch {
	case s < 144:
		p.code(0x30+s, 8)
	case s < 256:
		p.code(0x190+s-144, 9)
	case s < 280:
		p.code(s-256, 7)
	default:
		p.code(0xc0+s-280, 8)
	}
}

const (
	shortest, longest = 3, 258 // repetition, in bytes
	rowAbove          = 17     // code of the distances from 385 to 512, of which stride is one
)

// repeat repeats n bytes from a distance: stride if above, else 1.
func (p *packer) repeat(n int, above bool) {
	if n == longest {
		p.symbol(285)
	} else {
		v := uint32(n - shortest)
		extra := uint(0)
		if v >= 8 {
			extra = uint(bits.Len32(v)) - 3
		}
		p.symbol(257 + uint32(extra)*4 + v>>extra)
		p.put(uint64(v)&(1<<extra-1), extra)
	}
	if above {
		p.code(rowAbove, 5)
		p.put(stride-385, 7)
	} else {
		p.code(0, 5)
	}
}

// pack compresses rows as zlib (RFC 1950): it finds repetitions of the byte before and of the row above.
func pack(rows []byte) []byte {
	p := &packer{b: append(make([]byte, 0, 32<<10), 0x78, 0x01)}
	p.put(0b011, 3) // the last block, of fixed codes
	for i := 0; i < len(rows); {
		run, above := 0, 0
		ahead := rows[i:min(i+longest, len(rows))]
		if i >= stride {
			above = commonPrefix(ahead, rows[i-stride:])
		}
		if i > 0 && above < longest {
			run = commonPrefix(ahead, rows[i-1:])
		}
		switch n := max(run, above); {
		case n < shortest:
			p.symbol(uint32(rows[i]))
			i++
		default:
			p.repeat(n, above > run)
			i += n
		}
	}
	p.symbol(256)
	p.put(0, 7) // up to a whole byte
	return binary.BigEndian.AppendUint32(p.b, adler32.Checksum(rows))
}

// commonPrefix is the length of the common prefix of a and b. b is not shorter than a.
func commonPrefix(a, b []byte) int {
	n := 0
	for len(a)-n >= 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n
}
