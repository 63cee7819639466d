package posts

import (
	"strconv"
	"strings"
	"time"
)

// The column comment_times of a post is a JSON object: how many comments were written at an age of the post. The map of a thread draws it.
// It costs no row: a page reads the row of the post anyway, and a delta run writes it anyway.
//
// Ages are in minutes, as numbers of five binary digits and an exponent: 0 to 31 are minutes, 32 to 47 are the sixteen parts of the time
// from 32 to 64 minutes, and so on. So each age is exact to a sixteenth, and a thread that goes on for years has about 300 numbers. 1e-9
// is added because the logarithm of a power of two may be rounded down.

// AddCommentTimes returns the SQL of comment_times with more comments. times is a SELECT of when they were written, in a column named at.
func AddCommentTimes(commentTimes, createdAt, times string) string {
	return `(SELECT json_group_object(age, n) FROM (SELECT age, sum(n) AS n FROM (
    SELECT CAST(key AS INTEGER) AS age, value AS n FROM json_each(` + commentTimes + `)
    UNION ALL SELECT (minutes >> exponent) + 16 * exponent, 1 FROM (
      SELECT minutes, max(CAST(log10(max(minutes, 1)) * 3.32192809488736 + 1e-9 AS INTEGER) - 4, 0) AS exponent FROM (
        SELECT max(at - ` + createdAt + `, 0) / 60000 AS minutes FROM (` + times + `)))) GROUP BY age))`
}

// CommentSpan is how many comments were written in a span of time.
type CommentSpan struct {
	From, To time.Time
	Comments int64
}

// CommentSpans returns when the counted comments of a post were written. Only FindBySlug and FindByID read it.
func (p *Post) CommentSpans() (list []CommentSpan) {
	for pair := range strings.SplitSeq(strings.Trim(p.commentTimes, "{}"), ",") {
		key, value, _ := strings.Cut(pair, ":")
		age, err := strconv.ParseUint(strings.Trim(key, `"`), 10, 16)
		n, _ := strconv.ParseInt(value, 10, 64)
		if err != nil || n <= 0 {
			continue
		}
		exponent := max(age/16, 1) - 1
		minutes := func(digits uint64) time.Time { return p.CreatedAt.Add(time.Duration(digits<<exponent) * time.Minute) }
		list = append(list, CommentSpan{minutes(age - 16*exponent), minutes(age - 16*exponent + 1), n})
	}
	return list
}
