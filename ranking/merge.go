package ranking

import (
	"cmp"
	"fmt"
	"math"
)

// An Entry is one post of a community's hot listing.
type Entry struct {
	ID  int64
	Hot float64
}

// An Item is an entry in a merged listing with its normalised weight.
type Item struct {
	Entry
	Weight float64 // Weight of its hot score and the top of its community: at most 0
}

// topGrid is the step of a Top: 1/1024 of a hot score, less than half a minute.
const topGrid = 1024

// Top returns the reference for the posts of a community: the hot score of its best post, or floor if that is higher, as in a silent
// community. It is rounded down to whole 1024ths, which take two or three characters in an address.
func Top(hot, floor float64) float64 { return math.Floor(max(hot, floor)*topGrid) / topGrid }

// TopSQL is [Top] as a SQLite expression over two others.
func TopSQL(hotExpr, floorExpr string) string {
	return fmt.Sprintf("(floor(max(%s, %s)*%d)/%d.0)", hotExpr, floorExpr, topGrid, topGrid)
}

// TopUnits returns a Top as a whole number. TopOf is the inverse.
func TopUnits(top float64) int64 { return int64(top * topGrid) }

// TopOf returns the Top of a whole number from TopUnits.
func TopOf(units int64) float64 { return float64(units) / topGrid }

// Weight is the sort value of a front page:
//
//	weight = min(0, hot - top)
//
// So the top posts of all communities come first with weight 0, hottest first among themselves. Another post follows by how many times
// fewer votes it has (a factor of ten is 1), or how much older it is (12.5 hours are 1), than the best of its own community: a community
// with a thousand times the votes has no advantage from its size. A post that rises above its top while a user pages has weight 0, too.
//
// Source: reddit, r2/r2/lib/normalized_hot.py, which sorts by (hot / max(top, 1), hot, date). Its division works because reddit's hot is
// a large positive number. With Plaza's recent epoch hot is near 0 and negative for imported posts, where a quotient reverses a list and
// the clamp to 1 drops whole communities. A difference has the same order if hot is positive and the tops are equal, keeps every list in
// order for any sign, and does not depend on the epoch (all three are tested). Both would give the top of a long silent community the
// best weight, so reddit left old posts out; here the floor replaces a lower top, so a silent community sinks with time. The hot score of
// a fresh post of some days ago is a good floor, negative infinity is none.
func Weight(hot, top float64) float64 { return min(0, hot-top) }

// WeightSQL is [Weight] as a SQLite expression of two others.
func WeightSQL(hotExpr, topExpr string) string { return "min(0.0, " + hotExpr + " - " + topExpr + ")" }

// CompareItems is negative when a comes before b in a merged listing: by weight, then hot, then id, each descending.
func CompareItems(a, b Item) int {
	return cmp.Or(
		cmp.Compare(b.Weight, a.Weight),
		cmp.Compare(b.Hot, a.Hot),
		cmp.Compare(b.ID, a.ID),
	)
}
