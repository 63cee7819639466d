// Package search finds posts, comments, communities and members by words. Store is all that the rest of the site knows of it.
//
// The index is FTS5's, in each database beside what it is about: the tables search_posts and so on of schema.sql, which triggers keep.
//
// FTS5 can rank by relevance (bm25), but for that it counts every match in the whole index, so a common word would cost more with every
// post of the site. Here a search takes a bounded number of candidates and ranks those. Candidates come from the index by falling id, which
// is by time, and it stops at their number. There are several kinds, so that what is good is among them: the newest matches, the newest
// whose title matches, and the newest of each magnitude of the score, which is in the index as a word. Filters are words of the index, too.
package search
