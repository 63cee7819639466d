// Package comments keeps comments, on the shard of their post, and reads threads of them. A page of a thread is one statement, which reads
// hardly more than it shows.
//
// # Orders
//
// Best, top, new, old, controversial and Q&A, as ?sort= of a post's page, of a comment's page and of every stub; links of a page keep the
// order. Each is an index over (post, parent, value) with the id behind it, kept by the fold of votes; new and old share one that has no
// value. The Q&A rank (ranking.QARank, from reddit's qa) joins a question with the best answer of the post's author; what has no such
// answer follows in best order. The fold keeps it for votes, and the writes of comments for answers and for changes of a text or a status.
// Of these orders' four indexes, a comment with its counting writes 5 rows, an upvote with its fold 2, and a first downvote on what has
// upvotes 4. All in all, profiles and the work of telling included, a comment of the first level writes 28 rows, a reply 30, an upvote 11
// or 12, and that downvote 14. Telling somebody of a comment writes 10 more.
//
// # A page
//
// A page (page_sql.go) is one statement. It has 200 comments of the first level and, level by level, the first 10 replies of each, five
// levels in all. A page has 380 comments down to the second level, 440 to the third, 475 to the fourth and 500 to the fifth. So what is
// first is shown with its conversation, and what one level leaves goes to the next. Every level is a range of an index that stops at its
// LIMIT, and a level goes on only while there is room, so nothing is read that isn't shown: between 4 and 5 rows a comment.
//
//	rows read for the first page  1,000 comments  20,000  100,000
//	best                                   2,432   2,370    2,405
//	top                                    2,375   2,370    2,231
//	new                                    1,734   1,023      930
//	old                                    2,421   1,996    1,986
//	controversial                          2,311   2,454    2,431
//	Q&A                                    2,435   2,087    2,088
//
// (PLAZA_SLOW=1 go test ./data/content/comments -run TestThreadRows -v; the thread of 1,000 fills 94 to 100 % of a page but for new, where
// what is newest has few replies. ./build.sh bench thread compares the times.)
//
// # A page is limited by its bytes, too
//
// Comments of more than 512 bytes of HTML may take 320 KB on the first level and 624 KB on the page. The shorter ones take 250 KB at most,
// and the markup around 500 comments about 380 KB. So a page has about a megabyte at most, and the database's answer is far smaller than
// the 8 MiB that the edge accepts. (A usual page has 300 KB. All its bytes are copied, hashed and sent, for which the free plan gives 10 ms
// of CPU.) Comments that don't fit are behind stubs. The index comments_long has only the long comments, so the limit costs an ordinary
// page nothing.
//
// # Stubs
//
// Stubs say exactly how many comments are behind them: the descendants of a comment less those of the replies that are shown. Behind a
// cursor that can't be told without reading all of it, so the link carries it (left). A stub is a page without JavaScript and a fragment
// with it; below the last level it is the way to the comment's own page, which shows up to three comments above. Deleted and removed
// comments keep their place and count. worker/post/thread_walk_test.go goes through a whole thread by its stubs in every order and meets
// every comment once; worker/post/thread_oracle_test.go holds pages of random threads to a plain account.
package comments
