package sessions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/suspensions"
	"plaza/data/events/modlog"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestCopyRevocations suspends a member while one of three shards can't be reached.
func TestCopyRevocations(t *testing.T) {
	directory, first, second := stacktest.OpenSchema(t), stacktest.OpenSchema(t), stacktest.OpenSchema(t)
	url, client := stacktest.OpenSchemaDB(t)
	third := hrana.New(hrana.Options{URL: url, HTTP: client})
	s := storetest.On(t, data.NewDB(directory, first, second, third), storetest.DatabasesOf(t, directory, first, second, third),
		stacktest.OpenRedis(t))
	ann, ben := s.Member("ann"), s.Member("ben")
	require.NoError(t, s.Accounts.SetAdmin(storetest.Ctx, "ann", true))
	way := &storetest.Transport{Http: client}
	users := *s.Suspensions // a store that can lose the connection to the third shard
	users.DB = data.NewDB(directory, first, second, hrana.New(hrana.Options{URL: url, HTTP: way, Attempts: 1}))
	judge := func(users *suspensions.Store, action modlog.Action, days int) error {
		_, err := users.Decide(storetest.Ctx, ann, suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: action, Rule: "Spam", Days: days}},
			[]string{"Spam"})
		return err
	}
	copyRevocations := func() error {
		*s.Clock = s.Clock.Add(time.Hour) // due in any case
		sessions := *s.Sessions
		sessions.DB = users.DB
		return sessions.CopyRevocations(storetest.Ctx, []data.ID{ben.UserID})
	}
	revokedBefore := func() (list []any) {
		way.Cut.Store(false)
		for _, row := range s.RowsOfAll("SELECT coalesce((SELECT before FROM revocations WHERE subject = ?1), 0)", int64(ben.UserID)) {
			list = append(list, row[0])
		}
		return list
	}
	remaining := func() int { return len(s.RowsOfAll("SELECT 1 FROM outbox WHERE job = 'revoke-sessions'")) }
	done := func() { // by the retry job, once the shard is back
		t.Helper()
		require.NoError(t, copyRevocations())
		require.Zero(t, remaining())
	}

	way.Cut.Store(true)
	require.NoError(t, judge(&users, modlog.Suspend, 3), "it is decided")
	require.Equal(t, data.Unavailable, data.ErrorCode(copyRevocations()), "still unavailable")
	list := revokedBefore()
	require.Equal(t, []any{list[0], list[0], list[0], int64(0)}, list, "the others know")
	require.Equal(t, 1, remaining())
	done()
	require.Equal(t, []any{list[0], list[0], list[0], list[0]}, revokedBefore())

	// A suspension that replaces a ban ends earlier, in all databases.
	require.NoError(t, judge(&users, modlog.BanSite, 0))
	require.Zero(t, remaining())
	way.Cut.Store(true)
	require.NoError(t, judge(&users, modlog.Suspend, 1))
	list = revokedBefore()
	require.Greater(t, list[3], list[2])
	done()
	list = revokedBefore()
	require.Equal(t, []any{list[0], list[0], list[0], list[0]}, list)

	// A member who is restored during the copy is not suspended there again.
	way.Cut.Store(true)
	require.NoError(t, judge(&users, modlog.BanSite, 0))
	way.Cut.Store(false)
	way.Before = func() { require.NoError(t, judge(s.Suspensions, modlog.Restore, 0)) }
	require.NoError(t, copyRevocations())
	list = revokedBefore()
	require.Equal(t, list[2], list[0])
	require.Equal(t, 1, remaining(), "the ban was written last into the third shard, perhaps: somebody looks once more")
	done()
	list = revokedBefore()
	require.Equal(t, []any{list[0], list[0], list[0], list[0]}, list)
	require.Less(t, list[0], s.Clock.UnixMilli())

	// A member who is restored while a shard is down is restored in the others at once, and there once it is back.
	require.NoError(t, judge(s.Suspensions, modlog.BanSite, 0))
	way.Cut.Store(true)
	require.NoError(t, judge(&users, modlog.Restore, 0))
	list = revokedBefore()
	require.Equal(t, []any{list[0], list[0], list[0]}, list[:3])
	require.Greater(t, list[3], list[0])
	done()
	list = revokedBefore()
	require.Equal(t, []any{list[0], list[0], list[0], list[0]}, list)
	_, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: "ben", Password: "correct horse"})
	require.NoError(t, err)
}
