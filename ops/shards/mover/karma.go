package mover

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"plaza/data"
	"plaza/data/wire/hrana"
)

// The karma of an author on a shard is one number for all communities. The slot's part is what delta runs have added
// (data/content/votes/counters.go): the counted votes of others, without those in vote_deltas. frozen_slots.earned is the last author whose
// part is included in the karma on a shard.

const (
	// ?1 has keys of votes or of vote_deltas.
	ofAuthors = `) SELECT a.author, a.name, sum(iif(a.target & 1, 0, a.n)), sum(iif(a.target & 1, a.n, 0)) FROM (
  SELECT e.target, e.n, coalesce(p.author_id, c.author_id) AS author, coalesce(p.author_name, c.author_name) AS name, e.voter
  FROM e LEFT JOIN posts p ON p.id = e.target LEFT JOIN comments c ON c.id = e.target) a
WHERE a.author IS NOT NULL AND a.author <> a.voter GROUP BY a.author`
	byVotes = `WITH e AS MATERIALIZED (SELECT x.target_id AS target, x.user_id AS voter, x.value AS n FROM json_each(?1) j
  CROSS JOIN votes x ON x.target_id = j.value ->> 0 AND x.user_id = j.value ->> 1 WHERE x.status = ` + data.VoteCountedSQL + ofAuthors
	byDeltas = `WITH e AS MATERIALIZED (SELECT x.target_id AS target, x.user_id AS voter, x.downs - x.ups AS n FROM json_each(?1) j
  CROSS JOIN vote_deltas x ON x.target_id = j.value ->> 0 AND x.user_id = j.value ->> 1` + ofAuthors

	// ?1 has authors, their names and their karma in the slot. ?3 is the previous value of frozen_slots.earned, so nothing is added twice. If
	// the author was renamed, another member may have the name.
	addEarned = `INSERT INTO author_karma (author_id, name_key, posts, comments)
SELECT j.value ->> 0, iif(j.value ->> 1 = '' OR EXISTS (SELECT 1 FROM author_karma k WHERE k.name_key = lower(j.value ->> 1)
    AND k.author_id <> j.value ->> 0), '~' || (j.value ->> 0), lower(j.value ->> 1)), j.value ->> 2, j.value ->> 3 FROM json_each(?1) j
WHERE (SELECT earned FROM frozen_slots WHERE slot = ?2) = ?3
ON CONFLICT (author_id) DO UPDATE SET posts = posts + excluded.posts, comments = comments + excluded.comments`
	markKarma = `INSERT INTO karma_changed (author_id) SELECT value ->> 0 FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`
	hasEarned = `UPDATE frozen_slots SET earned = ?1 WHERE slot = ?2 AND earned = ?3`
	earnedNow = `SELECT earned FROM frozen_slots WHERE slot = ?1`

	// Values of frozen_slots.earned.
	noAuthors, allAuthors = 0, 1 << 62
	maxAuthors            = 1000 // in a transaction
)

// addKarma adds the authors' karma in the slot to that on db, or with sign -1 subtracts it. rows is a shard with the slot's rows.
func (m *Move) addKarma(ctx context.Context, db, rows *hrana.Client, sign int64) error {
	results, err := db.Query(ctx, hrana.Stmt{SQL: earnedNow, Args: []any{m.Slot}})
	if err != nil || len(results[0].Rows()) == 0 {
		return cmp.Or(err, ErrTaken)
	}
	had, end := results[0].Rows()[0][0].(int64), int64(allAuthors)
	if sign < 0 {
		end = noAuthors
	}
	if had == end {
		return nil
	}
	earned := map[int64][]any{}
	for name, sql := range map[string]string{"votes": byVotes, "vote_deltas": byDeltas} {
		err := m.scan(ctx, rows, find(name), func(keys [][]any) error {
			results, err := rows.Query(ctx, hrana.Stmt{SQL: sql, Args: []any{listOf(keys)}})
			if err != nil {
				return err
			}
			for _, row := range results[0].Rows() {
				author := row[0].(int64)
				if earned[author] == nil {
					earned[author] = []any{author, row[1], int64(0), int64(0)}
				}
				for i := 2; i < 4; i++ {
					earned[author][i] = earned[author][i].(int64) + sign*row[i].(int64)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	// Karma is added in ascending order of authors, and subtracted in descending order. Authors up to had, or after it, are done.
	authors := slices.DeleteFunc(slices.Sorted(maps.Keys(earned)), func(id int64) bool { return (sign > 0) == (id <= had) })
	if sign < 0 {
		slices.Reverse(authors)
	}
	for some := range slices.Chunk(authors, maxAuthors) {
		list := make([][]any, len(some))
		for i, author := range some {
			list[i] = earned[author]
		}
		now := some[len(some)-1]
		if sign < 0 {
			now--
		}
		args := []any{listOf(list), m.Slot, had}
		if err := m.tx(ctx, db, hrana.Stmt{SQL: addEarned, Args: args}, hrana.Stmt{SQL: markKarma, Args: args[:1]},
			hrana.Stmt{SQL: hasEarned, Args: []any{now, m.Slot, had}}); err != nil {
			return err
		}
		had = now
		if err := m.After(m.now.Step, false); err != nil {
			return err
		}
	}
	return m.tx(ctx, db, hrana.Stmt{SQL: hasEarned, Args: []any{end, m.Slot, had}})
}
