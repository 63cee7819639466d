// Package ranking computes orders and shown numbers: hot, Wilson, controversy, rising, Q&A, the merge of the front page, fuzzed counts,
// time windows, and the test for brigading. The names of orders are in data/order.go.
//
// Everything here is a pure function of its arguments: no I/O, no clock, no randomness, and no import of another package of Plaza. A
// function whose name ends in SQL returns an SQL expression for the same number. docs/inside/votes.md says what that needs: float64()
// around a product that is then added, constants of at most 15 digits, and rounding after log10. Begin with [Hot] and [Fuzzer].
package ranking

import "math"

// round7 rounds to seven decimals, halves upwards.
func round7(x float64) float64 {
	return math.Floor(float64(x*1e7)+0.5) / 1e7
}

// sign returns -1, 0 or 1.
func sign(n int64) int64 {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
