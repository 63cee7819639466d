package schema

import "plaza"

// Step is a change of every database. Its place in the list is its number, from 1. A step that was released is never
// changed, moved or removed: databases remember the numbers of those that they have taken.
type Step struct {
	// Name says in a word or two what changes; databases remember it as well.
	Name string
	// SQL is one statement or several, or none where only triggers.sql has changed. They are one transaction together with the note that the
	// step is done.
	SQL string
	// Batch has the step change a large table piece by piece.
	Batch Batch
}

// Batch names the rows that a step changes, a few at a time. For each piece the step's statements run in a transaction of
// their own, with the keys of its first and last row as parameters: :first_id and :last_id for a Key of id.
//
//	UPDATE posts SET … WHERE id BETWEEN :first_id AND :last_id
//	UPDATE votes SET … WHERE (target_id, user_id) BETWEEN (:first_target_id, :first_user_id) AND (:last_target_id, :last_user_id)
//
// The site serves meanwhile. A row that it adds behind the pieces that are done is not visited: an earlier step has to
// make such rows right by themselves, by a default or a trigger.
type Batch struct {
	Table string   // empty: the step is not done in pieces
	Key   []string // the columns of its primary key, or of an index that is unique; integers or text that is not NULL
	Rows  int      // of a piece, at most
}

// Version is the number of the last step: the one that a database has to have taken for this build.
const Version = 1

// Steps returns all steps of the site, in their order. Until 1.0 is released, the first is schema.sql as it is. Then it becomes a copy that
// never changes, and what changes in schema.sql is a step of its own as well. triggers.sql takes no step.
func Steps() []Step { return []Step{{Name: "1.0", SQL: plaza.Schema}} }

// Record is the statement that makes the table in which a database remembers its steps. It is made by whatever takes the
// first step.
const Record = `CREATE TABLE IF NOT EXISTS schema_steps (
  number  INTEGER PRIMARY KEY,
  name    TEXT    NOT NULL,
  reached TEXT    NOT NULL DEFAULT '',
  done_at INTEGER,
  site_url TEXT   NOT NULL DEFAULT ''
) STRICT`

// Taken reads the number of the last step that a database has taken, 0 when none. It fails when there is no table of
// steps, as in an empty database.
const Taken = `SELECT coalesce(max(number), 0) FROM schema_steps WHERE done_at IS NOT NULL`
