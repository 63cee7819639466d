// Package posts keeps posts: what members submit, keep as drafts, schedule, edit and delete, on the shard of their community. The revision
// of a form is part of each statement that edits, so no edit overwrites another. Package listings reads lists of posts. Votes and comments
// have packages of their own.
//
// Begin with Post (post.go) and Store.Create (create.go). Callers publish with package publishing. docs/inside/content.md says what
// happens to deleted posts, crossposts and drafts.
package posts
