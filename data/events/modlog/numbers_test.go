package modlog_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/test/storetest"
)

func TestNumbers(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "Gophers")
	p := s.Post(ben, "gophers", "A post")
	source := s.Posts.Source
	add := func(where data.Where, a data.Actor, community string, action modlog.Action, target data.ID) {
		t.Helper()
		w := s.DB.WriteAt(where)
		e := modlog.NewEntry{ID: source.NewID(p.ID.Slot(), data.KindOther), Community: community, Action: action, Target: target}
		for range 2 { // like a transaction whose response was lost
			modlog.Add(w, a, e, "true", nil)
		}
		require.NoError(t, w.Run(storetest.Ctx))
	}
	numbers := func(community string, month modlog.Month) *modlog.Numbers {
		ctx, meter := s.Metered()
		r := s.DB.Read()
		n := modlog.FindNumbers(r, community, month)
		require.NoError(t, r.Run(ctx))
		require.LessOrEqual(t, meter.RowsRead(), int64(60))
		return n
	}
	home := data.At(p.ID)
	add(home, ann, "Gophers", modlog.Remove, p.ID)
	add(home, ann, "Gophers", modlog.Approve, p.ID)
	add(home, ann, "Gophers", modlog.Remove, p.ID)
	add(home, data.Actor{}, "Gophers", modlog.Remove, p.ID)
	add(data.In(""), ann, "Gophers", modlog.Settings, 0)
	add(home, ann, "Gophers", modlog.Settings, 0) // such as automatic rules
	add(data.In(""), ben, "", modlog.Suspend, ann.UserID)
	*s.Clock = time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)
	add(home, ben, "Gophers", modlog.Lock, p.ID)
	s.Exec(`INSERT INTO moderation_log (id, community_id, action, target_id, actor_id, actor_name)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT ?1 + (1 << 30) + i * 2, 0, 'restore', i, ?2, 'ann'
  FROM n`, int64(data.NewID(*s.Clock, 0, data.KindOther, 0)), int64(ann.UserID))

	a := ann.UserID
	n := numbers("gophers", 202611)
	require.Equal(t, modlog.Numbers{Later: 202702, List: []modlog.Number{{0, "", modlog.Remove, 1, 0}, {a, "ann", modlog.Settings, 2, 0},
		{a, "ann", modlog.Approve, 1, 0}, {a, "ann", modlog.Remove, 2, 1}}},
		modlog.Numbers{Later: n.Later, Earlier: n.Earlier, List: sorted(n.List)})
	n = numbers("GOPHERS", 202702)
	require.Equal(t, &modlog.Numbers{Earlier: 202611, List: []modlog.Number{{ben.UserID, "ben", modlog.Lock, 1, 0}}}, n)
	require.Equal(t, []modlog.Number{{ben.UserID, "ben", modlog.Suspend, 1, 0}}, numbers("", 202611).List)
	require.Equal(t, []modlog.Number{{a, "ann", modlog.Restore, 5000, 0}}, numbers("", 202702).List, "of many, few rows are read")
	require.Equal(t, &modlog.Numbers{}, numbers("nowhere", 202611))

	month, err := modlog.ParseMonth("2026-11")
	require.NoError(t, err)
	require.Equal(t, modlog.Month(202611), month)
	require.Equal(t, "2026-11", month.String())
	for _, wrong := range []string{"x", "2026-13", "2026-1", "-2026-11"} {
		_, err := modlog.ParseMonth(wrong)
		require.Equal(t, data.Invalid, data.ErrorCode(err))
	}
}

// sorted puts the directory's numbers before the shard's, as with several databases.
func sorted(list []modlog.Number) []modlog.Number {
	for i := range list {
		if list[i].Action == modlog.Settings {
			moved := list[i]
			first := i
			for first > 0 && list[first-1].Actor == moved.Actor {
				list[first] = list[first-1]
				first--
			}
			list[first] = moved
		}
	}
	return list
}
