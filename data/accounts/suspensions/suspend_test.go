package suspensions_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/sessions"
	"plaza/data/accounts/suspensions"
	"plaza/data/content/comments"
	"plaza/data/events/modlog"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// logIn logs a member in, up to the session.
func logIn(s *storetest.Stores, name string) (data.Actor, error) {
	actor, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: name, Password: "correct horse"})
	if err == nil {
		_, err = s.Sessions.Start(storetest.Ctx, actor, sessions.SignIn{Method: "password"})
	}
	return actor, err
}

// apart is a site whose shard is another database than the directory. The store down can't reach the shard, and writes comments on the
// only post there.
func apart(t *testing.T) (s *storetest.Stores, down *suspensions.Store, writes func(data.Actor) error) {
	directory, shard := stacktest.OpenSchema(t), stacktest.OpenSchema(t)
	s = storetest.On(t, data.NewDB(directory, shard), storetest.DatabasesOf(t, directory, shard), stacktest.OpenRedis(t))
	cut := *s.Suspensions
	cut.DB = data.NewDB(directory, hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Attempts: 1}))
	return s, &cut, func(a data.Actor) error {
		post := data.ID(s.One("SELECT id FROM posts").(int64))
		_, _, err := s.Comments.Create(storetest.Ctx, a, comments.Create{Post: post, Body: "x", BodyHTML: "x"})
		return err
	}
}

func TestSuspend(t *testing.T) {
	s, down, writes := apart(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	s.Post(ann, "gophers", "A post")
	signIn := func() (data.Actor, error) { return logIn(s, "ann") }

	t.Run("with a shard down says so, and nobody logs in meanwhile", func(t *testing.T) {
		err := down.Suspend(storetest.Ctx, "Ann")
		require.Equal(t, data.Unavailable, data.ErrorCode(err))
		require.ErrorIs(t, err, sessions.ErrLater)
		require.ErrorContains(t, err, "thread shard 0")
		_, err = signIn()
		require.Equal(t, data.Forbidden, data.ErrorCode(err))
		require.Equal(t, data.Unauthenticated, data.ErrorCode(s.Communities.Subscribe(storetest.Ctx, ann, "gophers", true)))
	})
	t.Run("repeated writes what was missed", func(t *testing.T) {
		require.NoError(t, s.Suspensions.Suspend(storetest.Ctx, "ann"))
		require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(ann)))
		require.NoError(t, writes(ben))
	})
	t.Run("refuses a session that a login under way makes later", func(t *testing.T) {
		later := ann
		later.SessionID, later.IssuedAt = ann.SessionID+2, s.Clock.Add(time.Hour)
		require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(later)))
	})
	t.Run("outlives the purge for as long as a cookie does", func(t *testing.T) {
		*s.Clock = s.Clock.Add(sessions.SessionLife)
		require.NoError(t, s.Sessions.Purge(storetest.Ctx))
		require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(ann)))
	})
	t.Run("ends while a shard can't be told, which refuses the member until it is", func(t *testing.T) {
		require.ErrorIs(t, down.Restore(storetest.Ctx, "ann"), sessions.ErrLater)
		again, err := signIn()
		require.NoError(t, err)
		require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(again)))
		require.NoError(t, s.Communities.Subscribe(storetest.Ctx, again, "gophers", true))
	})
	t.Run("has ended everywhere after the retry job, and the old session stays void", func(t *testing.T) {
		*s.Clock = s.Clock.Add(time.Hour)
		require.NoError(t, s.Sessions.CopyRevocations(storetest.Ctx, []data.ID{ann.UserID}))
		require.Empty(t, s.Rows("SELECT 1 FROM outbox WHERE job = 'revoke-sessions'"))
		again, err := signIn()
		require.NoError(t, err)
		require.NoError(t, writes(again))
		require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(ann)))
		require.NoError(t, s.Suspensions.Restore(storetest.Ctx, "ann"), "of somebody who is not suspended")
		require.NoError(t, writes(again), "signs nobody out")
	})
	t.Run("is in the log once, and undone", func(t *testing.T) {
		require.Equal(t, [][]any{{"suspend", int64(0), int64(1)}, {"restore", int64(0), int64(0)}},
			s.Rows("SELECT action, actor_id, undone_by IS NOT NULL FROM moderation_log ORDER BY action DESC"))
	})
	t.Run("needs a member", func(t *testing.T) {
		require.Equal(t, data.NotFound, data.ErrorCode(s.Suspensions.Suspend(storetest.Ctx, "nobody")))
		require.Equal(t, data.NotFound, data.ErrorCode(s.Suspensions.Restore(storetest.Ctx, "nobody")))
		require.Equal(t, data.NotFound, data.ErrorCode(s.Accounts.SetAdmin(storetest.Ctx, "nobody", true)))
	})
	t.Run("takes its end from a suspension that has one", func(t *testing.T) {
		carl := s.Member("carl")
		s.Exec("UPDATE users SET status = 'suspended', suspended_until = ?1 WHERE id = ?2", s.Clock.Add(time.Hour).UnixMilli(),
			int64(carl.UserID))
		require.NoError(t, s.Suspensions.Suspend(storetest.Ctx, "carl"))
		require.Equal(t, "suspended without an end", s.One("SELECT status || coalesce(suspended_until, ' without an end') FROM users "+
			"WHERE id = ?1", int64(carl.UserID)))
	})
}

// TestDecide has an administrator suspend a member while one database is down.
func TestDecide(t *testing.T) {
	s, down, writes := apart(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	s.Post(ann, "gophers", "A post")
	rules := []string{"Spam"}
	judge := func(a data.Actor, users *suspensions.Store, j suspensions.Sanction) error {
		_, err := users.Decide(storetest.Ctx, a, j, rules)
		return err
	}
	three := suspensions.Sanction{Name: "Ben", Act: modlog.Act{Action: modlog.Suspend, Rule: "Spam", Days: 3}}

	require.Equal(t, data.Forbidden, data.ErrorCode(judge(ann, s.Suspensions, three)), "not an administrator")
	require.NoError(t, s.Accounts.SetAdmin(storetest.Ctx, "ann", true))
	require.NoError(t, judge(ann, down, three))
	require.NoError(t, writes(ben), "the shard has not learned of it")
	require.NoError(t, judge(ann, s.Suspensions, three))
	require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(ben)))
	for _, apart := range []time.Duration{time.Minute, -2 * time.Minute, time.Minute} { // the form is sent again, to other instances
		*s.Clock = s.Clock.Add(apart)
		require.NoError(t, judge(ann, s.Suspensions, three))
	}
	require.Equal(t, [][]any{{"suspend", int64(0)}}, s.Rows("SELECT action, community_id FROM moderation_log"), "once")

	for _, days := range []int{0, 3} { // without an end, and with one again
		three.Days = days
		require.NoError(t, judge(ann, s.Suspensions, three))
	}
	require.Equal(t, int64(3), s.One("SELECT count(*) FROM moderation_log"))

	*s.Clock = s.Clock.Add(3*24*time.Hour - time.Hour)
	require.NoError(t, s.Suspensions.EndSuspensions(storetest.Ctx))
	_, err := logIn(s, "ben")
	storetest.CodeOf(t, err, data.Forbidden, "This account is suspended until 24 November 2026, 12:00 UTC. Rule: Spam.")
	*s.Clock = s.Clock.Add(time.Hour)
	require.NoError(t, s.Suspensions.EndSuspensions(storetest.Ctx))
	again, err := logIn(s, "ben")
	require.NoError(t, err)
	require.NoError(t, writes(again), "in every database")
	require.Equal(t, data.Unauthenticated, data.ErrorCode(writes(ben)))

	require.NoError(t, judge(ann, s.Suspensions, suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: modlog.BanSite, Rule: "Spam"}}))
	require.NoError(t, judge(ann, s.Suspensions, suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: modlog.Suspend, Rule: "Spam", Days: 1}}),
		"what is decided later holds")
	*s.Clock = s.Clock.Add(25 * time.Hour)
	require.NoError(t, s.Suspensions.EndSuspensions(storetest.Ctx))
	again, err = logIn(s, "ben")
	require.NoError(t, err)
	require.NoError(t, writes(again))
	require.Equal(t, data.Conflict, data.ErrorCode(judge(ann, s.Suspensions,
		suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: modlog.Restore}})))
	require.Equal(t, data.Invalid, data.ErrorCode(judge(ann, s.Suspensions,
		suspensions.Sanction{Name: "ann", Act: modlog.Act{Action: modlog.Suspend, Rule: "Spam"}})))
	require.Equal(t, data.Invalid, data.ErrorCode(judge(ann, s.Suspensions,
		suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: modlog.Suspend, Rule: "Other"}})))
}

// TestDecideTogether has two administrators decide about the same member, and a suspension end of a member who has left.
func TestDecideTogether(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	between := &storetest.Transport{Http: client}
	directory, shard := hrana.New(hrana.Options{URL: url, HTTP: client}), stacktest.OpenSchema(t)
	s := storetest.New(t, data.NewDB(directory, shard), directory, stacktest.OpenRedis(t))
	ann, eve := s.Member("ann"), s.Member("eve")
	ben := s.Member("ben")
	for _, name := range []string{"ann", "eve"} {
		require.NoError(t, s.Accounts.SetAdmin(storetest.Ctx, name, true))
	}
	slow := *s.Suspensions
	slow.DB = data.NewDB(hrana.New(hrana.Options{URL: url, HTTP: between}), shard)
	meanwhile := func(do func()) { between.Before = func() { between.Before = do } } // after the first request, which reads the member
	judge := func(a data.Actor, users *suspensions.Store, j suspensions.Sanction) error {
		_, err := users.Decide(storetest.Ctx, a, j, []string{"Spam", "Threats"})
		return err
	}
	status := func() []any {
		return s.Rows("SELECT status, (SELECT count(*) FROM moderation_log WHERE action = 'restore') FROM users WHERE id = ?1",
			int64(ben.UserID))[0]
	}
	restore := suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: modlog.Restore}}

	require.NoError(t, judge(ann, s.Suspensions, suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: modlog.Suspend, Rule: "Spam", Days: 3}}))
	meanwhile(func() {
		require.NoError(t, judge(eve, s.Suspensions, suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: modlog.BanSite, Rule: "Threats"}}))
	})
	storetest.CodeOf(t, judge(ann, &slow, restore), data.Conflict, "Somebody else has just decided")
	require.Equal(t, []any{"banned", int64(0)}, status(), "what was decided meanwhile stands")

	meanwhile(func() { require.NoError(t, s.Accounts.SetAdmin(storetest.Ctx, "ann", false)) })
	require.Equal(t, data.Forbidden, data.ErrorCode(judge(ann, &slow, restore)))
	require.Equal(t, []any{"banned", int64(0)}, status(), "who is no administrator any more restores nobody")
	require.NoError(t, judge(eve, s.Suspensions, restore))
	require.Equal(t, []any{"active", int64(1)}, status())

	entry := func() data.ID {
		return data.ID(s.One("SELECT suspension FROM users WHERE id = ?1", int64(ben.UserID)).(int64))
	}
	require.NoError(t, judge(eve, s.Suspensions, suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: modlog.Suspend, Rule: "Spam"}}))
	first := entry()
	require.NoError(t, judge(eve, s.Suspensions, suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: modlog.BanSite, Rule: "Spam"}}))
	takeBack := func(a data.Actor, decision data.ID) error {
		return s.Suspensions.TakeBack(storetest.Ctx, a, ben.UserID, decision)
	}
	require.Equal(t, data.Conflict, data.ErrorCode(takeBack(eve, first)), "another decision holds now")
	require.Equal(t, data.Forbidden, data.ErrorCode(takeBack(ann, entry())), "no administrator")
	require.Equal(t, "banned", status()[0])
	for range 2 {
		require.NoError(t, takeBack(eve, entry()))
	}
	require.Equal(t, []any{"active", int64(2)}, status())

	s.Exec("UPDATE users SET waiting = 'Hello' WHERE id = ?1", int64(ben.UserID))
	require.NoError(t, judge(eve, s.Suspensions, suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: modlog.BanSite, Rule: "Spam"}}))
	require.NoError(t, takeBack(eve, entry()))
	require.Equal(t, "Hello", s.One("SELECT waiting FROM users WHERE id = ?1", int64(ben.UserID)),
		"nobody has decided whether to approve them")

	require.NoError(t, judge(eve, s.Suspensions, suspensions.Sanction{Name: "ben", Act: modlog.Act{Action: modlog.Suspend, Rule: "Spam", Days: 3}}))
	s.Exec("UPDATE users SET username = '', username_key = '~' || id WHERE id = ?1", int64(ben.UserID)) // as for a deleted account
	*s.Clock = s.Clock.Add(4 * 24 * time.Hour)
	require.NoError(t, s.Suspensions.EndSuspensions(storetest.Ctx))
	require.Equal(t, "suspended", status()[0])
	storetest.CodeOf(t, judge(eve, s.Suspensions, suspensions.Sanction{Name: "~" + strconv.FormatInt(int64(ben.UserID), 10),
		Act: modlog.Act{Action: modlog.BanSite, Rule: "Spam"}}), data.NotFound, "")
}
