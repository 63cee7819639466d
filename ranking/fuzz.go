package ranking

import (
	"encoding/binary"
	"math"
	"time"
)

const (
	// FuzzWindow is how long a viewer sees the same count for the same score.
	FuzzWindow = 5 * time.Minute

	// FuzzExactBelow: a count below this, or above its negative, is shown exactly.
	FuzzExactBelow = 10

	// FuzzMax is the maximum error of a shown count, as a share of it.
	FuzzMax = 0.03

	// fuzzStretch is how often a count doubles between two bends of the error (Fuzzer).
	fuzzStretch = 4

	// fuzzBends is enough bends to reach beyond 2^53, the largest count that is fuzzed.
	fuzzBends = 16
)

// FuzzWindowOf returns the number of the five-minute window of an instant.
func FuzzWindowOf(now time.Time) int64 {
	seconds, length := now.Unix(), int64(FuzzWindow/time.Second)
	window := seconds / length
	if seconds%length < 0 {
		window--
	}
	return window
}

// A Fuzzer shows slightly wrong counts to one viewer during one window. For two viewers, or one viewer in two windows, the same count
// differs by a few per cent.
//
// It multiplies every count by 1+e. The error e is a random line with a bend every fuzzStretch doublings of the count. At each bend e has
// a random value within FuzzMax, each with equal chance, and the position of the first bend is random. So the mean over viewers or windows
// is the count itself. Small counts are exact, because their error rounds to nothing. Two counts that are close have nearly the same
// error, so their order and their ratio stay. For the same reason the randomness does not depend on the target.
//
// A larger count is never shown as a smaller number. About one time in a hundred, two neighbouring counts are shown as the same number.
// No fuzzing can avoid that. If neighbours were always shown at least 1 apart, they would have to be exactly 1 apart to be right on
// average; and as counts below FuzzExactBelow are exact, all counts would be.
//
// The zero value shows counts as they are.
type Fuzzer struct {
	first float64 // position of count 1 between the first two bends
	bends [fuzzBends]float64
}

// NewFuzzer returns the Fuzzer of a viewer in a window ([FuzzWindowOf]). viewer is any text that identifies them, empty for all visitors
// together. The secret, best 16 bytes or more, is the site's own. Moderators see exact counts and need none.
func NewFuzzer(secret []byte, viewer string, window int64) Fuzzer {
	k0, k1 := sipHash(0, 0, secret), sipHash(0, 1, secret)
	msg := binary.LittleEndian.AppendUint64(make([]byte, 0, 8+len(viewer)), uint64(window))
	random := splitMix(sipHash(k0, k1, append(msg, viewer...)))
	f := Fuzzer{first: share(&random)}
	for i := range f.bends {
		f.bends[i] = FuzzMax * (2*share(&random) - 1)
	}
	return f
}

// share returns a number in [0, 1) from the generator.
func share(random *splitMix) float64 { return float64(random.next()>>11) / (1 << 53) }

// Show returns the number to show for a count or a score. Negative ones mirror positive ones.
func (f *Fuzzer) Show(count int64) int64 {
	switch size := max(count, -count); {
	case size < FuzzExactBelow || size > 1<<53: // the smallest int64 is below the first
		return count
	case count < 0:
		return -f.show(size)
	default:
		return f.show(size)
	}
}

func (f *Fuzzer) show(count int64) int64 {
	bend, fraction := math.Modf(f.first + math.Log2(float64(count))/fuzzStretch)
	from, to := f.bends[int(bend)], f.bends[int(bend)+1]
	e := from + fraction*(to-from)
	return count + int64(math.Round(float64(count)*e))
}

// Votes returns the ups and downs to show of a target. mine is the viewer's own vote (1, -1 or 0), which they include. Their difference
// is the score as Show returns it. If the smaller one is below FuzzExactBelow, it is exact. Otherwise both follow from the score and the
// total, so that their ratio is close to the true one. The viewer's vote is subtracted first and added again at the end, so a vote moves
// the score by exactly one.
func (f *Fuzzer) Votes(ups, downs int64, mine int) (shownUps, shownDowns int64) {
	var up, down int64
	switch {
	case mine > 0:
		up = 1
	case mine < 0:
		down = 1
	}
	ups, downs = ups-up, downs-down
	lesser, apart := min(ups, downs), f.Show(max(ups-downs, downs-ups))
	if lesser >= FuzzExactBelow {
		twice := f.Show(ups+downs) - apart
		half := twice / 2
		if twice%2 != 0 && half < lesser {
			half++
		}
		lesser = half
	}
	shownUps, shownDowns = lesser+apart, lesser
	if ups < downs {
		shownUps, shownDowns = shownDowns, shownUps
	}
	return shownUps + up, shownDowns + down
}
