package ranking

import (
	"fmt"
	"time"
)

const (
	// activeStep is the precision of the time of a comment. Comments of the same minute don't move a post twice.
	activeStep = int64(time.Minute / time.Millisecond)
	// activeHead is added to the middle between post and comment: up to twice that age a comment counts with its own time.
	activeHead = int64(24 * time.Hour / time.Millisecond)
)

// Active is the rank of a post in the order "active", in Unix milliseconds, with a last comment (to a minute) by another member than the
// author of the post. A post without one has its own time. In the first two days a comment counts with its own time. Later it counts as
// if it came a day after the middle between post and comment: one comment lifts a thread of a week to two and a half days ago, and a
// thread of a year to half a year ago. So long discussions stay near the top, and a single comment does not put an old thread above
// today's threads. The rank changes only with comments, not with the clock.
//
// Source: Lemmy, whose order Active ranks by newest_comment_time_necro, the last comment that others than the author wrote within two
// days of the post (github.com/LemmyNet/lemmy, crates/db_schema/replaceable_schema/triggers.sql). There later comments don't count, so
// small communities, whose threads last for weeks, would have no useful order. That is why they count here, by half.
func Active(posted, commented time.Time) int64 {
	p := posted.UnixMilli()
	c := commented.UnixMilli()
	c -= c % activeStep
	return max(p, min(c, (p+c)/2+activeHead))
}

// ActiveSQL is [Active] as a SQLite expression of two integer expressions in Unix milliseconds, which have to be columns or parameters.
// The second may be NULL, for no comment.
func ActiveSQL(posted, commented string) string {
	c := fmt.Sprintf("%s/%d*%[2]d", commented, activeStep)
	return fmt.Sprintf("max(%[1]s, coalesce(min(%[2]s, (%[1]s + %[2]s)/2 + %[3]d), 0))", posted, c, activeHead)
}
