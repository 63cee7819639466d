package verify

import (
	"context"
	"fmt"
	"strings"

	"plaza/data/delivery/outbox"
	"plaza/data/wire/hrana"
)

// A stray is a kind of orphaned row: it belongs to another row, and must be deleted if that does not exist: work that waits, records of
// forms. A repair deletes nothing else.
type orphan struct {
	table   string
	keys    []string // its primary key, of integers and texts
	missing string   // an SQL condition: the row that x belongs to does not exist
	owner   string   // the other row
}

var orphans = []orphan{
	// A vote that was cast stays a row.
	{"vote_deltas", []string{"target_id", "user_id"}, `NOT EXISTS (
  SELECT 1 FROM votes v WHERE v.target_id = x.target_id AND v.user_id = x.user_id)
  OR iif(x.target_id & 1, NOT EXISTS (SELECT 1 FROM comments c WHERE c.id = x.target_id),
    NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = x.target_id))`, "a vote"},
	// Unique index comments_path.
	{"count_deltas", []string{"post_id", "path"}, `NOT EXISTS (SELECT 1 FROM comments c WHERE c.post_id = x.post_id AND c.path = x.path)
  OR NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = x.post_id)`, "a comment"},
	{"outbox", []string{"job", "subject_id"}, orphanedJobs(), "what it is about"},
	{"timeline", []string{"user_id", "posted_at", "post_id"}, `NOT EXISTS (
  SELECT 1 FROM follows f WHERE f.follower_id = x.user_id AND f.followee_id = x.author_id)`, "a follow"},
	// The forms of a deleted account are deleted; shards don't know deleted accounts. For other members only the last day is checked
	// (86400000 ms), because older rows are purged one table after the other. A draft that was deleted has a note.
	{"idempotency_keys", []string{"author_id", "key"}, `EXISTS (SELECT 1 FROM users u
    WHERE u.id = iif(x.author_id = 0 AND x.key GLOB 'signup *', x.result_id, x.author_id) AND u.username = ''
      AND NOT EXISTS (SELECT 1 FROM account_deletions d WHERE d.user_id = u.id AND d.due_at IS NOT NULL))
  OR x.created_at > ` + databaseNow + ` - 86400000 AND CASE substr(x.key, 1, instr(x.key, ' ') - 1)
  WHEN 'post' THEN NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = x.result_id)
    AND NOT EXISTS (SELECT 1 FROM deleted_drafts d WHERE d.post_id = x.result_id)
  WHEN 'comment' THEN NOT EXISTS (SELECT 1 FROM comments c WHERE c.id = x.result_id)
  WHEN 'community' THEN NOT EXISTS (SELECT 1 FROM communities k WHERE k.id = x.result_id)
  WHEN 'signup' THEN NOT EXISTS (SELECT 1 FROM users u WHERE u.id = x.result_id) ELSE 0 END`, "what was created, or who created it"},
	{"comment_sources", []string{"source"}, `NOT EXISTS (SELECT 1 FROM comments c WHERE c.id = x.comment_id)`, "a comment"},
	{"sessions", []string{"id"}, `NOT EXISTS (SELECT 1 FROM users u WHERE u.id = x.user_id)`, "a member"},
	{"tokens", []string{"id"}, `NOT EXISTS (SELECT 1 FROM users u WHERE u.id = x.user_id)`, "a member"},
	{"pushes", []string{"id"}, `NOT EXISTS (SELECT 1 FROM devices d WHERE d.id = x.device_id)`, "a device"},
	{"account_deletions", []string{"user_id"}, `NOT EXISTS (SELECT 1 FROM users u WHERE u.id = x.user_id)`, "a member"},
	{"quarantined_votes", []string{"quarantine_id", "user_id"}, `NOT EXISTS (SELECT 1 FROM quarantines q WHERE q.id = x.quarantine_id)`,
		"a case"},
	{"wiki_pages", []string{"id"}, `NOT EXISTS (SELECT 1 FROM communities k WHERE k.id = x.community_id)`, "a community"},
	// A row of a combination belongs to a post with all of its tags.
	{"post_tags", []string{"key_id", "created_at", "post_id"}, `NOT EXISTS (SELECT 1 FROM posts p CROSS JOIN tag_keys k ON k.id = x.key_id
  WHERE p.id = x.post_id AND p.created_at = x.created_at AND p.status = 'published' AND NOT EXISTS (
    SELECT 1 FROM json_each('["' || replace(k.name, ' ', '","') || '"]') j WHERE instr(' ' || p.tags || ' ', ' ' || j.value || ' ') = 0))`,
		"a post with these tags"},
	{"picture_uses", []string{"sum", "kind", "subject_id", "position"}, unused(), "what shows the picture"},
}

// orphanedJobs returns the condition that the subject of work does not exist. Work of an unknown kind is ignored.
func orphanedJobs() string {
	var text strings.Builder
	text.WriteString("CASE x.job")
	for _, kind := range outbox.Kinds {
		fmt.Fprintf(&text, " WHEN '%s' THEN ", kind.Job)
		for i, column := range kind.About {
			if i > 0 {
				text.WriteString(" AND ")
			}
			table, _, _ := strings.Cut(column, ".")
			fmt.Fprintf(&text, "NOT EXISTS (SELECT 1 FROM %s WHERE %s = x.subject_id)", table, column)
		}
	}
	text.WriteString(" ELSE 0 END")
	return text.String()
}

// pageRows is how many rows a page reads.
const pageRows = 1000

// find selects the keys of a page and whether the row they belong to is missing. later makes it begin after the keys :k0 and so on.
func (s orphan) find(later bool) string {
	keys, where := strings.Join(s.keys, ", "), ""
	if later {
		names := make([]string, len(s.keys))
		for i := range names {
			names[i] = fmt.Sprintf(":k%d", i)
		}
		where = fmt.Sprintf(" WHERE (%s) > (%s)", keys, strings.Join(names, ", "))
	}
	return fmt.Sprintf("SELECT %s, coalesce(%s, 0) FROM %s x%s ORDER BY %s LIMIT :limit", keys, s.missing, s.table, where, keys)
}

// repair deletes the rows whose keys are in :keys, an array of arrays, if the row they belong to is still missing.
func (s orphan) repair() string {
	values := make([]string, len(s.keys))
	for i := range values {
		values[i] = fmt.Sprintf("value ->> %d", i)
	}
	return fmt.Sprintf("DELETE FROM %s AS x WHERE (%s) IN (SELECT %s FROM json_each(:keys)) AND (%s)",
		s.table, strings.Join(s.keys, ", "), strings.Join(values, ", "), s.missing)
}

func (v *verifier) orphans(ctx context.Context, db *database, s orphan) error {
	query, args := s.find(false), []hrana.Named{named("limit", pageRows)}
	for {
		rows, err := rowsOf(ctx, db.Client, query, args...)
		if err != nil {
			return err
		}
		var lost [][]any
		var found []Difference
		for _, row := range rows {
			keys := row[:len(s.keys)]
			if row[len(s.keys)] != int64(0) {
				lost = append(lost, keys)
				found = append(found, Difference{Database: db.name, Table: s.table, Key: join(keys), Column: "row", Stored: "there",
					Computed: "gone, as it belongs to no row: " + s.owner + " is missing", Repaired: v.Repair})
			}
		}
		for rest := lost; v.Repair && len(rest) > 0; rest = rest[min(len(rest), repairStep):] {
			if _, err := v.write(ctx, db.Client, s.repair(), named("keys", jsonOf(rest[:min(len(rest), repairStep)]))); err != nil {
				return err
			}
		}
		v.report(found...)
		v.read(db, s.table, len(rows))
		if len(rows) < pageRows {
			return nil
		}
		query, args = s.find(true), args[:1]
		for i, key := range rows[len(rows)-1][:len(s.keys)] {
			args = append(args, named(fmt.Sprintf("k%d", i), key))
		}
	}
}

// join returns a key of several columns for reports.
func join(keys []any) string {
	list := make([]string, len(keys))
	for i, key := range keys {
		list[i] = fmt.Sprint(key)
	}
	return strings.Join(list, ", ")
}

// voteTargets goes from one target to the next in the primary key of votes.
const voteTargets = `WITH RECURSIVE t (id) AS (SELECT min(target_id) FROM votes WHERE target_id > :after
  UNION ALL SELECT (SELECT min(v.target_id) FROM votes v WHERE v.target_id > t.id) FROM t WHERE t.id IS NOT NULL LIMIT :limit)
SELECT t.id, iif(t.id & 1, EXISTS (SELECT 1 FROM comments c WHERE c.id = t.id), EXISTS (SELECT 1 FROM posts p WHERE p.id = t.id))
FROM t WHERE t.id IS NOT NULL`

// lostVotes reports votes without a target. They are not deleted: a vote can't be derived from other data, and its target may be
// restored.
func (v *verifier) lostVotes(ctx context.Context, db *database) error {
	for after := int64(0); ; {
		rows, err := rowsOf(ctx, db.Client, voteTargets, named("after", after), named("limit", pageRows))
		if err != nil {
			return err
		}
		for _, row := range rows {
			after = row[0].(int64)
			if row[1] == int64(0) {
				v.report(Difference{Database: db.name, Table: "votes", Key: fmt.Sprint(after), Column: "target_id",
					Stored: fmt.Sprint(after), Computed: "nothing", NotRepaired: v.skippedBecause("there is no such post or comment")})
			}
		}
		if len(rows) < pageRows {
			return nil
		}
	}
}
