package data

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
)

// TestOwnForgets: an instance caches the state of the members of the last seconds only.
func TestOwnForgets(t *testing.T) {
	var o own
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	visit := func(member ID, page string) {
		key := ownKey{sql: "own", about: page}
		o.put(o.begin(member, "", now), key, hrana.Result{}, now.Add(OwnLife))
		_, ok := o.get(member, "", key, now)
		require.True(t, ok)
	}
	results := func() (n int) {
		for _, all := range []map[ID]*ownResults{o.current, o.previous} {
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
	_, ok := o.get(1, "", ownKey{sql: "own", about: "last"}, now.Add(OwnLife))
	require.True(t, ok, "it is kept for its time, whatever turns meanwhile")
	_, ok = o.get(1, "", ownKey{sql: "own", about: "last"}, now.Add(OwnLife+time.Millisecond))
	require.False(t, ok)
	_, ok = o.get(1, "other", ownKey{sql: "own", about: "last"}, now)
	require.False(t, ok, "of another marker")

	db := &DB{}
	db.own.put(db.own.begin(7, "", now), ownKey{}, hrana.Result{}, now.Add(OwnLife))
	db.own.get(8, "", ownKey{}, now.Add(OwnLife+time.Millisecond)) // rotates
	db.ForgetOwn(7)
	_, ok = db.own.get(7, "", ownKey{}, now)
	require.False(t, ok, "a change ends it, wherever it is kept")
}

// A member's front page is cached, too, but for fewer members than votes are.
func TestOwnKeepsFewOfWhatIsLarge(t *testing.T) {
	var o own
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	result := func(rows int) hrana.Result {
		return hrana.Result{Columns: make([]string, 30), Table: hrana.Table{Count: rows}}
	}
	kept := func(n int, sql string, rows int) (found int) {
		for member := ID(1); member <= ID(n); member++ {
			o.put(o.begin(member, "", now), ownKey{sql: sql}, result(rows), now.Add(OwnLife))
		}
		for member := ID(1); member <= ID(n); member++ {
			if _, ok := o.get(member, "", ownKey{sql: sql}, now); ok {
				found++
			}
		}
		return found
	}
	require.Equal(t, 500, kept(500, "small", 5))
	require.Equal(t, ownLarge, kept(500, "large", 26))
	now = now.Add(OwnLife + time.Second)
	require.Equal(t, ownLarge, kept(500, "large", 26), "when the first have run out")
}
