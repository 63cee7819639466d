package mails_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/mails"
	"plaza/test/storetest"
)

const hello = mails.Kind("hello")

func enqueue(t *testing.T, s *storetest.Stores, m mails.Mail) data.ID {
	t.Helper()
	w := s.DB.Write()
	mails.Enqueue(w, s.Accounts.Source, m)
	require.NoError(t, w.Run(storetest.Ctx))
	if ids := s.Asked(mails.Word); len(ids) > 0 {
		return ids[0]
	}
	return 0
}

func TestMails(t *testing.T) {
	s := storetest.Open(t)
	store := &mails.Store{Base: s.Accounts.Base}
	ann := s.Member("ann")
	claim := func(ids ...data.ID) []mails.Waiting {
		t.Helper()
		claimed, err := store.Claim(storetest.Ctx, ids)
		require.NoError(t, err)
		return claimed
	}
	due := func() []data.ID {
		t.Helper()
		ids, err := store.FindDue(storetest.Ctx)
		require.NoError(t, err)
		return ids
	}
	id := enqueue(t, s, mails.Mail{Key: "hello 1", Kind: hello, User: ann.UserID, Address: "ann@example.org",
		About: map[string]string{"name": "x"}})

	t.Run("of the same key there is one", func(t *testing.T) {
		enqueue(t, s, mails.Mail{Key: "hello 1", Kind: hello})
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM mails"))
	})
	t.Run("it is due when its message should have come", func(t *testing.T) {
		require.Empty(t, due())
		*s.Clock = s.Clock.Add(time.Minute)
		require.Equal(t, []data.ID{id}, due())
	})
	t.Run("who claims it has it alone until it is due again, each time later, seven times", func(t *testing.T) {
		for i, wait := range []time.Duration{time.Minute, 4 * time.Minute, 16 * time.Minute, 64 * time.Minute, 256 * time.Minute,
			1024 * time.Minute, 0} {
			claimed := claim(id)
			require.Len(t, claimed, 1)
			require.Equal(t, "ann@example.org", claimed[0].To)
			require.Equal(t, "ann", claimed[0].Username)
			require.Equal(t, map[string]string{"name": "x"}, claimed[0].About)
			require.Equal(t, i == 6, claimed[0].LastTry)
			require.False(t, claimed[0].TooOld)
			*s.Clock = s.Clock.Add(wait - time.Second)
			require.Empty(t, claim(id))
			require.Empty(t, due())
			*s.Clock = s.Clock.Add(2 * time.Second)
		}
		*s.Clock = s.Clock.Add(30 * 24 * time.Hour)
		require.True(t, claim(id)[0].TooOld, "the last try never told how it ended")
	})
	t.Run("what has ended is forgotten but for its key", func(t *testing.T) {
		require.NoError(t, store.Sent(storetest.Ctx, id))
		*s.Clock = s.Clock.Add(30 * 24 * time.Hour)
		require.Empty(t, claim(id))
		require.Empty(t, due())
		require.Equal(t, []any{"hello 1", ""}, []any{s.One("SELECT key FROM mails"), s.One("SELECT address || about FROM mails")})
		require.NoError(t, store.Purge(storetest.Ctx))
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM mails"))
	})
	t.Run("a member gets mail at the confirmed address alone", func(t *testing.T) {
		id := enqueue(t, s, mails.Mail{Key: "hello 2", Kind: hello, User: ann.UserID})
		s.Exec("UPDATE users SET email = 'ann@home.example', email_key = 'ann@home.example' WHERE id = ?1", int64(ann.UserID))
		require.Empty(t, claim(id)[0].To)
		s.Exec("UPDATE users SET email_confirmed_at = 1 WHERE id = ?1", int64(ann.UserID))
		*s.Clock = s.Clock.Add(time.Hour)
		require.Equal(t, "ann@home.example", claim(id)[0].To)
		require.NoError(t, s.Suspensions.Suspend(storetest.Ctx, "ann"))
		*s.Clock = s.Clock.Add(time.Hour)
		require.Empty(t, claim(id)[0].To)
	})
	t.Run("what was not tried is due in a minute, as if it had not been claimed", func(t *testing.T) {
		id := enqueue(t, s, mails.Mail{Key: "hello 3", Kind: hello, Address: "ben@example.org"})
		require.Len(t, claim(id), 1)
		require.NoError(t, store.Return(storetest.Ctx, []data.ID{id}))
		*s.Clock = s.Clock.Add(59 * time.Second)
		require.NotContains(t, due(), id)
		*s.Clock = s.Clock.Add(time.Second)
		require.Contains(t, due(), id)
		require.Equal(t, int64(0), s.One("SELECT attempts FROM mails WHERE id = ?1", int64(id)))
	})
	t.Run("one may depend on the statement before it", func(t *testing.T) {
		for _, n := range []int64{0, 1} {
			w := s.DB.Write()
			w.Do("UPDATE users SET bio = 'x' WHERE id = :id AND :n = 1", data.Args{"id": ann.UserID, "n": n})
			mails.EnqueueIfChanged(w, s.Accounts.Source, mails.Mail{Key: "hello 4", Kind: hello})
			require.NoError(t, w.Run(storetest.Ctx))
			require.Equal(t, n, s.One("SELECT count(*) FROM mails WHERE key = 'hello 4'"))
		}
	})
}

// TestRowsRead limits the rows that the retry job reads to its results, whatever waits.
func TestRowsRead(t *testing.T) {
	s := storetest.Open(t)
	store := &mails.Store{Base: s.Accounts.Base}
	s.Exec(`INSERT INTO mails (id, key, kind, user_id, address, about, queued_at, due_at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i, i, 'hello', 0, '', '{}', 0, iif(i % 2, NULL, i)
  FROM n`)
	metered, meter := s.Metered()
	ids, err := store.FindDue(metered)
	require.NoError(t, err)
	require.Len(t, ids, 100)
	require.LessOrEqual(t, meter.RowsRead(), int64(101))
}
