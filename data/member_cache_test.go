package data

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
)

// TestMemberCacheForgets: an instance caches the state of the members of the last seconds only.
func TestMemberCacheForgets(t *testing.T) {
	var o memberCache
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	visit := func(member ID, page string) {
		key := memberKey{sql: "own", about: page}
		o.put(o.begin(member, "", now), key, hrana.Result{}, now.Add(MemberCacheTTL))
		_, ok := o.get(member, "", key, now)
		require.True(t, ok)
	}
	results := func() (n int) {
		for _, all := range []map[ID]*memberResults{o.current, o.previous} {
			for _, kept := range all {
				n += len(kept.results)
			}
		}
		return n
	}
	for second := range 600 {
		visit(ID(2+second%300), "front")
		visit(1, "page "+string(rune('a'+second%26))) // is always here
		require.LessOrEqual(t, results(), 30, "of ten seconds or so, two a second")
		now = now.Add(time.Second)
	}
	visit(1, "last")
	_, ok := o.get(1, "", memberKey{sql: "own", about: "last"}, now.Add(MemberCacheTTL))
	require.True(t, ok, "it is kept for its time, whatever turns meanwhile")
	_, ok = o.get(1, "", memberKey{sql: "own", about: "last"}, now.Add(MemberCacheTTL+time.Millisecond))
	require.False(t, ok)
	_, ok = o.get(1, "other", memberKey{sql: "own", about: "last"}, now)
	require.False(t, ok, "of another marker")

	db := &DB{}
	db.memberCache.put(db.memberCache.begin(7, "", now), memberKey{}, hrana.Result{}, now.Add(MemberCacheTTL))
	db.memberCache.get(8, "", memberKey{}, now.Add(MemberCacheTTL+time.Millisecond)) // rotates
	db.InvalidateMember(7)
	_, ok = db.memberCache.get(7, "", memberKey{}, now)
	require.False(t, ok, "a change ends it, wherever it is kept")
}

// A member's front page is cached, too, but for fewer members than votes are.
func TestMemberCacheKeepsFewLargeResults(t *testing.T) {
	var o memberCache
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	result := func(rows int) hrana.Result {
		return hrana.Result{Columns: make([]string, 30), Table: hrana.Table{Count: rows}}
	}
	kept := func(n int, sql string, rows int) (found int) {
		for member := ID(1); member <= ID(n); member++ {
			o.put(o.begin(member, "", now), memberKey{sql: sql}, result(rows), now.Add(MemberCacheTTL))
		}
		for member := ID(1); member <= ID(n); member++ {
			if _, ok := o.get(member, "", memberKey{sql: sql}, now); ok {
				found++
			}
		}
		return found
	}
	require.Equal(t, 500, kept(500, "small", 5))
	require.Equal(t, memberCacheLarge, kept(500, "large", 26))
	now = now.Add(MemberCacheTTL + time.Second)
	require.Equal(t, memberCacheLarge, kept(500, "large", 26), "when the first have run out")
}
