package ranking

import (
	"encoding/binary"
	"time"
)

const (
	// FuzzWindow is how long a viewer keeps seeing the same count for the same score.
	FuzzWindow = 5 * time.Minute

	// FuzzExactBelow: a score whose size is below this is shown as it is.
	FuzzExactBelow = 10

	// Cells are between 1/16 and 1/8 of the score wide, and at least 2 to 4.
	fuzzCellShare = 16
	fuzzCellMin   = 2
)

// FuzzWindowOf numbers the five-minute window an instant is in.
func FuzzWindowOf(now time.Time) int64 {
	seconds, length := now.Unix(), int64(FuzzWindow/time.Second)
	window := seconds / length
	if seconds%length < 0 {
		window--
	}
	return window
}

// A Fuzzer shows counts a little wrong to one viewer during one window, so that
// someone who votes with many accounts cannot see whether the votes counted.
//
// It is one random staircase for the viewer and the window, the same for every
// target: the numbers from FuzzExactBelow-1 upwards are cut into cells of random
// width, and in each cell there is one random step; a score is shown as the lower
// end of its cell before the step and as the upper end from it on. The step lies
// anywhere in the cell with equal chance, so a score at the share q of its cell is
// shown as the upper end with probability q: the mean over viewers or windows is
// the score itself (randomised rounding: Raghavan and Thompson, 1987). And a
// staircase never descends, so no list shows a smaller score as the larger count;
// this is why the target has no part in the randomness. The shown count is at most
// 1/8 of the score (or 4) off; negative scores mirror positive ones.
//
// The zero value is a valid staircase, but a public one. A Fuzzer is one page's: it
// remembers how far it has built the stairs, and is not safe for concurrent use.
type Fuzzer struct {
	seed  uint64
	built *stairs
}

// stairs are cells from FuzzExactBelow-1 upwards, and the generator after them.
type stairs struct {
	random splitMix
	cells  []cell
}

// cell reaches from low up to, not including, high; scores up to low+step are shown as
// its lower end.
type cell struct{ low, high, step int64 }

// NewFuzzer makes the staircase of a viewer (any text that identifies them; empty
// for all visitors together) in a window ([FuzzWindowOf]). The secret, best 16
// bytes or more, is the site's own. Moderators get none: show them the score.
func NewFuzzer(secret []byte, viewer string, window int64) Fuzzer {
	k0, k1 := sipHash(0, 0, secret), sipHash(0, 1, secret)
	msg := binary.LittleEndian.AppendUint64(make([]byte, 0, 8+len(viewer)), uint64(window))
	seed := sipHash(k0, k1, append(msg, viewer...))
	return Fuzzer{seed: seed, built: &stairs{random: splitMix(seed)}}
}

// Fuzz is the count to show for one score. For a list, make one [Fuzzer].
func Fuzz(secret []byte, viewer string, window, score int64) int64 {
	return NewFuzzer(secret, viewer, window).Show(score)
}

// FuzzAll is the counts to show for the scores of a list, in their order.
func FuzzAll(secret []byte, viewer string, window int64, scores []int64) []int64 {
	fuzzer := NewFuzzer(secret, viewer, window)
	shown := make([]int64, len(scores))
	for i, score := range scores {
		shown[i] = fuzzer.Show(score)
	}
	return shown
}

// Show is the count to show for a score. The first time it takes about ten steps for
// each doubling of the score, later a look-up.
func (f Fuzzer) Show(score int64) int64 {
	const largest = 1 << 53
	switch {
	case score > largest || score < -largest:
		return score
	case score < 0:
		return -f.show(-score)
	}
	return f.show(score)
}

func (f Fuzzer) show(score int64) int64 {
	if score < FuzzExactBelow {
		return score
	}
	built := f.built
	if built == nil {
		built = &stairs{random: splitMix(f.seed)}
	}
	c := built.cell(score)
	if score-c.low > c.step {
		return c.high
	}
	return c.low
}

// cell is the one that score is in; the stairs are built up to there.
func (s *stairs) cell(score int64) cell {
	low := int64(FuzzExactBelow - 1)
	if n := len(s.cells); n > 0 {
		low = s.cells[n-1].high
	}
	for low <= score {
		base := max(fuzzCellMin, low/fuzzCellShare)
		width := base + below(&s.random, base+1)
		s.cells = append(s.cells, cell{low: low, high: low + width, step: below(&s.random, width)})
		low += width
	}
	i, j := 0, len(s.cells)
	for i+1 < j {
		if h := int(uint(i+j) >> 1); s.cells[h].low <= score {
			i = h
		} else {
			j = h
		}
	}
	return s.cells[i]
}

// below is a number in [0, n) from the generator; the bias of the remainder is
// below n/2^64.
func below(random *splitMix, n int64) int64 {
	return int64(random.next() % uint64(n))
}
