package site_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/site"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestUpdate(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'ann'")
	house := &site.Store{Base: s.Posts.Base}
	require.Equal(t, site.DefaultSettings(), house.Now())

	set := *site.DefaultSettings()
	set.Name, set.Letter, set.Archive, set.Rules = " The  square ", "é", 2, []communities.Rule{{}, {Title: "Be kind"}}
	_, err := house.Update(storetest.Ctx, ben, set)
	require.Equal(t, data.Forbidden, data.ErrorCode(err))
	revision, err := house.Update(storetest.Ctx, ann, set)
	require.NoError(t, err)
	require.Equal(t, int64(1), revision)
	now := house.Now()
	require.Equal(t, "The square", now.Name)
	require.Equal(t, "É", now.Letter)
	require.Equal(t, 48*time.Hour, now.ArchiveAge())
	require.Equal(t, []communities.Rule{{Title: "Be kind"}}, now.Rules)

	revision, err = house.Update(storetest.Ctx, ann, set)
	require.NoError(t, err, "the same form sent again, its answer was lost")
	require.Equal(t, int64(1), revision)
	other := set
	other.Name = "Other"
	revision, err = house.Update(storetest.Ctx, ann, other)
	require.Equal(t, data.Conflict, data.ErrorCode(err))
	require.Equal(t, int64(1), revision)
	require.Equal(t, int64(1), s.One("SELECT count(*) FROM moderation_log WHERE action = 'settings'"))

	elsewhere := &site.Store{Base: s.Posts.Base}
	require.NoError(t, elsewhere.Refresh(storetest.Ctx))
	require.Equal(t, now, elsewhere.Now())
	other.Revision = 1
	_, err = house.Update(storetest.Ctx, ann, other)
	require.NoError(t, err)
	require.NoError(t, elsewhere.Refresh(storetest.Ctx))
	require.Equal(t, "The square", elsewhere.Now().Name, "until it is old")
	*s.Clock = s.Clock.Add(time.Minute)
	require.NoError(t, elsewhere.Refresh(storetest.Ctx))
	require.Equal(t, "Other", elsewhere.Now().Name)
	s.Exec(`UPDATE site_settings SET body = json_set(body, '$.later', json('{"a":[1]}'))`)
	other.Revision, other.Name, other.Rules = 2, "Fourth <&> é \"quoted\"", nil
	for range 2 { // the second time after a lost response
		revision, err = house.Update(storetest.Ctx, ann, other)
		require.NoError(t, err)
		require.Equal(t, int64(3), revision)
	}
	for _, row := range s.Rows("SELECT body ->> '$.later' FROM site_settings") {
		require.Equal(t, `{"a":[1]}`, row[0], "a field of a version to come stays")
	}
	*s.Clock = s.Clock.Add(time.Minute)
	require.NoError(t, elsewhere.Refresh(storetest.Ctx))
	require.Equal(t, other.Name, elsewhere.Now().Name)
	require.Empty(t, elsewhere.Now().Rules)
	s.Exec("DELETE FROM revocations")
	require.NoError(t, s.Sessions.End(storetest.Ctx, ann))
	other.Revision, other.Name = 3, "Third"
	_, err = house.Update(storetest.Ctx, ann, other)
	require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
}

// TestCopies checks the copies in other databases.
func TestCopies(t *testing.T) {
	directory, shard := stacktest.OpenSchema(t), stacktest.OpenSchema(t)
	d := storetest.DatabasesOf(t, directory, shard)
	s := storetest.On(t, d.Open(), d, stacktest.OpenRedis(t))
	ann := s.Member("ann")
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'ann'")
	house := &site.Store{Base: s.Posts.Base}
	require.NoError(t, house.CopySettings(storetest.Ctx), "nothing is set yet")
	set := *site.DefaultSettings()
	set.Archive = 3
	_, err := house.Update(storetest.Ctx, ann, set)
	require.NoError(t, err)
	copied := func() any {
		t.Helper()
		results, err := shard.Query(storetest.Ctx, storetest.StmtOf("SELECT revision || ' ' || archive FROM site_settings"))
		require.NoError(t, err)
		return results[0].Rows()[0][0]
	}
	require.Equal(t, "1 259200000", copied())
	_, err = shard.Tx(storetest.Ctx, storetest.StmtOf("UPDATE site_settings SET revision = 0, archive = 1"))
	require.NoError(t, err)
	require.NoError(t, house.CopySettings(storetest.Ctx), "a copy that was not written")
	require.Equal(t, "1 259200000", copied())
}
