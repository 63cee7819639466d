// Package comments keeps comments, on the shard of their post, and reads threads of them. A page of a thread is one statement, which reads
// hardly more than it shows.
//
// # Orders
//
// The orders are best, top, new, old, controversial and Q&A. They are the values of ?sort= on the page of a post or a comment, and on every
// stub; links of a page keep the order. Each order is an index over (post, parent, value) with the id behind it, kept by the fold of votes.
// New and old share an index without a value. The Q&A rank (ranking.QARank, from reddit's qa) combines a question with the best reply of
// the post's author. Comments without such a reply follow in best order. The fold updates the rank for votes. The statements that write
// comments update it for replies and for changes of a text or a status.
//
// The values that the indexes have may be off by a 32nd, so that most votes on a comment with many points write none of them
// (data/content/votes, "Rows written"). docs/performance.md says how many rows a comment and a vote write.
//
// # A page
//
// A page (page_sql.go) is one statement. It has 100 comments of the first level and, level by level, the first 5 replies of each, five
// levels in all. A page has at most 145 comments down to the second level, 160 to the third, 170 to the fourth and 180 to the fifth. So the
// first comments are shown with their conversation, and room that one level leaves goes to the next. Every level is a range of an index
// that stops at its LIMIT, and a level goes on only while there is room. So the page reads only the comments that it shows: between 4 and 5
// rows for each.
//
//	rows read for the first page  1,000 comments  20,000  100,000
//	best                                   2,432   2,370    2,405
//	top                                    2,375   2,370    2,231
//	new                                    1,734   1,023      930
//	old                                    2,421   1,996    1,986
//	controversial                          2,311   2,454    2,431
//	Q&A                                    2,435   2,087    2,088
//
// (PLAZA_SLOW=1 go test ./data/content/comments -run TestThreadRows -v; the thread of 1,000 fills 94 to 100 % of a page, except in the
// order new, because the newest comments have few replies. ./build.sh bench thread compares the times.)
//
// # A page is limited by its bytes, too
//
// Comments of more than 512 bytes, HTML and described pictures together, may take 320 KB on the first level and 624 KB on the page. The
// shorter ones take 92 KB at most, the markup around 180 comments about 180 KB, and that around four pictures in each of them 120 KB more
// than the column that is counted. So a page has about a megabyte at most, and the database's answer is far smaller than the 8 MiB that the
// edge accepts. (A usual page has 300 KB. All its bytes are copied, hashed and sent, for which the free plan gives 10 ms of CPU.) Comments
// that don't fit are behind stubs. The index comments_long has only the long comments, so the limit costs an ordinary page nothing.
//
// # Stubs
//
// A stub says exactly how many comments are behind it: the descendants of a comment, less those of the shown replies. Behind a cursor, that
// number can't be known without reading all of them, so the link carries it (left). A stub opens a page without JavaScript and a fragment
// with it. Below the last level it leads to the comment's own page, which shows up to two comments above. Deleted and removed comments
// keep their position and count. worker/post/thread_walk_test.go goes through a whole thread by its stubs in every order and meets every
// comment once; worker/post/thread_oracle_test.go compares pages of random threads with a simple model.
package comments
