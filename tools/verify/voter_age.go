package verify

import (
	"context"
	"fmt"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/ranking"
)

// thisWeek is the week of the database's clock, as in voter_ages.week.
const thisWeek = databaseNow + ` / ` + votes.VotersWeekSQL

const (
	voterAgesPage = `SELECT a.community_id, a.votes + a.votes_before, a.young + a.young_before, a.week, ` + thisWeek + `
FROM voter_ages a
WHERE a.community_id > :after ORDER BY a.community_id LIMIT :limit`

	// All votes of a community in one state of the database: posts by the unique index on (community_id, slug), comments by comments_path,
	// votes by primary key. :young is what the time of a vote is less than after the time bits of a young voter's id.
	votersOf = `WITH target AS MATERIALIZED (
  SELECT p.id, p.author_id FROM posts p WHERE p.community_id = :community
  UNION ALL
  SELECT c.id, c.author_id FROM posts p CROSS JOIN comments c ON c.post_id = p.id WHERE p.community_id = :community),
cast_vote AS MATERIALIZED (
  SELECT ` + isCounted + ` AND v.value <> 0 AS counts, v.updated_at / ` + votes.VotersWeekSQL + ` = ` + thisWeek + ` AS new,
    v.updated_at - (v.user_id >> 22) < :young AS young
  FROM target t CROSS JOIN votes v ON v.target_id = t.id
  WHERE v.user_id IS NOT t.author_id),
waiting AS MATERIALIZED (
  SELECT d.ups + d.downs AS n, d.created_at - (d.user_id >> 22) < :young AS young
  FROM target t CROSS JOIN vote_deltas d ON d.target_id = t.id
  WHERE d.user_id IS NOT t.author_id AND EXISTS (SELECT 1 FROM votes v WHERE v.target_id = d.target_id AND v.user_id = d.user_id))
SELECT a.week, a.votes, a.young, a.votes_before, a.young_before, ` + thisWeek + `, (SELECT count(*) FROM cast_vote),
  coalesce((SELECT sum(counts AND new) FROM cast_vote), 0) - coalesce((SELECT sum(n) FROM waiting), 0),
  coalesce((SELECT sum(counts AND NOT new) FROM cast_vote), 0),
  coalesce((SELECT sum(counts AND new AND young) FROM cast_vote), 0) - coalesce((SELECT sum(n * young) FROM waiting), 0),
  coalesce((SELECT sum(counts AND NOT new AND young) FROM cast_vote), 0)
FROM voter_ages a WHERE a.community_id = :community`

	// Only a row that is as it was when its votes were counted.
	mendVoterAges = `UPDATE voter_ages SET week = :week, votes = :votes, young = :young, votes_before = :votes_before,
  young_before = :young_before
WHERE community_id = :community AND week = :was_week AND votes = :was_votes AND young = :was_young
  AND votes_before = :was_votes_before AND young_before = :was_young_before`
)

// voterAges compares how many votes of how old accounts communities had. When votes were folded is not kept, so the numbers can't be
// computed again, but they have bounds: a community can't have had more votes than there are, nor votes of a week to come.
func (v *verifier) voterAges(ctx context.Context, db *database, voters *totals) error {
	bounds := map[int64]sum{}
	if err := voters.each(func(s sum) error { bounds[s.Key] = s; return nil }); err != nil {
		return err
	}
	rows := pager{db: db.Client, query: voterAgesPage, size: strayPage}
	for {
		row, err := rows.next(ctx)
		if row == nil || err != nil {
			return err
		}
		s := bounds[row[0].(int64)]
		if row[1].(int64) <= s.A && row[2].(int64) <= s.B && row[3].(int64) <= row[4].(int64) {
			continue
		}
		if err := v.voterAgesOf(ctx, db, row[0].(int64)); err != nil {
			return err
		}
	}
}

// voterAgesTries bounds how often the votes of a community are counted again because more were folded meanwhile.
const voterAgesTries = 5

func (v *verifier) voterAgesOf(ctx context.Context, db *database, community int64) error {
	young := data.Epoch.Add(ranking.DefaultThresholds().YoungAge).UnixMilli()
	for try := 1; ; try++ {
		rows, err := rowsOf(ctx, db.Client, votersOf, named("community", community), named("young", young))
		if err != nil || len(rows) == 0 {
			return err
		}
		n := make([]int64, len(rows[0]))
		for i, value := range rows[0] {
			n[i] = value.(int64)
		}
		week, votesNow, youngNow, votesBefore, youngBefore := n[0], n[1], n[2], n[3], n[4] // stored
		thisWeek, votesCast := n[5], n[6]
		countNew, countOld, countYoung, countYoungOld := n[7], n[8], n[9], n[10]
		d := Difference{Database: db.name, Table: "voter_ages", Key: fmt.Sprint(community)}
		var found []Difference
		tell := func(column string, stored int64, computed string) {
			d.Column, d.Stored, d.Computed = column, fmt.Sprint(stored), computed
			found = append(found, d)
		}
		if votesNow+votesBefore > countNew+countOld {
			tell("votes + votes_before", votesNow+votesBefore, fmt.Sprintf("at most %d", countNew+countOld))
		}
		if youngNow+youngBefore > votesCast {
			tell("young + young_before", youngNow+youngBefore, fmt.Sprintf("at most %d", votesCast))
		}
		if week > thisWeek {
			tell("week", week, fmt.Sprintf("at most %d", thisWeek))
		}
		if len(found) > 0 && v.Repair {
			changed, err := write(ctx, db.Client, mendVoterAges, named("community", community),
				named("week", thisWeek), named("votes", countNew), named("young", countYoung), named("votes_before", countOld),
				named("young_before", countYoungOld),
				named("was_week", week), named("was_votes", votesNow), named("was_young", youngNow), named("was_votes_before", votesBefore),
				named("was_young_before", youngBefore))
			if err != nil {
				return err
			}
			if changed == 0 && try < voterAgesTries {
				continue
			}
			for i := range found {
				if found[i].Mended = changed > 0; changed == 0 {
					found[i].Left = "votes are counted there all the time"
				}
			}
		}
		v.report(found...)
		return nil
	}
}
