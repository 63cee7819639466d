package ranking

import (
	"encoding/binary"
	"math/bits"
)

// sipHash is SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012), checked against the vectors of the paper.
//
// FNV is unsuitable for fuzzing: a few outputs are enough to compute the secret. HMAC-SHA-256 costs some microseconds in Wasm for
// strength that a displayed count does not need. SipHash is additions, rotations and xors of 64-bit words, which are instructions of
// Wasm.
func sipHash(k0, k1 uint64, msg []byte) uint64 {
	s := sipState{
		k0 ^ 0x736f6d6570736575,
		k1 ^ 0x646f72616e646f6d,
		k0 ^ 0x6c7967656e657261,
		k1 ^ 0x7465646279746573,
	}
	last := uint64(len(msg)) << 56
	for ; len(msg) >= 8; msg = msg[8:] {
		s.absorb(binary.LittleEndian.Uint64(msg))
	}
	for i, b := range msg {
		last |= uint64(b) << (8 * i)
	}
	s.absorb(last)
	s[2] ^= 0xff
	for range 4 {
		s.round()
	}
	return s[0] ^ s[1] ^ s[2] ^ s[3]
}

type sipState [4]uint64

func (s *sipState) absorb(word uint64) {
	s[3] ^= word
	s.round()
	s.round()
	s[0] ^= word
}

func (s *sipState) round() {
	s[0] += s[1]
	s[1] = bits.RotateLeft64(s[1], 13) ^ s[0]
	s[0] = bits.RotateLeft64(s[0], 32)
	s[2] += s[3]
	s[3] = bits.RotateLeft64(s[3], 16) ^ s[2]
	s[0] += s[3]
	s[3] = bits.RotateLeft64(s[3], 21) ^ s[0]
	s[2] += s[1]
	s[1] = bits.RotateLeft64(s[1], 17) ^ s[2]
	s[2] = bits.RotateLeft64(s[2], 32)
}

// splitMix is the generator of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014): three multiplications for
// each number.
type splitMix uint64

func (s *splitMix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
