package ranking

import (
	"fmt"
	"math"
	"time"
)

const (
	// HotEpochSeconds is Plaza's own epoch, 2026-01-01T00:00:00Z, in Unix seconds. Stored hot scores depend on it: it
	// never changes.
	HotEpochSeconds int64 = 1767225600

	// HotDivisor is the difference in age, in seconds, that equals a factor of ten in score: 12.5 hours.
	HotDivisor int64 = 45000

	hotEpochMillis = HotEpochSeconds * 1000

	// The time part of hot, in units of the seventh decimal, is ms / (HotDivisor*1000) * 1e7 = 2*ms / hotNinths.
	hotNinths = HotDivisor * 1000 * 2 / 1e7
)

// Hot is the rank of a post in a hot listing:
//
//	round(sign(score)*log10(max(|score|, 1)) + (created - epoch)/45000, 7)
//
// with score = ups - downs and times in seconds. created counts in whole milliseconds, the resolution Plaza stores. It changes only with
// votes.
//
// Source: reddit, r2/r2/lib/db/_sorts.pyx, _hot (github.com/reddit-archive/reddit), with Plaza's epoch.
//
// The time part is an integer up to the last step, so that rounding has only the error of the logarithm (1e-8 of a step) and not that of
// a sum a thousand times larger. The naive form differs between platforms once in some 100,000 posts; for |score| <= 100,000 this one
// never does (a test measures the distance to the nearest tie).
func Hot(ups, downs int64, created time.Time) float64 {
	score := ups - downs
	magnitude := math.Max(math.Abs(float64(score)), 1)
	order := float64(float64(sign(score)) * math.Log10(magnitude) * 1e7)
	t := 2 * (created.UnixMilli() - hotEpochMillis)
	steps := float64(t/hotNinths) + math.Floor(order+float64(t%hotNinths)/float64(hotNinths)+0.5)
	return steps / 1e7
}

// HotSQL is [Hot] as a SQLite expression of two integer expressions: the net score, and the creation time in Unix milliseconds. Both
// appear more than once, so they should be columns or parameters. It needs SQLite's math functions.
//
// The steps are the same as in Hot; SQLite's integer / and % truncate towards zero like Go's. SQLite's own round() is avoided: its
// treatment of digits beyond the fifteenth depends on the version.
func HotSQL(scoreExpr, createdMillisExpr string) string {
	s := "(" + scoreExpr + ")"
	t := fmt.Sprintf("(2*((%s)-%d))", createdMillisExpr, hotEpochMillis)
	return fmt.Sprintf("((%[2]s/%[3]d+floor(sign(%[1]s)*log10(max(abs(%[1]s),1))*1e7+(%[2]s%%%[3]d)/%[3]d.0+0.5))/1e7)",
		s, t, hotNinths)
}
