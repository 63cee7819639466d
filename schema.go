// Package plaza is the module's root: it holds schema.sql for the commands that apply it.
package plaza

import _ "embed"

// Schema is schema.sql: all tables of the directory and of thread shards, idempotent.
//
//go:embed schema.sql
var Schema string
