// Package search finds posts, comments, communities and members by words. Each has an index of FTS5 in its database, which triggers write
// in the transaction of the change. A search ranks a bounded number of candidates, so its cost does not grow with the site.
//
// Begin with Store.FindPosts (found.go) and its statements (found_sql.go); weigh.go refuses what is too common. docs/inside/lists.md has
// the reasons, and docs/performance.md the costs.
package search
