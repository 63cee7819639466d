// Package plaza is the module's root: it holds schema.sql, which the steps of data/schema lead to. The stores know the tables by it, and
// tests make their databases from it.
//
// Its tests hold the repository to what the texts about it say: every package has a comment that says what it is for, and
// docs/architecture.md names every folder.
package plaza

import _ "embed"

// Schema is schema.sql: all tables of the directory and of thread shards.
//
//go:embed schema.sql
var Schema string
