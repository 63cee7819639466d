package communities_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/rights/roles"
	"plaza/test/storetest"
)

// findCommunity reads a community as a viewer sees it.
func findCommunity(s *storetest.Stores, name string, viewer data.ID) *communities.Community {
	s.Helper()
	r := s.DB.Read()
	c := s.Communities.FindByName(r, name, viewer)
	require.NoError(s, r.Run(storetest.Ctx))
	return c
}

func TestCommunity(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "Gophers")
	t.Run("its creator moderates it and takes part", func(t *testing.T) {
		c := findCommunity(s, "gophers", ann.UserID)
		require.Equal(t, "Gophers", c.Name)
		require.Equal(t, int64(1), c.Members)
		require.True(t, c.Subscribed && c.Role == roles.Owner)
		require.Equal(t, []string{"ann"}, c.Moderators)
	})

	t.Run("members are counted once, however often they join or leave", func(t *testing.T) {
		for _, step := range []struct {
			on   bool
			want int64
		}{{true, 2}, {true, 2}, {false, 1}, {false, 1}, {true, 2}} {
			require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, "GOPHERS", step.on))
			require.Equal(t, step.want, findCommunity(s, "gophers", ben.UserID).Members)
			require.Equal(t, step.on, findCommunity(s, "gophers", ben.UserID).Subscribed)
		}
	})

	t.Run("a name is taken in any case", func(t *testing.T) {
		_, err := s.Communities.Create(storetest.Ctx, ben, communities.Create{Name: "GOPHERS"})
		require.Equal(t, data.Conflict, data.ErrorCode(err))
	})

	t.Run("there is none of another name", func(t *testing.T) {
		require.Zero(t, findCommunity(s, "nowhere", 0).ID)
		require.Equal(t, data.NotFound, data.ErrorCode(s.Communities.Subscribe(storetest.Ctx, ben, "nowhere", true)))
	})

	for name, c := range map[string]communities.Create{
		"short": {Name: "ab"}, "long": {Name: "abcdefghijklmnopqrstuv"}, "spaced": {Name: "a b c"}, "foreign": {Name: "größe"}, "empty": {},
	} {
		t.Run("refuses a name that is "+name, func(t *testing.T) {
			_, err := s.Communities.Create(storetest.Ctx, ann, c)
			require.Equal(t, data.Invalid, data.ErrorCode(err))
		})
	}
}
