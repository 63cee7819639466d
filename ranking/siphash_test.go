package ranking

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The test vectors of the reference implementation (veorq/SipHash, vectors.h): key
// 00 01 … 0f, message 00 01 … of n bytes.
func TestSipHash(t *testing.T) {
	message := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}
	for n, want := range map[int]uint64{
		0:  0x726fdb47dd0e0e31,
		1:  0x74f839c593dc67fd,
		7:  0xab0200f58b01d137,
		8:  0x93f5f5799a932462,
		15: 0xa129ca6149be45e5,
	} {
		assert.Equal(t, want, sipHash(0x0706050403020100, 0x0f0e0d0c0b0a0908, message[:n]), "%d bytes", n)
	}
}

// The first numbers of the reference implementation (Vigna, splitmix64.c), seed 0.
func TestSplitMix(t *testing.T) {
	var s splitMix
	assert.Equal(t, uint64(0xe220a8397b1dcdaf), s.next())
	assert.Equal(t, uint64(0x6e789e6aa1b965f4), s.next())
	assert.Equal(t, uint64(0x06c45d188009454f), s.next())
}
