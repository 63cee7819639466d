package people_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/modlog"
	"plaza/data/people"
	"plaza/data/storetest"
	"plaza/data/threads"
	"plaza/stack/stacktest"
)

func TestSuspend(t *testing.T) {
	directory, shard := stacktest.OpenHrana(t), stacktest.OpenHrana(t)
	stacktest.ApplySchema(t, directory)
	stacktest.ApplySchema(t, shard)
	s := storetest.New(t, data.NewDB(directory, shard), shard, stacktest.OpenRedis(t))
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	post := s.Post(ann, "gophers", "A post")
	writes := func(a data.Actor) error {
		_, _, err := s.Comments.Create(storetest.Ctx, a, threads.Create{Post: post.ID, Body: "x", BodyHTML: "x"})
		return err
	}
	signIn := func() (data.Actor, error) {
		return s.Users.LogIn(storetest.Ctx, people.LogIn{Login: "ann", Password: "correct horse"})
	}
	down := *s.Users
	down.DB = data.NewDB(directory, hrana.New(hrana.Options{URL: "http://127.0.0.1:1"}))

	t.Run("with a shard down says so, and nobody logs in meanwhile", func(t *testing.T) {
		err := down.Suspend(storetest.Ctx, "Ann")
		require.Equal(t, data.Unavailable, data.ErrorCode(err))
		require.ErrorContains(t, err, "thread shard 0")
		_, err = signIn()
		require.Equal(t, data.Forbidden, data.ErrorCode(err))
		require.Equal(t, data.Unauthenticated, data.ErrorCode(s.Communities.Subscribe(storetest.Ctx, ann, "gophers", true)))
	})
	t.Run("repeated writes what was missed", func(t *testing.T) {
		require.NoError(t, s.Users.Suspend(storetest.Ctx, "ann"))
		require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(ann)))
		require.NoError(t, writes(ben))
	})
	t.Run("refuses a session that a login under way makes later", func(t *testing.T) {
		later := ann
		later.SessionID, later.IssuedAt = ann.SessionID+2, s.Clock.Add(time.Hour)
		require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(later)))
	})
	t.Run("outlives the purge for as long as a cookie does", func(t *testing.T) {
		*s.Clock = s.Clock.Add(people.SessionLife)
		require.NoError(t, s.Sessions.Purge(storetest.Ctx))
		require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(ann)))
	})
	t.Run("is not ended while a shard can't be told", func(t *testing.T) {
		require.Equal(t, data.Unavailable, data.ErrorCode(down.Restore(storetest.Ctx, "ann")))
		_, err := signIn()
		require.Equal(t, data.Forbidden, data.ErrorCode(err))
	})
	t.Run("ends: the member logs in again, and the old session stays void", func(t *testing.T) {
		for range 2 {
			require.NoError(t, s.Users.Restore(storetest.Ctx, "ann"))
		}
		again, err := signIn()
		require.NoError(t, err)
		require.NoError(t, writes(again))
		require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(ann)))
		require.NoError(t, s.Users.Restore(storetest.Ctx, "ann"), "of somebody who is not suspended")
		require.NoError(t, writes(again), "signs nobody out")
	})
	t.Run("needs a member", func(t *testing.T) {
		require.Equal(t, data.NotFound, data.ErrorCode(s.Users.Suspend(storetest.Ctx, "nobody")))
		require.Equal(t, data.NotFound, data.ErrorCode(s.Users.Restore(storetest.Ctx, "nobody")))
		require.Equal(t, data.NotFound, data.ErrorCode(s.Users.SetAdmin(storetest.Ctx, "nobody", true)))
	})
}

// TestJudge has an administrator suspend a member while one database is down.
func TestJudge(t *testing.T) {
	directory, shard := stacktest.OpenHrana(t), stacktest.OpenHrana(t)
	stacktest.ApplySchema(t, directory)
	stacktest.ApplySchema(t, shard)
	s := storetest.New(t, data.NewDB(directory, shard), directory, stacktest.OpenRedis(t))
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	post := s.Post(ann, "gophers", "A post")
	writes := func(a data.Actor) error {
		_, _, err := s.Comments.Create(storetest.Ctx, a, threads.Create{Post: post.ID, Body: "x", BodyHTML: "x"})
		return err
	}
	rules := []string{"Spam"}
	judge := func(a data.Actor, users *people.Store, j people.Judgement) error {
		_, err := users.Judge(storetest.Ctx, a, j, rules)
		return err
	}
	down := *s.Users
	down.DB = data.NewDB(directory, hrana.New(hrana.Options{URL: "http://127.0.0.1:1"}))
	three := people.Judgement{Name: "Ben", Action: modlog.Suspend, Rule: "Spam", Days: 3}

	require.Equal(t, data.Forbidden, data.ErrorCode(judge(ann, s.Users, three)), "not an administrator")
	require.NoError(t, s.Users.SetAdmin(storetest.Ctx, "ann", true))
	require.Equal(t, data.Unavailable, data.ErrorCode(judge(ann, &down, three)))
	require.NoError(t, writes(ben), "the shard has not learned of it")
	require.NoError(t, judge(ann, s.Users, three))
	require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(ben)))
	require.Equal(t, [][]any{{"suspend", int64(0)}}, s.Rows("SELECT action, community_id FROM moderation_log"), "once")

	*s.Clock = s.Clock.Add(3*24*time.Hour - time.Hour)
	require.NoError(t, s.Users.EndSuspensions(storetest.Ctx))
	_, err := s.Users.LogIn(storetest.Ctx, people.LogIn{Login: "ben", Password: "correct horse"})
	storetest.CodeOf(t, err, data.Forbidden, "This account is suspended until 24 November 2026, 12:00 UTC. Rule: Spam.")
	*s.Clock = s.Clock.Add(time.Hour)
	require.NoError(t, s.Users.EndSuspensions(storetest.Ctx))
	again, err := s.Users.LogIn(storetest.Ctx, people.LogIn{Login: "ben", Password: "correct horse"})
	require.NoError(t, err)
	require.NoError(t, writes(again), "in every database")
	require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(ben)))

	require.NoError(t, judge(ann, s.Users, people.Judgement{Name: "ben", Action: modlog.BanSite, Rule: "Spam"}))
	require.NoError(t, judge(ann, s.Users, people.Judgement{Name: "ben", Action: modlog.Suspend, Rule: "Spam", Days: 1}), "what is decided later holds")
	*s.Clock = s.Clock.Add(25 * time.Hour)
	require.NoError(t, s.Users.EndSuspensions(storetest.Ctx))
	again, err = s.Users.LogIn(storetest.Ctx, people.LogIn{Login: "ben", Password: "correct horse"})
	require.NoError(t, err)
	require.NoError(t, writes(again))
	require.Equal(t, data.Conflict, data.ErrorCode(judge(ann, s.Users, people.Judgement{Name: "ben", Action: modlog.Restore})))
	require.Equal(t, data.Invalid, data.ErrorCode(judge(ann, s.Users, people.Judgement{Name: "ann", Action: modlog.Suspend, Rule: "Spam"})))
	require.Equal(t, data.Invalid, data.ErrorCode(judge(ann, s.Users, people.Judgement{Name: "ben", Action: modlog.Suspend, Rule: "Other"})))
}
