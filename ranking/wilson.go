package ranking

import (
	"fmt"
	"math"
)

// wilsonZ is the normal quantile of an 80% two-sided confidence interval. A variable, not a constant, so that z*z is
// rounded at run time as in SQL.
var wilsonZ = 1.281551565545

const wilsonZText = "1.281551565545"

// Wilson is the lower bound of the Wilson score interval of the share of upvotes: "best" for comments. With upvotes it is in (0, 1). For
// negative counts, which are invalid, it is 0.
//
// Without upvotes the published bound is 0, however many downvotes there are. So that downvotes count, Wilson is then -downs/(downs+1),
// which is above -1.
//
// Published form, with n = ups + downs and p = ups/n:
//
//	(p + z²/2n - z*sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)
//
// Computed with numerator and denominator multiplied by 2n, which is the same number without the cancellation near p = 0:
//
//	(2*ups + z² - z*sqrt(z² + 4*ups*downs/n)) / (2*(n + z²))
//
// Sources: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927); Evan Miller, "How Not To
// Sort By Average Rating" (2009); z from reddit, r2/r2/lib/db/_sorts.pyx, _confidence.
func Wilson(ups, downs int64) float64 {
	u, d := float64(ups), float64(downs)
	switch {
	case ups < 0 || downs < 0 || ups+downs == 0:
		return 0
	case ups == 0:
		return -d / (d + 1)
	}
	n := u + d
	zz := float64(wilsonZ * wilsonZ)
	root := math.Sqrt(zz + float64(4*u*d)/n)
	return (float64(2*u) + zz - float64(wilsonZ*root)) / float64(2*(n+zz))
}

// WilsonSQL is [Wilson] as a SQLite expression of two integer expressions, with the same steps and so the same number. It needs SQLite's
// math functions.
func WilsonSQL(ups, downs string) string {
	return fmt.Sprintf("(CASE WHEN (%[1]s)<0 OR (%[2]s)<0 OR (%[1]s)+(%[2]s)=0 THEN 0.0 WHEN (%[1]s)=0 THEN -1.0*(%[2]s)/((%[2]s)+1.0) ELSE "+
		"(2.0*(%[1]s)+%[3]s*%[3]s-%[3]s*sqrt(%[3]s*%[3]s+4.0*(%[1]s)*(%[2]s)/((%[1]s)+(%[2]s))))"+
		"/(2.0*((%[1]s)+(%[2]s)+%[3]s*%[3]s)) END)", ups, downs, wilsonZText)
}
