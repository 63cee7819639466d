package mover_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/tools/mover"
	"plaza/tools/verify/sitetest"
)

// TestOvertaken lets a process sleep when it has read rows, right before it writes them, until another one has gone on with the move and
// members have changed what is on the target. When it wakes it writes nothing.
func TestOvertaken(t *testing.T) {
	s := sitetest.Open(t, 2)
	s.Fill()
	slot := idOf(s, "Beta").Slot()
	sleeper := &sleeper{before: "INSERT INTO posts (", sleep: func() {
		_, err := s.Directory.Exec(`UPDATE slot_moves SET seen_at = 0`)
		assert.NoError(t, err)
		assert.ErrorIs(t, stopAfter(s, mover.StepSwitch).Run(t.Context(), slot, 0), errStopped)
		_, err = s.Directory.Exec(`UPDATE posts SET title = 'Edited' WHERE (id >> 12) & 1023 = ?`, slot)
		assert.NoError(t, err)
	}}
	m := stopAfter(s, "")
	m.Directory = hrana.New(hrana.Options{URL: s.URLs[0], HTTP: sleeper, WorkTime: time.Minute})
	m.Shards = []*hrana.Client{m.Directory, s.Clients[1]}
	require.ErrorIs(t, m.Run(t.Context(), slot, 0), mover.ErrTaken)
	require.True(t, sleeper.slept)
	var old int
	require.NoError(t, s.Directory.QueryRow(`SELECT count(*) FROM posts WHERE (id >> 12) & 1023 = ? AND title <> 'Edited'`, slot).Scan(&old))
	require.Zero(t, old)
}

// sleeper is the way to a database, on which the first request with a statement sleeps before it arrives.
type sleeper struct {
	before string
	sleep  func()
	slept  bool
}

func (s *sleeper) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if !s.slept && bytes.Contains(body, []byte(s.before)) {
		s.slept = true
		s.sleep()
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return http.DefaultClient.Do(r)
}

func stopAfter(s *sitetest.Site, until string) *mover.Move {
	return &mover.Move{Directory: s.Clients[0], Shards: s.Clients, Sleep: noSleep, After: func(step string, whole bool) error {
		if whole && step == until {
			return errStopped
		}
		return nil
	}}
}

// TestTheSwitchShowsBeforeItHides ends a move between the two: the community is in lists of all shards. Its decisions are counted once.
func TestTheSwitchShowsBeforeItHides(t *testing.T) {
	s := sitetest.Open(t, 2)
	s.Fill()
	community := idOf(s, "Beta")
	decisions := func() (n int) {
		for _, shard := range s.Shards {
			var made int
			require.NoError(t, shard.QueryRow(`SELECT coalesce(sum(made), 0) FROM moderation_counts WHERE community_id = ?`, int64(community)).Scan(&made))
			n += made
		}
		return n
	}
	before := decisions()
	require.NotZero(t, before)
	require.NoError(t, stopAfter(s, "").Run(t.Context(), community.Slot(), 0))
	require.Equal(t, before, decisions())

	// From the directory to the shard.
	_, err := s.Directory.Exec(`CREATE TRIGGER ended BEFORE INSERT ON hidden_slots BEGIN SELECT raise(ABORT, 'ended'); END`)
	require.NoError(t, err)
	require.ErrorContains(t, stopAfter(s, "").Run(t.Context(), community.Slot(), 1), "ended")
	var hidden int
	require.NoError(t, s.Shards[1].QueryRow(`SELECT count(*) FROM hidden_slots`).Scan(&hidden))
	require.Zero(t, hidden)
	_, err = s.Directory.Exec(`DROP TRIGGER ended`)
	require.NoError(t, err)
	require.ErrorIs(t, stopAfter(s, mover.StepSwitch).Run(t.Context(), community.Slot(), 1), errStopped)
	require.Equal(t, before, decisions())
	require.NoError(t, stopAfter(s, "").Run(t.Context(), community.Slot(), 1))
	require.Equal(t, before, decisions())
	require.NoError(t, s.DB.ReadSlots(t.Context()))
	require.NoError(t, s.Accounts.CopyKarma(t.Context()))
	verified(s)
}

// TestOtherShards goes on with a move while the shards are others than before.
func TestOtherShards(t *testing.T) {
	s := sitetest.Open(t, 3)
	s.Fill()
	slot := idOf(s, "Beta").Slot()
	for _, step := range []string{mover.StepCopy, mover.StepClose, mover.StepSwitch, mover.StepKarma} {
		require.ErrorIs(t, stopAfter(s, step).Run(t.Context(), slot, 2), errStopped)
		m := stopAfter(s, "")
		m.Shards = s.Clients[:2]
		require.ErrorIs(t, m.Run(t.Context(), slot, 2), mover.ErrShard)
		if step != mover.StepSwitch { // where both shards may show the slot
			m.Shards = slices.Clone(s.Clients)
			slices.Reverse(m.Shards)
			m.Shards[1] = hrana.New(hrana.Options{URL: s.URLs[0]})
			require.ErrorIs(t, m.Run(t.Context(), slot, 2), mover.ErrOrder, step)
		}
	}
	require.NoError(t, stopAfter(s, "").Run(t.Context(), slot, 2))
}
