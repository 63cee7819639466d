package ranking

import (
	"fmt"
	"math"
)

// Controversy is high if many votes are evenly split:
//
//	(ups + downs) ** (min(ups, downs) / max(ups, downs))
//
// and 0 where either side is empty. It is symmetric, at least 1 when both sides voted, and ups + downs exactly when they are equal.
//
// Source: reddit, r2/r2/lib/db/_sorts.pyx, controversy, in its form of 2014 and later.
//
// pow is not exactly rounded, so the last bits may differ between platforms and from [ControversySQL]: sort by, and build cursors from,
// the values of only one of the two.
func Controversy(ups, downs int64) float64 {
	if ups <= 0 || downs <= 0 {
		return 0
	}
	balance := float64(min(ups, downs)) / float64(max(ups, downs))
	return math.Pow(float64(ups)+float64(downs), balance)
}

// ControversySQL is [Controversy] as a SQLite expression of two integer expressions, equal to about 1e-15 of the value. It needs power,
// which libSQL has, and SQLite if it was built with its math functions; libSQL has no pow.
func ControversySQL(ups, downs string) string {
	return fmt.Sprintf("(CASE WHEN (%[1]s)<=0 OR (%[2]s)<=0 THEN 0.0 ELSE "+
		"power((%[1]s)+(%[2]s),min(%[1]s,%[2]s)*1.0/max(%[1]s,%[2]s)) END)", ups, downs)
}
