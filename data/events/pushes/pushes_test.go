package pushes_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/data/events/pushes"
	"plaza/test/storetest"
)

// insertEntry adds a row to a member's inbox, as data/events/inbox does.
func insertEntry(s *storetest.Stores, member data.ID, kind string, subject, post int64) {
	s.Helper()
	s.Exec(`INSERT INTO inbox (user_id, kind, subject_id, post_id, community_name, slug, title, author_id, excerpt, created_at)
VALUES (?1, ?2, ?3, ?4, 'gophers', 'a-post', 'A post', NULL, 'words', ?5) ON CONFLICT DO NOTHING`, int64(member), kind, subject, post,
		s.Clock.UnixMilli())
}

// signedIn lists the session of a member.
func signedIn(s *storetest.Stores, a data.Actor) {
	s.Helper()
	_, err := s.Sessions.Start(storetest.Ctx, a, sessions.SignIn{Method: "password"})
	require.NoError(s, err)
}

func TestPushes(t *testing.T) {
	s := storetest.Open(t)
	store := &pushes.Store{Base: s.Accounts.Base}
	ann := s.Member("ann")
	signedIn(s, ann)
	require.NoError(t, store.Add(storetest.Ctx, ann, pushes.New{Name: "Firefox", Endpoint: "https://push.net/1", Key: "k", Secret: "s"}))
	waiting := func() int64 { return s.One("SELECT count(*) FROM pushes").(int64) }
	ask := func() []data.ID {
		t.Helper()
		ids, err := store.ClaimDue(storetest.Ctx)
		require.NoError(t, err)
		return ids
	}
	claim := func(ids []data.ID) []*pushes.Waiting {
		t.Helper()
		claimed, err := store.Claim(storetest.Ctx, ids)
		require.NoError(t, err)
		return claimed
	}
	report := func(o pushes.Outcome) {
		t.Helper()
		require.NoError(t, store.Report(storetest.Ctx, []pushes.Outcome{o}))
	}

	t.Run("what is told twice is sent once, and what follows in the thread goes along", func(t *testing.T) {
		insertEntry(s, ann.UserID, "reply", 11, 10)
		insertEntry(s, ann.UserID, "reply", 11, 10)
		insertEntry(s, ann.UserID, "thread", 13, 10)
		require.Equal(t, int64(1), waiting())
		ids := ask()
		require.Len(t, ids, 1)
		require.Empty(t, ask(), "it is asked for")
		claimed := claim(ids)
		require.Len(t, claimed, 1)
		require.Equal(t, data.ID(13), claimed[0].Last.Subject)
		require.Equal(t, 2, claimed[0].Unread)
		require.Empty(t, claim(ids), "a message that comes twice")
		report(pushes.Outcome{Waiting: claimed[0], Accepted: true})
		require.Zero(t, waiting())
		insertEntry(s, ann.UserID, "reply", 11, 10)
		require.Zero(t, waiting(), "the work of telling is repeated")
	})
	t.Run("what comes while it is sent goes on, whatever came of the first", func(t *testing.T) {
		for n, outcome := range []pushes.Outcome{{Accepted: true}, {Again: true}, {}} {
			subject := int64(21 + 10*n)
			insertEntry(s, ann.UserID, "reply", subject, 20)
			claimed := claim(ask())
			require.Len(t, claimed, 1)
			insertEntry(s, ann.UserID, "reply", subject+2, 20)
			outcome.Waiting = claimed[0]
			report(outcome)
			require.Equal(t, int64(1), waiting())
			*s.Clock = s.Clock.Add(time.Minute)
			next := claim(ask())
			require.Len(t, next, 1)
			require.Equal(t, data.ID(subject+2), next[0].Last.Subject)
			report(pushes.Outcome{Waiting: next[0], Accepted: true})
			require.Zero(t, waiting())
		}
	})
	t.Run("one that nobody reports is due again in a minute, and ends after six tries", func(t *testing.T) {
		insertEntry(s, ann.UserID, "mention", 31, 30)
		for n := range 7 {
			ids := ask()
			require.Len(t, ids, 1)
			claimed := claim(ids)
			require.Equal(t, n >= 5, claimed[0].LastTry || claimed[0].Last == nil, n)
			require.Equal(t, n == 6, claimed[0].Last == nil)
			*s.Clock = s.Clock.Add(59 * time.Second)
			require.Empty(t, ask())
			*s.Clock = s.Clock.Add(2 * time.Second)
			if n == 6 {
				report(pushes.Outcome{Waiting: claimed[0]})
			}
		}
		require.Zero(t, waiting())
	})
	t.Run("a day later nothing is worth showing", func(t *testing.T) {
		insertEntry(s, ann.UserID, "reply", 41, 40)
		*s.Clock = s.Clock.Add(pushes.Life + time.Second)
		claimed := claim(ask())
		require.Nil(t, claimed[0].Last)
		report(pushes.Outcome{Waiting: claimed[0]})
	})
	t.Run("only the kinds that were chosen", func(t *testing.T) {
		require.NoError(t, store.Choose(storetest.Ctx, ann, pushes.Choices{Threads: true}))
		insertEntry(s, ann.UserID, "reply", 51, 50)
		insertEntry(s, ann.UserID, "mention", 53, 50)
		require.Zero(t, waiting())
		insertEntry(s, ann.UserID, "thread", 55, 50)
		require.Equal(t, int64(1), waiting())
		require.NoError(t, store.Choose(storetest.Ctx, ann, pushes.Choices{true, true, true}))
	})
	t.Run("a removed device takes along what waits for it, and an ended session is told nothing", func(t *testing.T) {
		r := s.DB.Read()
		list := store.Find(r, ann.UserID)
		require.NoError(t, r.Run(storetest.Ctx))
		require.Len(t, *list, 1)
		require.NoError(t, store.Remove(storetest.Ctx, ann, (*list)[0].ID))
		require.Zero(t, waiting())
		require.NoError(t, store.Add(storetest.Ctx, ann, pushes.New{Endpoint: "https://push.net/2", Key: "k", Secret: "s"}))
		insertEntry(s, ann.UserID, "reply", 61, 60)
		require.NoError(t, s.Sessions.EndAll(storetest.Ctx, ann.UserID))
		claimed := claim(ask())
		require.Nil(t, claimed[0].Last)
		require.ErrorIs(t, store.Add(storetest.Ctx, ann, pushes.New{Endpoint: "https://push.net/3", Key: "k", Secret: "s"}), data.ErrSessionEnded)
	})
}

// TestRowsRead limits the rows that Ask and Claim read to their results, whatever waits.
func TestRowsRead(t *testing.T) {
	s := storetest.Open(t)
	store := &pushes.Store{Base: s.Accounts.Base}
	ann := s.Member("ann")
	signedIn(s, ann)
	for n := range pushes.DevicesMax {
		require.NoError(t, store.Add(storetest.Ctx, ann, pushes.New{Endpoint: fmt.Sprint("https://push.net/", n), Key: "k", Secret: "s"}))
	}
	s.Exec(`INSERT INTO inbox (user_id, kind, subject_id, post_id, community_name, slug, title, author_id, excerpt, created_at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT ?1, 'reply', i, i, 'c', 's', 't', NULL, '', 0 FROM n`,
		int64(ann.UserID))
	require.Equal(t, int64(3000), s.One("SELECT count(*) FROM pushes"))
	metered, meter := s.Metered()
	ids, err := store.ClaimDue(metered)
	require.NoError(t, err)
	require.Len(t, ids, 100)
	require.LessOrEqual(t, meter.RowsRead(), int64(1+6*100))
	metered, meter = s.Metered()
	claimed, err := store.Claim(metered, ids[:10])
	require.NoError(t, err)
	require.Len(t, claimed, 10)
	// The member's unread rows are read twice for each: at most 1,000 rows.
	require.LessOrEqual(t, meter.RowsRead(), int64(10*(2*300+20)))
}
