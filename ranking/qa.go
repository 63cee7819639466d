package ranking

import (
	"fmt"
	"math"
)

// An Answer is a reply of the thread's author to a comment.
type Answer struct {
	Ups, Downs int64
	Length     int // of the Markdown source, in characters
}

// QA is the rank of a comment in the order "Q&A", which prefers good pairs of question and answer. length is the comment's in characters,
// answers are the direct replies by the author of the post, in any order.
//
//	Wilson(comment) + Wilson(best answer) + log10(length + length of best answer)/5
//
// Here the bound is 0 without upvotes, as in Wilson's publication.
//
// The best answer is the one with the highest Wilson bound, and the longest among equals. Without one the second term is 0 and its length
// counts as 1. The result is rounded to seven decimals, so that it is the same number on every platform.
//
// Source: reddit, r2/r2/lib/db/_sorts.pyx, qa and _qa.
func QA(ups, downs int64, length int, answers ...Answer) float64 {
	best, bestLength := 0.0, 1
	for i, a := range answers {
		w := Wilson(a.Ups, a.Downs)
		if i == 0 || w > best || w == best && a.Length > bestLength {
			best, bestLength = w, a.Length
		}
	}
	chars := max(length+bestLength, 1)
	return round7(max(Wilson(ups, downs), 0) + max(best, 0) + math.Log10(float64(chars))/5)
}

// QARank is the stored rank for the order "Q&A": 1 + [QA] for a comment to which the author of the post has replied, and [Wilson], which
// is below 1, for others. So questions with answers come first, and the others in the order "best"; by [QA] alone a long comment without
// an answer would rank above a short question with its answer.
func QARank(ups, downs int64, length int, answers ...Answer) float64 {
	if len(answers) == 0 {
		return Wilson(ups, downs)
	}
	return 1 + QA(ups, downs, length, answers...)
}

// QARankSQL is [QARank] of an answered comment as a SQLite expression, exactly the same number. Its arguments are
// expressions: the Wilson bound and length of the comment, and those of its best answer.
func QARankSQL(best, length, answerBest, answerLength string) string {
	return fmt.Sprintf("(1.0+floor((max((%s),0.0)+max((%s),0.0)+log10(max((%s)+(%s),1))/5.0)*1e7+0.5)/1e7)", best, answerBest,
		length, answerLength)
}
