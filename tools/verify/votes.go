package verify

import (
	"context"

	"plaza/data"
)

// addEarned sums, over all posts and comments of a database, the karma of authors. Its rows are a page's: after the key and the n-th
// column author_id, author_name, earned, uncounted (votesOf).
func addEarned(authors *totals, rows [][]any, comments bool) error {
	for _, row := range rows {
		author, isMember := row[1].(int64)
		earned := row[3].(int64)
		if !isMember || earned == 0 {
			continue
		}
		a, b := earned, int64(0)
		if comments {
			a, b = 0, earned
		}
		if err := authors.add(author, a, b); err != nil {
			return err
		}
	}
	return nil
}

// moreAvatar are the last columns of a page's rows: the copy of the author's avatar, and whether there must be none.
const moreAvatar = `, x.author_avatar, ` + withoutAvatar

// authored returns the copies of authors' names and avatars in a page's rows, and as uncounted the keys of the targets with votes that are
// quarantined or dropped.
func authored(rows [][]any) (copies, avatars []copied, uncounted []int64) {
	for _, row := range rows {
		if author, ok := row[1].(int64); ok {
			key, last := row[0].(int64), len(row)-1
			copies = append(copies, copied{row: key, member: author, text: str(row[2])})
			avatars = append(avatars, copied{row: key, member: author, text: str(row[last-1]), none: row[last] == int64(1)})
		}
		if row[4].(int64) > 0 {
			uncounted = append(uncounted, row[0].(int64))
		}
	}
	return copies, avatars, uncounted
}

const (
	// A quarantined vote belongs to an open case, found by the index quarantines_open. A dropped vote belongs to a
	// dropped case, found by quarantines_decided.
	hasCase = `iif(v.status = ` + data.VoteQuarantinedSQL + `,
  EXISTS (
    SELECT 1 FROM quarantines q CROSS JOIN quarantined_votes m ON m.quarantine_id = q.id AND m.user_id = v.user_id
    WHERE q.target_id = v.target_id AND q.status = 'open'),
  EXISTS (
    SELECT 1 FROM quarantines q CROSS JOIN quarantined_votes m ON m.quarantine_id = q.id AND m.user_id = v.user_id
    WHERE q.community_id = (
        SELECT p.community_id FROM posts p WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = v.target_id), v.target_id))
      AND q.status <> 'open' AND q.status = 'dropped' AND q.target_id = v.target_id))`
	// The votes on targets that are not counted and have no case. Primary key of votes.
	votesWithoutCase = `SELECT v.target_id, v.user_id, v.status FROM json_each(:ids) j CROSS JOIN votes v ON v.target_id = j.value
WHERE NOT ` + isCounted + ` AND NOT ` + hasCase
	countVote = `UPDATE votes AS v SET status = ` + data.VoteCountedSQL + `
WHERE v.target_id = :target AND v.user_id = :user AND v.status = :status AND NOT ` + hasCase
)

// uncountedVotes looks for votes on these targets that are quarantined or dropped but in no such case. A repair lets
// them count.
func (v *verifier) uncountedVotes(ctx context.Context, db *database, targets []int64) error {
	if len(targets) == 0 {
		return nil
	}
	rows, err := rowsOf(ctx, db.Client, votesWithoutCase, named("ids", jsonOf(targets)))
	if err != nil {
		return err
	}
	for _, row := range rows {
		if v.Repair {
			if _, err := v.write(ctx, db.Client, countVote, named("target", row[0]), named("user", row[1]), named("status", row[2])); err != nil {
				return err
			}
		}
		v.report(Difference{Database: db.name, Table: "votes", Key: join(row[:2]), Column: "status",
			Stored: text(row[2]), Computed: data.VoteCountedSQL + ", as no case holds it", Repaired: v.Repair})
	}
	return nil
}
