package inbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/events/inbox"
	"plaza/test/storetest"
)

func TestPurge(t *testing.T) {
	k := open(t)
	ann, bob := k.Member("ann"), k.Member("bob")
	run := func(times int) {
		for range times {
			require.NoError(t, k.inbox.Purge(storetest.Ctx))
		}
		k.counted()
	}
	k.fill(bob, 1, 40)
	*k.Clock = k.Clock.Add(100 * 24 * time.Hour)
	k.fill(ann, 41, 2300)
	t.Run("the oldest beyond a thousand, in steps", func(t *testing.T) {
		run(1)
		require.Equal(t, int64(1800), k.One("SELECT count(*) FROM inbox WHERE user_id = ?1", int64(ann.UserID)))
		run(2)
		require.Equal(t, int64(inbox.MaxRows), k.One("SELECT count(*) FROM inbox WHERE user_id = ?1", int64(ann.UserID)))
		require.Equal(t, int64(2341-inbox.MaxRows), k.One("SELECT min(id) FROM inbox WHERE user_id = ?1", int64(ann.UserID)))
		require.Equal(t, int64(40), k.One("SELECT count(*) FROM inbox WHERE user_id = ?1", int64(bob.UserID)))
	})
	t.Run("what is older than 180 days", func(t *testing.T) {
		*k.Clock = k.Clock.Add(81 * 24 * time.Hour)
		run(1)
		require.Equal(t, int64(0), k.One("SELECT count(*) FROM inbox WHERE user_id = ?1", int64(bob.UserID)))
		require.Equal(t, int64(inbox.MaxRows), k.One("SELECT count(*) FROM inbox"))
		*k.Clock = k.Clock.Add(100 * 24 * time.Hour)
		run(1)
		require.Equal(t, int64(0), k.One("SELECT count(*) FROM inbox WHERE user_id <> 0"))
		require.Equal(t, int64(2340), k.One("SELECT max(id) FROM inbox"), "the last id is not used again")
	})
}
