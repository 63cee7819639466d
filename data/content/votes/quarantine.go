package votes

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/events/outbox"
	"plaza/ranking"
)

// The statements that quarantine the votes of a brigade. :target and :direction identify the case. They respect decisions made meanwhile,
// and a repetition changes nothing.
const (
	// The votes of the burst that count and show one of its suspicious signs: an account that was young when it voted (:young, see
	// youngSince), a :network or a :referrer. A sign that is not suspicious is -1, NULL and NULL. The burst is a range of the primary key of
	// vote_origins, after :after in the parts :first_part and :last_part. Votes from before the last release of votes of this direction are
	// left out: they were released as well.
	countedOfBurst = `vote_origins b CROSS JOIN votes v ON v.target_id = b.target_id AND v.user_id = b.user_id AND v.status = ` +
		data.VoteCountedSQL + `
WHERE b.part IN (:first_part, :last_part) AND b.target_id = :target AND b.created_at > :after AND b.value = :direction
  AND b.created_at > coalesce((SELECT max(r.decided_at) FROM quarantines r
    WHERE r.target_id = :target AND r.direction = :direction AND r.status = 'released'), 0)
  AND (b.created_at - (b.user_id >> 22) < :young OR b.network = :network OR b.referrer = :referrer)`

	openCase = `INSERT INTO quarantines (id, target_id, community_id, direction, evidence, created_at)
SELECT :id, :target, p.community_id, :direction, :evidence, :at FROM posts p
WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = :target), :target) AND EXISTS (SELECT 1 FROM ` + countedOfBurst + `)
ON CONFLICT (target_id, direction) WHERE status = 'open' DO UPDATE SET evidence = excluded.evidence`
	joinCase = `INSERT INTO quarantined_votes (quarantine_id, user_id)
SELECT q.id, v.user_id FROM quarantines q CROSS JOIN ` + countedOfBurst + ` AND ` + isOpenCase + ` ON CONFLICT DO NOTHING`
	// The vote's value is checked, because its voter may have changed it after a release that was undone since.
	quarantineVotes = `UPDATE votes SET status = ` + data.VoteQuarantinedSQL + `
WHERE target_id = :target AND status = ` + data.VoteCountedSQL + ` AND value = :direction AND user_id IN (
  SELECT m.user_id FROM quarantines q CROSS JOIN quarantined_votes m ON m.quarantine_id = q.id WHERE ` + isOpenCase + `)`
	// notified_to = 0: the next delivery visits all voters again. Voters with a notification of the case get no second one.
	countCase = `UPDATE quarantines AS q SET votes = n.votes, notified_to = 0
FROM (SELECT count(*) AS votes FROM quarantined_votes m WHERE m.quarantine_id = (SELECT q.id FROM quarantines q WHERE ` + isOpenCase + `)) n
WHERE ` + isOpenCase + ` AND q.votes <> n.votes`
	isOpenCase = `q.target_id = :target AND q.direction = :direction AND q.status = 'open'`
)

// quarantine removes the votes of brigades from the counters, in one transaction. It opens a case for each brigade, or adds its votes to
// the open case. Then it applies the difference, which the trigger votes_changed writes to vote_deltas when a vote's status changes. The
// trigger quarantines_found counts the community's open cases. The same transaction enqueues the job that notifies the voters.
func (s *Store) quarantine(ctx context.Context, home data.Where, found []brigade, now time.Time) ([]hot.Change, error) {
	w := s.DB.WriteAt(home)
	var targets []data.ID
	for _, b := range found {
		evidence, err := json.Marshal(b.evidence)
		if err != nil {
			return nil, err
		}
		burstArgs := b.signs(s.Limits.YoungAge)
		maps.Copy(burstArgs, data.Args{"target": b.target, "direction": b.direction, "first_part": partOf(b.from), "last_part": partOf(now),
			"after": b.from})
		caseArgs := maps.Clone(burstArgs)
		maps.Copy(caseArgs, data.Args{"id": s.Source.NewID(b.target.Slot(), data.KindOther), "evidence": string(evidence), "at": now})
		w.Do(openCase, caseArgs)
		w.Do(joinCase, burstArgs)
		w.Do(quarantineVotes, data.Args{"target": b.target, "direction": b.direction})
		w.Do(countCase, data.Args{"target": b.target, "direction": b.direction})
		outbox.EnqueueQuarantined(w, s.Source, b.target, b.direction)
		targets = append(targets, b.target)
	}
	changes := addVotes(w, targets)
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	return *changes, nil
}

// signs returns the arguments of countedOfBurst that select suspicious votes. A vote of the same minutes without any of the signs still
// counts.
func (b *brigade) signs(youngAge time.Duration) data.Args {
	args := data.Args{"young": -1, "network": nil, "referrer": nil}
	for _, e := range b.evidence.Signals {
		switch {
		case !e.Suspicious:
		case e.Signal == ranking.SignalYoung:
			args["young"] = youngSince(youngAge)
		case e.Signal == ranking.SignalNetwork:
			args["network"] = e.Value
		case e.Signal == ranking.SignalReferrer:
			args["referrer"] = e.Value
		}
	}
	return args
}
