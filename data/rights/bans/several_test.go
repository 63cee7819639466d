package bans_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/rights/bans"
	"plaza/test/storetest"
)

// TestDecideSeveral decides about several members in one millisecond, in which the sequence of ids wraps around.
func TestDecideSeveral(t *testing.T) {
	s := open(t)
	at, chance := *s.Clock, uint32(4094)
	s.bans.Source = data.Source{Now: func() time.Time { return at }, Rand: func() uint32 { chance += 2; return chance - 2 },
		Database: s.Posts.Source.Database}
	spam := bans.Decision{Community: "gophers", Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}}
	members := []data.ID{s.ben.UserID, s.eve.UserID, s.ben.UserID}
	between := func(first, last data.ID) (names []string) {
		r := s.DB.Read()
		p := s.bans.FindBetween(r, "gophers", first, last)
		require.NoError(t, r.Run(storetest.Ctx))
		for _, l := range p.Items() {
			names = append(names, l.Name)
		}
		return names
	}

	done, err := s.bans.DecideSeveral(storetest.Ctx, s.ann, spam, members)
	require.NoError(t, err)
	require.Equal(t, []string{"ben", "eve"}, done.Names)
	require.Empty(t, done.Failed, "who is named twice is banned once")
	require.Len(t, done.Entries, 2)
	require.ElementsMatch(t, []string{"ben", "eve"}, between(done.First, done.Last), "the page that follows lists all of them")

	done, err = s.bans.DecideSeveral(storetest.Ctx, s.ann, spam, members)
	require.NoError(t, err)
	require.Equal(t, []string{"ben", "eve"}, done.Names, "the same form again")
	require.Empty(t, done.Entries)
	require.Zero(t, done.First)

	_, err = s.bans.DecideSeveral(storetest.Ctx, s.ann, bans.Decision{Community: "gophers", Act: modlog.Act{Action: bans.Lift}}, []data.ID{1})
	require.ErrorContains(t, err, "no longer exist")
}
