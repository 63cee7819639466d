// Package ranking computes orders and shown numbers: hot, Wilson, controversy, rising, Q&A, the merge of the front page, fuzzed counts,
// time windows, and the test for brigading. The names of orders are in data/order.go.
//
// Everything here is a pure function of its arguments. No I/O, no clock, no randomness and no import of another Plaza
// package belong here; the caller passes the time and the secret.
//
// # Numbers that agree everywhere
//
// The same formulas run in Go natively, in Go as Wasm and, as the …SQL functions, inside SQLite. So that they give
// the same number:
//
//   - a product that is then added or subtracted is wrapped in float64(), which
//     forbids the compiler to fuse the two into one rounding (FMA), as it
//     otherwise does on arm64;
//   - constants that SQL needs have at most 15 digits, which every version of
//     SQLite reads exactly, and a product of constants is computed at run time
//     on both sides;
//   - + − × ÷ and sqrt are exactly rounded on every platform. log10 and pow are
//     not: their last bits may differ. A result that uses log10 is rounded to
//     seven decimals; [Controversy], which uses pow, says what to expect.
//
// # Shown counts
//
// Counts from 10 on are shown wrong by up to 3 % (fuzz.go). Each viewer has a random factor that changes slowly with the size of the count
// and is drawn anew every five minutes. On average the shown counts are right. Two viewers see different numbers; one viewer sees the same
// number in a listing, on the post's page and in answers to votes.
//
//   - One's own vote is subtracted before the factor is applied and added afterwards, so that voting moves the score by exactly one. Ups
//     and downs are made from the score and the total: their difference is the score that is shown, and their ratio is close to the true
//     one.
//   - Order. A larger score is never shown as the smaller number. Neighbouring scores are shown as the same number once in about a hundred.
//   - Moderators of a community and administrators see its exact counts, on every page and in answers to votes. A page reads the
//     communities that a member moderates with the member's own state (viewerState). A vote reads them in its transaction, or at the same
//     time from the directory where that is another database.
//   - What it hides. A shown number does not tell the exact votes. But it does not hide a change: a viewer who looks at a post twice within
//     five minutes, while nobody else votes, sees how much the score moved. To hide that, many scores would have to look the same.
package ranking

import "math"

// round7 rounds to seven decimals, halves upwards.
func round7(x float64) float64 {
	return math.Floor(float64(x*1e7)+0.5) / 1e7
}

// sign is -1, 0 or 1.
func sign(n int64) int64 {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
