package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
)

type checked struct {
	Accepted int `json:"accepted"` // last votes that the site accepted
	Lost     int `json:"lost"`     // of these, missing or different in the database
	Wrong    int `json:"wrong"`    // posts whose counters are not the sum of their votes
	Pending  int `json:"pending"`  // deltas that are not applied yet
	Stale    int `json:"stale"`    // members of the hot sets with another score than their post
}

const (
	checkVotes = `SELECT target_id, user_id, value FROM votes WHERE (target_id, user_id) > (?1, ?2) ORDER BY target_id, user_id LIMIT 20000`
	// A score may be off by a 32nd (post_counters in triggers.sql).
	checkCounters = `SELECT count(*) FROM posts p LEFT JOIN (SELECT target_id, sum(value = 1) AS ups, sum(value = -1) AS downs FROM votes
  GROUP BY target_id) v
ON v.target_id = p.id WHERE p.ups <> coalesce(v.ups, 0) OR p.downs <> coalesce(v.downs, 0)
  OR abs(p.ups - p.downs - p.score) * 32 > abs(p.score)`
	checkPending = `SELECT count(*) FROM vote_deltas`
	checkHot     = `SELECT id, hot FROM posts`
)

// applyPending applies deltas without a message, as the retry job does, and counts their posts.
func (s *site) applyPending(ctx context.Context) (map[string]int, error) {
	applied := map[string]int{"applied": 0}
	for {
		p, err := s.votes.FindPending(ctx, 0)
		if err != nil || len(p.Targets) == 0 {
			return applied, err
		}
		applied["applied"] += len(p.Targets)
		if _, err := s.votes.ApplyDeltas(ctx, p); err != nil {
			return applied, err
		}
	}
}

// check compares the accepted votes with the stored ones, these with the counters, and the counters with the hot sets.
func (s *site) check(ctx context.Context) (c checked, err error) {
	expected := map[vote]int{}
	for b, value := range s.cast {
		expected[b] = value
	}
	c.Accepted = len(expected)
	for last := (vote{}); ; {
		res, err := s.sql.Query(ctx, hrana.Stmt{SQL: checkVotes, Args: []any{int64(last.target), int64(last.user)}})
		if err != nil {
			return c, err
		}
		for _, row := range res[0].Rows() {
			last = vote{data.ID(row[0].(int64)), data.ID(row[1].(int64))}
			if int64(expected[last]) == row[2].(int64) {
				delete(expected, last)
			}
		}
		if res[0].Count == 0 {
			break
		}
	}
	c.Lost = len(expected)
	res, err := s.sql.Query(ctx, hrana.Stmt{SQL: checkCounters}, hrana.Stmt{SQL: checkPending}, hrana.Stmt{SQL: checkHot})
	if err != nil {
		return c, err
	}
	c.Wrong, c.Pending = int(res[0].Rows()[0][0].(int64)), int(res[1].Rows()[0][0].(int64))
	hot := map[string]float64{}
	for _, row := range res[2].Rows() {
		hot[data.ID(row[0].(int64)).Text()] = row[1].(float64)
	}
	for _, key := range []string{"hot:site", "hot:c:" + community} {
		reply, err := s.redis.Do(ctx, upstash.Cmd{"ZREVRANGE", key, 0, -1, "WITHSCORES"})
		if err != nil {
			return c, err
		}
		list, err := reply.List()
		if err != nil {
			return c, err
		}
		for i := 0; i < len(list); i += 2 {
			member, _, _ := list[i].Text()
			score, _ := list[i+1].Float()
			if want, ok := hot[member]; ok && want != score {
				c.Stale++
			}
		}
	}
	return c, nil
}

type cost struct {
	Cast    float64 `json:"cast"`    // rows written by a vote's own transaction
	Batched float64 `json:"batched"` // by its share of a delta run of a hundred votes
	Inline  float64 `json:"inline"`  // by a delta run of its own
}

// cost counts the rows that a vote writes, as they are billed, by calling the store.
func (s *site) cost(ctx context.Context, posts int) (c cost, err error) {
	const castVotes = 100
	round := func(each bool) (cast, applyRows float64, err error) {
		var p votes.Pending
		castCtx, casting := hrana.WithMeter(ctx)
		applyCtx, applying := hrana.WithMeter(ctx)
		for i := range castVotes {
			a, target := s.members[rand.IntN(len(s.members))], s.posts[rand.IntN(posts)]
			b := vote{target, a.UserID}
			value := 1
			if s.cast[b] == 1 {
				value = -1
			}
			if _, err := s.votes.Cast(castCtx, a, target, value); err != nil {
				return 0, 0, fmt.Errorf("vote %d: %w", i, err)
			}
			s.cast[b] = value
			if p.Targets = append(p.Targets, target); each {
				if _, err := s.votes.ApplyDeltas(applyCtx, votes.Pending{Targets: []data.ID{target}}); err != nil {
					return 0, 0, err
				}
			}
			time.Sleep(time.Millisecond) // so that updated_at changes
		}
		if !each {
			_, err = s.votes.ApplyDeltas(applyCtx, p)
		}
		return float64(casting.RowsWritten()) / castVotes, float64(applying.RowsWritten()) / castVotes, err
	}
	if c.Cast, c.Batched, err = round(false); err == nil {
		_, c.Inline, err = round(true)
	}
	return c, err
}
