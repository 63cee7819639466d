// Package plaza is the module's root: it holds schema.sql and triggers.sql. The stores know the tables by them, and tests make their
// databases from them.
//
// Its tests hold the repository to what the texts about it say: every package has a comment that says what it is for, and
// docs/architecture.md names every folder.
package plaza

import _ "embed"

// Schema is schema.sql: all tables and indexes of the directory and of thread shards.
//
//go:embed schema.sql
var Schema string

// Triggers is triggers.sql: all triggers and views.
//
//go:embed triggers.sql
var Triggers string
