package mover

import (
	"context"
	"slices"

	"plaza/data"
	"plaza/data/wire/hrana"
)

// What authors have earned in the slot is part of their karma on its shard, which is one number for all communities. The target adds up
// in slot_karma what its rows of the slot are worth, in the transactions that write these rows. It is worth what the fold has added
// (data/content/votes/counters.go): the votes of others that count, without those that wait in vote_deltas. So the sum is exact
// whatever is copied twice, or before the post that it is for. When the slot has moved, the sum goes from the karma on the source to
// that on the target.

const (
	addEarned = `INSERT INTO slot_karma (author_id, posts, comments)
SELECT e.author, sum(iif(e.target & 1, 0, e.n)), sum(iif(e.target & 1, e.n, 0)) FROM (`
	earnedEnd = `) e WHERE e.author IS NOT NULL AND e.author <> e.voter GROUP BY e.author
ON CONFLICT (author_id) DO UPDATE SET posts = posts + excluded.posts, comments = comments + excluded.comments`

	authorOf = `iif(x.target_id & 1, (SELECT c.author_id FROM comments c WHERE c.id = x.target_id),
    (SELECT p.author_id FROM posts p WHERE p.id = x.target_id)) AS author`
	// ?1 has pairs of a target and a voter, ?2 is 1 or -1.
	ofVotes = addEarned + `SELECT x.target_id AS target, x.user_id AS voter, ?2 * x.value AS n, ` + authorOf + `
  FROM json_each(?1) j CROSS JOIN votes x ON x.target_id = j.value ->> 0 AND x.user_id = j.value ->> 1 WHERE x.status = ` +
		data.VoteCountedSQL + earnedEnd
	ofDeltas = addEarned + `SELECT x.target_id AS target, x.user_id AS voter, ?2 * (x.downs - x.ups) AS n, ` + authorOf + `
  FROM json_each(?1) j CROSS JOIN vote_deltas x ON x.target_id = j.value ->> 0 AND x.user_id = j.value ->> 1 WHERE true` + earnedEnd

	// Votes may be there before what they are for. o has those targets whose author is another one now. ?1 has pairs of a target and its
	// author; NULL: nobody.
	ofTargets = `
SELECT o.id AS target, o.author, x.user_id AS voter, o.sign * x.value AS n FROM o
CROSS JOIN votes x ON x.target_id = o.id WHERE x.status = ` +
		data.VoteCountedSQL + `
UNION ALL SELECT o.id, o.author, x.user_id, o.sign * (x.downs - x.ups) FROM o CROSS JOIN vote_deltas x ON x.target_id = o.id`
)

// changedAuthors is o of ofTargets for posts or comments.
func changedAuthors(table string) string {
	return `WITH o AS MATERIALIZED (
  SELECT j.value ->> 0 AS id, j.value ->> 1 AS author, 1 AS sign FROM json_each(?1) j WHERE j.value ->> 1 IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM ` + table + ` t WHERE t.id = j.value ->> 0 AND t.author_id = j.value ->> 1)
  UNION ALL SELECT t.id, t.author_id, -1 FROM json_each(?1) j CROSS JOIN ` + table + ` t ON t.id = j.value ->> 0
    WHERE t.author_id IS NOT NULL AND t.author_id IS NOT j.value ->> 1) `
}

// earnedBefore are the statements that count before rows are written: what those are worth that are there, and what authors have earned by
// posts or comments that were missing.
func (t *table) earnedBefore(columns []string, keys, rows [][]any) []hrana.Stmt {
	switch t.name {
	case "votes", "vote_deltas":
		return []hrana.Stmt{t.ofPairs(keys, -1)}
	case "posts", "comments":
		authors := map[any]any{}
		for _, row := range rows {
			authors[row[slices.Index(columns, "id")]] = row[slices.Index(columns, "author_id")]
		}
		var list [][]any
		for _, key := range keys {
			list = append(list, []any{key[0], authors[key[0]]})
		}
		return []hrana.Stmt{{SQL: addEarnedBy(t.name), Args: []any{listOf(list)}}}
	}
	return nil
}

func addEarnedBy(table string) string {
	return `INSERT INTO slot_karma (author_id, posts, comments) ` + changedAuthors(table) + `
SELECT e.author, sum(iif(e.target & 1, 0, e.n)), sum(iif(e.target & 1, e.n, 0)) FROM (` + ofTargets + earnedEnd
}

// earnedAfter are those that count afterwards.
func (t *table) earnedAfter(keys [][]any) []hrana.Stmt {
	if t.name == "votes" || t.name == "vote_deltas" {
		return []hrana.Stmt{t.ofPairs(keys, 1)}
	}
	return nil
}

func (t *table) ofPairs(keys [][]any, sign int) hrana.Stmt {
	sql := ofVotes
	if t.name == "vote_deltas" {
		sql = ofDeltas
	}
	return hrana.Stmt{SQL: sql, Args: []any{listOf(keys), sign}}
}

const (
	earnedPage = `SELECT author_id, posts, comments FROM slot_karma WHERE author_id > ?1 ORDER BY author_id LIMIT 500`
	namesOf    = `SELECT u.id, iif(u.username = '', '~' || u.id, u.username_key) FROM json_each(?1) j
CROSS JOIN users u ON u.id = j.value ->> 0`

	// ?1 has authors, with what they have earned. Those who have a row of slot_karma have lost it already.
	loseEarned = `UPDATE author_karma SET posts = posts - (j.value ->> 1), comments = comments - (j.value ->> 2) FROM json_each(?1) j
WHERE author_karma.author_id = j.value ->> 0 AND author_karma.author_id IN (SELECT value ->> 0 FROM json_each(?1))
  AND NOT EXISTS (SELECT 1 FROM slot_karma s WHERE s.author_id = j.value ->> 0)`
	markLost = `INSERT INTO slot_karma (author_id, posts, comments) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1)
WHERE true ON CONFLICT DO NOTHING`
	// ?1 has authors and their names in lower case. Those who have no row of slot_karma any more have gained it already.
	gainEarned = `INSERT INTO author_karma (author_id, name_key, posts, comments)
SELECT s.author_id, j.value ->> 1, s.posts, s.comments FROM json_each(?1) j CROSS JOIN slot_karma s ON s.author_id = j.value ->> 0
WHERE s.posts <> 0 OR s.comments <> 0
ON CONFLICT (author_id) DO UPDATE SET posts = posts + excluded.posts, comments = comments + excluded.comments`
	// So that the karma of these authors is copied into the directory (accounts.CopyKarma).
	markKarma    = `INSERT INTO karma_changed (author_id) SELECT value ->> 0 FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`
	forgetEarned = `DELETE FROM slot_karma WHERE author_id IN (SELECT value ->> 0 FROM json_each(?1))`
)

// karma counts the decisions about the communities on both shards, which takes long in long logs. Then it takes what was earned in the slot
// from the karma on the source, and gives it to that on the target, some authors at a time.
func (m *Move) karma(ctx context.Context, _ string) error {
	ids, err := m.communities(ctx)
	if err != nil {
		return err
	}
	if err := m.countDecisions(ctx, m.target, ids, -1); err != nil {
		return err
	}
	if err := m.countDecisions(ctx, m.source, ids, m.Slot); err != nil {
		return err
	}
	for after := int64(0); ; {
		if err := m.beat(ctx); err != nil {
			return err
		}
		results, err := m.target.Query(ctx, hrana.Stmt{SQL: earnedPage, Args: []any{after}})
		if err != nil {
			return err
		}
		rows := results[0].Rows()
		if len(rows) == 0 {
			return nil
		}
		after = rows[len(rows)-1][0].(int64)
		list := listOf(rows)
		results, err = m.Directory.Query(ctx, hrana.Stmt{SQL: namesOf, Args: []any{list}})
		if err != nil {
			return err
		}
		names := map[any]any{}
		for _, row := range results[0].Rows() {
			names[row[0]] = row[1]
		}
		var named [][]any
		for _, row := range rows {
			if names[row[0]] == nil {
				names[row[0]] = "~" + data.ID(row[0].(int64)).String() // an author of a row that names no member
			}
			named = append(named, []any{row[0], names[row[0]]})
		}
		lose := []hrana.Stmt{{SQL: loseEarned, Args: []any{list}}, {SQL: markLost, Args: []any{list}}, {SQL: markKarma, Args: []any{list}}}
		if err := m.withoutTriggers(ctx, m.source, lose...); err != nil {
			return err
		}
		authors := []any{listOf(named)}
		if err := m.tx(ctx, m.target, hrana.Stmt{SQL: gainEarned, Args: authors}, hrana.Stmt{SQL: markKarma, Args: authors},
			hrana.Stmt{SQL: forgetEarned, Args: authors}); err != nil {
			return err
		}
	}
}
