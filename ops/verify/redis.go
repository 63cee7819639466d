package verify

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
)

// Redis may lose hot sets at any time. A set without its mark is incomplete, and readers and this check ignore it. Of a set with the mark,
// the check compares what readers use: all of it, or the upper half of a full one (data/content/hot/set.go).

const (
	// Indexes posts_hot and posts_site_hot, in their order.
	hottestOf = `SELECT p.id, p.hot FROM posts p WHERE p.community_id = :community AND p.status = 'published'
ORDER BY p.hot DESC, p.id DESC LIMIT :limit`
	hottestOfSite = `SELECT p.id, p.hot FROM posts p WHERE p.status = 'published' AND ` + data.NotOnProfile + `
ORDER BY p.hot DESC, p.id DESC LIMIT :limit`
	hotNow = `SELECT p.id, p.hot FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value WHERE p.status = 'published' AND ` +
		data.NotOnProfile + ` AND (:scope = '' OR p.community_name = :scope COLLATE NOCASE)`
)

// hotSet is a hot set in Redis.
type hotSet struct {
	scope     string
	community int64 // 0: the site
	ranks     map[data.ID]float64
}

// finding returns a finding of a member of the set. repairSets repairs all of them together.
func (s hotSet) finding(key, column, stored, computed string) finding {
	return (&database{name: "redis"}).finding(hot.KeyOf(s.scope), key, column, stored, computed, nil)
}

// hotSets compares the sets of the site and of all communities.
func (v *verifier) hotSets(ctx context.Context) error {
	if v.Hot == nil {
		return nil
	}
	all := pageQuery{table: "communities", query: siteAndCommunities, keys: keysOf("id"), size: 20} // sets, of up to Cap members each
	return v.pages(ctx, v.all[0], all, func(rows [][]any) error {
		return v.someSets(ctx, mapSlice(rows, func(row []any) hotSet { return hotSet{scope: str(row[1]), community: idOf(row)} }))
	})
}

func (v *verifier) someSets(ctx context.Context, sets []hotSet) error {
	found, err := v.confirm(ctx, func() ([]finding, error) {
		marked, found, err := v.readSets(ctx, sets)
		for i := 0; i < len(marked) && err == nil; i++ {
			var differ []finding
			differ, err = v.compareSet(ctx, marked[i])
			found = append(found, differ...)
		}
		return found, err
	})
	if err == nil && v.Repair && len(found) > 0 {
		err = v.repairSets(ctx, sets, found)
	}
	if err != nil {
		return err
	}
	for _, f := range found {
		v.report(f.differences)
	}
	return nil
}

// readSets reads the sets with a mark, and finds wrong marks, expiries and members.
func (v *verifier) readSets(ctx context.Context, sets []hotSet) (marked []hotSet, found []finding, err error) {
	var cmds []upstash.Cmd
	for _, s := range sets {
		key := hot.KeyOf(s.scope)
		cmds = append(cmds, upstash.Cmd{"ZSCORE", key, hot.Whole}, upstash.Cmd{"TTL", key}, upstash.Cmd{"ZRANGE", key, 0, -1, "WITHSCORES"})
	}
	replies, err := v.Hot.Redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = upstash.FirstError(slices.DeleteFunc(slices.Clone(replies), upstash.Reply.WrongType))
	}
	if err != nil {
		return nil, nil, err
	}
	for i, s := range sets {
		mark, ttl := replies[3*i], replies[3*i+1]
		if mark.Nil() || mark.WrongType() { // readers ignore both
			continue
		}
		if score, err := mark.Float(); err != nil || !math.IsInf(score, 1) {
			found = append(found, s.finding(hot.Whole, "score", mark.String(), "inf"))
		}
		if seconds, err := ttl.Int(); err != nil || seconds == -1 {
			found = append(found, s.finding(hot.Whole, "expiry", "none", "an hour at most"))
		}
		members, err := replies[3*i+2].Strings()
		if err != nil {
			return nil, nil, err
		}
		s.ranks = map[data.ID]float64{}
		for j := 0; j+1 < len(members); j += 2 {
			rank, err := strconv.ParseFloat(members[j+1], 64)
			if err != nil {
				return nil, nil, err
			}
			if id, err := data.ParseID(members[j]); err == nil {
				s.ranks[id] = rank
			} else if members[j] != hot.Whole {
				found = append(found, s.finding(text(members[j]), "row", "there", "gone, as it is no post's"))
			}
		}
		marked = append(marked, s)
	}
	return marked, found, nil
}

func (v *verifier) compareSet(ctx context.Context, s hotSet) (found []finding, err error) {
	shards, query, args := v.shards, hottestOfSite, []hrana.Named{named("limit", v.Hot.Cap)}
	if s.community != 0 {
		home := v.shardOf(s.community)
		if home == nil {
			return nil, nil
		}
		shards, query, args = []*database{home}, hottestOf, append(args, named("community", s.community))
	}
	var top []hot.Member
	for _, shard := range shards {
		rows, err := shard.rows(ctx, query, args...)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			rank, _ := number(row[1])
			top = append(top, hot.Member{ID: data.ID(row[0].(int64)), Hot: rank})
		}
	}
	slices.SortFunc(top, func(a, b hot.Member) int { return cmp.Or(cmp.Compare(b.Hot, a.Hot), cmp.Compare(b.ID, a.ID)) })
	top = top[:min(len(top), v.Hot.Cap)]
	if len(s.ranks) >= v.Hot.Cap*3/4 {
		top = top[:min(len(top), v.Hot.Cap/2)]
	}
	hottest := map[data.ID]float64{}
	for _, post := range top {
		hottest[post.ID] = post.Hot
	}
	var rest []int64 // members that are not among these
	for id := range s.ranks {
		if _, isFirst := hottest[id]; !isFirst {
			rest = append(rest, int64(id))
		}
	}
	rows, err := v.rowsFromShards(ctx, hotNow, rest, named("scope", s.scope))
	for _, row := range rows {
		hottest[data.ID(idOf(row))], _ = number(row[1])
	}
	if err != nil {
		return nil, err
	}
	all := maps.Clone(s.ranks)
	maps.Copy(all, hottest)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		stored, computed := "missing", "nothing"
		rank, isThere := s.ranks[id]
		if isThere {
			stored = text(rank)
		}
		best, isListed := hottest[id]
		if isListed {
			computed = text(best)
		}
		if isThere != isListed || rank != best {
			found = append(found, s.finding(id.String(), "score", stored, computed))
		}
	}
	return found, nil
}

// repairSets removes the marks of the sets that differ, so that readers ignore them, and builds them again.
func (v *verifier) repairSets(ctx context.Context, sets []hotSet, found []finding) error {
	var lost []upstash.Cmd
	var scopes []string
	for _, s := range sets {
		if slices.ContainsFunc(found, func(f finding) bool { return f.differences[0].Table == hot.KeyOf(s.scope) }) {
			scopes, lost = append(scopes, s.scope), append(lost, upstash.Cmd{"ZREM", hot.KeyOf(s.scope), hot.Whole})
		}
	}
	replies, err := v.Hot.Redis.Pipeline(ctx, lost...)
	if err == nil {
		err = upstash.FirstError(replies)
	}
	if err != nil {
		return err
	}
	failed, err := v.Hot.RebuildAll(ctx, scopes)
	for _, f := range found {
		if slices.ContainsFunc(failed, func(scope string) bool { return hot.KeyOf(scope) == f.differences[0].Table }) {
			f.differences[0].NotRepaired = "readers take the set for lost, but it could not be made anew"
		}
	}
	if len(failed) > 0 && len(failed) < len(scopes) {
		return nil // reported with each
	}
	return err
}
