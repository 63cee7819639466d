package schema

import (
	"embed"
	"fmt"
)

// Step is a change of every database. Its place in the list is its number, from 1. A step that was released is never
// changed, moved or removed: databases remember the numbers of those that they have taken.
type Step struct {
	// Name says in a word or two what changes; databases remember it as well.
	Name string
	// SQL is one statement or several. They are one transaction together with the note that the step is done.
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

// steps are all steps of the site, in their order. The SQL of each is in steps/, in the file of its number and name.
var steps = [...]Step{
	{Name: "first"},
	{Name: "questions"},
	{Name: "mails"},
	{Name: "profiles"},
	{Name: "keys"},
	{Name: "choices"},
	{Name: "author_posts"},
	{Name: "author_comments"},
	{Name: "author_disputes"},
	{Name: "sessions"},
	{Name: "inbox"},
	{Name: "addresses"},
	{Name: "second_step"},
	{Name: "timelines"},
	{Name: "inbox_mails"},
	{Name: "blocks"},
	{Name: "departures"},
	{Name: "visits"},
	{Name: "tokens"},
	{Name: "names"},
	{Name: "devices"},
	{Name: "moderation_log"},
	{Name: "voters"},
	{Name: "decisions"},
	{Name: "reports"},
	{Name: "avatars"},
	{Name: "held"},
	{Name: "notices"},
	{Name: "roles"},
	{Name: "site_settings"},
	{Name: "bans"},
	{Name: "site_pages"},
	{Name: "modmail"},
	{Name: "rules"},
	{Name: "suspensions"},
	{Name: "invites"},
	{Name: "standings"},
	{Name: "approval"},
	{Name: "clearing"},
	{Name: "appeals"},
	{Name: "standings_filled", Batch: Batch{Table: "communities", Key: []string{"id"}, Rows: 1}},
	{Name: "report_outcomes"},
	{Name: "contact_senders"},
	{Name: "karma_copies"},
	{Name: "karma_marked", Batch: Batch{Table: "author_karma", Key: []string{"author_id"}, Rows: 1000}},
	{Name: "weights"},
	{Name: "weights_filled", Batch: Batch{Table: "queue_items", Key: []string{"target_id"}, Rows: 1000}},
	{Name: "kept"},
	{Name: "rule_answers"},
	{Name: "branch_decisions"},
	{Name: "moderation_counts"},
	{Name: "moderation_counted", Batch: Batch{Table: "communities", Key: []string{"id"}, Rows: 1}},
	{Name: "member_notes"},
	{Name: "flair"},
	{Name: "own_posts"},
	{Name: "tags"},
	{Name: "imported"},
	{Name: "views"},
	{Name: "post_days"},
	{Name: "post_days_counted", Batch: Batch{Table: "post_days", Key: []string{"day"}, Rows: 10}},
	{Name: "tag_keys"},
	{Name: "search"},
	{Name: "search_posts", Batch: Batch{Table: "posts", Key: []string{"id"}, Rows: 500}},
	{Name: "search_comments", Batch: Batch{Table: "comments", Key: []string{"id"}, Rows: 1000}},
	{Name: "search_communities", Batch: Batch{Table: "communities", Key: []string{"id"}, Rows: 1000}},
	{Name: "search_people", Batch: Batch{Table: "users", Key: []string{"id"}, Rows: 1000}},
	{Name: "tag_follows"},
	{Name: "bulk_writes"},
	{Name: "block_follows"},
	{Name: "quiet"},
	{Name: "mail_bounds"},
	{Name: "users_look"},
	{Name: "search_common"},
	{Name: "search_folds"},
	{Name: "search_posts_folded", Batch: Batch{Table: "posts", Key: []string{"id"}, Rows: 500}},
	{Name: "search_comments_folded", Batch: Batch{Table: "comments", Key: []string{"id"}, Rows: 1000}},
	{Name: "search_communities_folded", Batch: Batch{Table: "communities", Key: []string{"id"}, Rows: 1000}},
	{Name: "search_people_folded", Batch: Batch{Table: "users", Key: []string{"id"}, Rows: 1000}},
}

// Version is the number of the last step: the one that a database has to have taken for this build.
const Version = len(steps)

//go:embed steps/*.sql
var files embed.FS

// Steps returns all steps with their SQL.
func Steps() []Step {
	list := steps
	for i := range list {
		text, err := files.ReadFile(fmt.Sprintf("steps/%04d_%s.sql", i+1, list[i].Name))
		if err != nil {
			panic(err) // a test reads them all
		}
		list[i].SQL = string(text)
	}
	return list[:]
}

// Record is the statement that makes the table in which a database remembers its steps. It is made by whatever takes the
// first step.
const Record = `CREATE TABLE IF NOT EXISTS schema_steps (
  number  INTEGER PRIMARY KEY,
  name    TEXT    NOT NULL,
  reached TEXT    NOT NULL DEFAULT '',
  done_at INTEGER
) STRICT`

// Taken reads the number of the last step that a database has taken, 0 when none. It fails when there is no table of
// steps, as in the databases of builds that had none.
const Taken = `SELECT coalesce(max(number), 0) FROM schema_steps WHERE done_at IS NOT NULL`
