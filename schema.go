// Package plaza is the module's root: it holds schema.sql, which the steps of data/schema lead to.
package plaza

import _ "embed"

// Schema is schema.sql: all tables of the directory and of thread shards.
//
//go:embed schema.sql
var Schema string
