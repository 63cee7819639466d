package verify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/lists/hot"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
)

// The sets are copies that Redis may lose at any time: a set without its mark is incomplete, and readers and this check ignore it. A set
// with the mark is compared with the database as far as readers trust it: all of it, or the upper half of a full one
// (data/lists/hot/set.go).

const (
	// Indexes posts_hot and posts_site_hot, in their order.
	hottestOf = `SELECT p.id, p.hot FROM posts p WHERE p.community_id = :community AND p.status = 'published'
ORDER BY p.hot DESC, p.id DESC LIMIT :limit`
	hottestOfSite = `SELECT p.id, p.hot FROM posts p WHERE p.status = 'published' AND ` + data.NotOnProfile + `
ORDER BY p.hot DESC, p.id DESC LIMIT :limit`
	hotNow = `SELECT p.id, p.hot, p.community_name, p.status = 'published' FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value`
	// Primary key, in the directory.
	communityNames = `SELECT k.id, k.name FROM communities k WHERE k.id > :after ORDER BY k.id LIMIT :limit`
)

// setsTogether is how many sets are compared together, of up to Cap members each.
const setsTogether = 20

// hotSet is a set in Redis.
type hotSet struct {
	scope     string
	community int64 // 0: the site
	ranks     map[data.ID]float64
}

func (v *verifier) hotSets(ctx context.Context) error {
	next := pager{db: v.Directory, query: communityNames, size: setsTogether}
	sets := []hotSet{{scope: hot.SiteScope}}
	for {
		row, err := next.next(ctx)
		if err != nil {
			return err
		}
		if row != nil {
			sets = append(sets, hotSet{scope: str(row[1]), community: row[0].(int64)})
		}
		if row == nil || len(sets) == setsTogether {
			if err := v.someSets(ctx, sets); err != nil || row == nil {
				return err
			}
			sets = sets[:0]
		}
	}
}

func (v *verifier) someSets(ctx context.Context, sets []hotSet) error {
	found, err := v.confirm(ctx, func(ctx context.Context) (found []Difference, err error) {
		there, found, err := v.readSets(ctx, sets)
		for i := 0; i < len(there) && err == nil; i++ {
			var differ []Difference
			differ, err = v.compareSet(ctx, there[i])
			found = append(found, differ...)
		}
		return found, err
	})
	if err != nil {
		return err
	}
	if v.Repair && len(found) > 0 {
		if err := v.repairSets(ctx, sets, found); err != nil {
			return err
		}
	}
	v.report(found...)
	return nil
}

// readSets reads the sets that readers would trust, and reports wrong marks.
func (v *verifier) readSets(ctx context.Context, sets []hotSet) (there []hotSet, found []Difference, err error) {
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
		whole, life, members := replies[3*i], replies[3*i+1], replies[3*i+2]
		if whole.Nil() || whole.WrongType() { // readers take both for lost
			continue
		}
		if score, err := whole.Float(); err != nil || !math.IsInf(score, 1) {
			found = append(found, Difference{Database: "redis", Table: hot.KeyOf(s.scope), Key: hot.Whole, Column: "score",
				Stored: whole.String(), Computed: "inf"})
		}
		if seconds, err := life.Int(); err != nil || seconds == -1 {
			found = append(found, Difference{Database: "redis", Table: hot.KeyOf(s.scope), Key: hot.Whole, Column: "expiry",
				Stored: "none", Computed: "an hour at most"})
		}
		list, err := members.List()
		if err != nil {
			return nil, nil, err
		}
		s.ranks = map[data.ID]float64{}
		for j := 0; j+1 < len(list); j += 2 {
			member, _, err := list[j].Text()
			if err != nil {
				return nil, nil, err
			}
			rank, err := list[j+1].Float()
			if err != nil {
				return nil, nil, err
			}
			if id, err := data.ParseID(member); err == nil {
				s.ranks[id] = rank
			} else if member != hot.Whole {
				found = append(found, Difference{Database: "redis", Table: hot.KeyOf(s.scope), Key: text(member), Column: "row",
					Stored: "there", Computed: "gone, as it is no post's"})
			}
		}
		there = append(there, s)
	}
	return there, found, nil
}

// compareSet compares a set with the database.
func (v *verifier) compareSet(ctx context.Context, s hotSet) (found []Difference, err error) {
	shards, query := v.Shards, hottestOfSite
	if s.community != 0 {
		n, ok := v.slots.Of(data.ID(s.community).Slot())
		if !ok {
			return nil, nil
		}
		shards, query = v.Shards[n:n+1], hottestOf
	}
	var top []hot.Member
	for _, shard := range shards {
		args := []hrana.Named{named("limit", v.Hot.Cap)}
		if s.community != 0 {
			args = append(args, named("community", s.community))
		}
		rows, err := rowsOf(ctx, shard, query, args...)
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
	d := Difference{Database: "redis", Table: hot.KeyOf(s.scope), Column: "score"}
	seen := map[data.ID]bool{}
	for _, post := range top {
		seen[post.ID] = true
		d.Key, d.Stored, d.Computed = post.ID.String(), "missing", text(post.Hot)
		rank, there := s.ranks[post.ID]
		if there {
			d.Stored = text(rank)
		}
		if !there || rank != post.Hot {
			found = append(found, d)
		}
	}
	more, err := v.compareRest(ctx, s, seen)
	return append(found, more...), err
}

// compareRest compares the members that are not among the first posts of the database.
func (v *verifier) compareRest(ctx context.Context, s hotSet, seen map[data.ID]bool) (found []Difference, err error) {
	rest := map[int][]int64{} // by shard
	for id := range s.ranks {
		if !seen[id] {
			n, ok := v.slots.Of(id.Slot())
			if !ok {
				n = len(v.Shards)
			}
			rest[n] = append(rest[n], int64(id))
		}
	}
	for n, ids := range rest {
		posts := map[int64][]any{}
		if n < len(v.Shards) {
			rows, err := rowsOf(ctx, v.Shards[n], hotNow, named("ids", jsonOf(ids)))
			if err != nil {
				return nil, err
			}
			for _, row := range rows {
				posts[row[0].(int64)] = row[1:]
			}
		}
		for _, id := range ids {
			d := Difference{Database: "redis", Table: hot.KeyOf(s.scope), Key: fmt.Sprint(id), Column: "score",
				Stored: text(s.ranks[data.ID(id)]), Computed: "nothing"}
			if row := posts[id]; row != nil && row[2] != int64(0) && !data.IsProfile(str(row[1])) &&
				(s.community == 0 || strings.EqualFold(str(row[1]), s.scope)) {
				rank, _ := number(row[0])
				if d.Computed = text(rank); rank == s.ranks[data.ID(id)] {
					continue
				}
			}
			found = append(found, d)
		}
	}
	return found, nil
}

// repairSets makes readers ignore the sets that differ, and rebuilds them.
func (v *verifier) repairSets(ctx context.Context, sets []hotSet, found []Difference) error {
	var lost []upstash.Cmd
	var scopes []string
	for _, s := range sets {
		if slices.ContainsFunc(found, func(d Difference) bool { return d.Table == hot.KeyOf(s.scope) }) {
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
	for i := range found {
		bad := slices.ContainsFunc(failed, func(scope string) bool { return hot.KeyOf(scope) == found[i].Table })
		if found[i].Repaired = !bad; bad {
			found[i].NotRepaired = "readers take the set for lost, but it could not be made anew"
		}
	}
	if len(failed) > 0 && len(failed) < len(scopes) {
		return nil // reported with each
	}
	return err
}
