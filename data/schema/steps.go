package schema

import "plaza"

// Step is a change of every database. Its number is its place in the list, from 1. A released step is never changed, moved or removed:
// databases store the numbers of the steps that they have taken.
type Step struct {
	// Name says in a word or two what changes; databases store it as well.
	Name string
	// SQL is one statement or several, or none if only triggers.sql has changed. They are one transaction together with the record that the
	// step is done.
	SQL string
	// Batch makes the step change a large table piece by piece.
	Batch Batch
}

// Batch makes a step change rows in small pieces. For each piece the step's statements run in a transaction of their own, with the keys
// of its first and last row as parameters: :first_id and :last_id for a Key of id.
//
//	UPDATE posts SET … WHERE id BETWEEN :first_id AND :last_id
//	UPDATE votes SET … WHERE (target_id, user_id) BETWEEN (:first_target_id, :first_user_id) AND (:last_target_id, :last_user_id)
//
// The site runs meanwhile. The step does not visit rows that are added to pieces that are done: an earlier step must make such rows
// correct, by a default or a trigger.
type Batch struct {
	Table string   // empty: the step is not done in pieces
	Key   []string // the columns of its primary key, or of a unique index; integers or text that is not NULL
	Rows  int      // in a piece, at most
}

// Version is the number of the last step. A database must have taken it for this build.
const Version = 1

// Steps returns all steps of the site, in their order. Until 1.0 is released, the first is schema.sql itself. Then it becomes a copy that
// never changes, and each change of schema.sql also becomes a step. triggers.sql needs no step.
func Steps() []Step { return []Step{{Name: "1.0", SQL: plaza.Schema}} }

// Record is the statement that makes the table of the steps that a database has taken. The first step is taken after it.
const Record = `CREATE TABLE IF NOT EXISTS schema_steps (
  number  INTEGER PRIMARY KEY,
  name    TEXT    NOT NULL,
  reached TEXT    NOT NULL DEFAULT '',
  done_at INTEGER,
  site_url TEXT   NOT NULL DEFAULT ''
) STRICT`

// Taken reads the number of the last step that a database has taken, 0 if none. It fails if there is no table of steps, as in an empty
// database.
const Taken = `SELECT coalesce(max(number), 0) FROM schema_steps WHERE done_at IS NOT NULL`
