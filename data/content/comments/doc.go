// Package comments keeps comments, on the shard of their post, and reads threads of them. A page of a thread is one statement, which reads
// level by level from the index of its order and stops when the page is full.
//
// Begin with Store.Create (create.go) and Store.FindPage (page.go; page_sql.go has the statement). docs/inside/content.md says what bounds
// a page.
package comments
