package mover_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
	"plaza/tools/mover"
)

// TestOvertaken lets a process sleep right before one of its transactions, until another one has finished the move and members have changed
// what is on the target. When it wakes it changes nothing on either shard.
func TestOvertaken(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 2)
	slot := idOf(s, "Beta").Slot()
	to := 1 // where it is
	for _, of := range []struct{ step, before string }{
		{"", "INSERT INTO slot_holder (id, holder) VALUES"},
		{mover.StepCopy, "INSERT INTO communities"},
		{mover.StepCopy, "INSERT INTO hidden_slots"},
		{mover.StepCopy, "CREATE TRIGGER IF NOT EXISTS slot_noted"},
		{mover.StepCopy, "INSERT INTO posts ("},
		{mover.StepCopy, "DELETE FROM slot_changes"},
		{mover.StepCopy, "INSERT INTO slot_changes"},
		{mover.StepClose, "CREATE TRIGGER IF NOT EXISTS slot_closed"},
		{mover.StepSwitch, "DELETE FROM hidden_slots"},
		{mover.StepSwitch, "INSERT INTO hidden_slots"},
		{mover.StepKarma, "DELETE FROM moderation_counts"},
		{mover.StepKarma, "UPDATE author_karma"},
		{mover.StepKarma, "INSERT INTO author_karma"},
		{mover.StepRemove, "DELETE FROM posts"},
		{mover.StepEnd, "DELETE FROM transparency"},
		{mover.StepEnd, "DROP TRIGGER"},
		{"", "INSERT INTO slot_moves"},
	} {
		t.Run(of.step+" "+of.before, func(t *testing.T) {
			to = 1 - to
			edited := fmt.Sprint("Edited before ", of)
			change := func(shard int, sql string, args ...any) {
				_, err := s.Shards[shard].Exec(sql+` WHERE (id >> 12) & 1023 = ?`, append(args, slot)...)
				assert.NoError(t, err)
			}
			m := stopAfter(s, "")
			step, changed := "", false
			m.Progress = func(p mover.Progress) { step = p.Step }
			m.After = func(string, bool) error {
				if !changed {
					changed = true
					change(1-to, `UPDATE posts SET title = 'Changed'`)
					change(to, `DELETE FROM comments`) // for the comparison
				}
				return nil
			}
			sleeper := &sleeper{sleep: func(body []byte) bool {
				if step != of.step || !bytes.Contains(body, []byte(of.before)) {
					return false
				}
				_, err := s.Directory.Exec(`UPDATE slot_moves SET seen_at = 0`)
				assert.NoError(t, err)
				assert.NoError(t, stopAfter(s, "").Run(t.Context(), slot, to))
				change(to, `UPDATE posts SET title = ?`, edited)
				return true
			}}
			for i := range s.URLs {
				m.Shards[i] = hrana.New(hrana.Options{URL: s.URLs[i], HTTP: sleeper, WorkTime: time.Minute})
			}
			m.Directory = m.Shards[0]
			require.ErrorIs(t, m.Run(t.Context(), slot, to), mover.ErrTaken)
			require.True(t, sleeper.slept)
			count := func(shard int, sql string, args ...any) (n int) {
				require.NoError(t, s.Shards[shard].QueryRow(sql, args...).Scan(&n))
				return n
			}
			require.Zero(t, count(to, `SELECT count(*) FROM posts WHERE (id >> 12) & 1023 = ? AND title <> ?`, slot, edited))
			require.Zero(t, count(1-to, `SELECT count(*) FROM posts WHERE (id >> 12) & 1023 = ?`, slot))
			for shard := range s.Shards {
				require.Zero(t, count(shard, `SELECT count(*) FROM hidden_slots`))
				require.Zero(t, count(shard, `SELECT count(*) FROM slot_changes`))
				require.Zero(t, count(shard, `SELECT count(*) FROM sqlite_master WHERE name GLOB 'slot_noted*' OR name GLOB 'slot_closed*'`))
			}
		})
	}
	require.NoError(t, s.DB.ReadSlots(t.Context()))
	require.NoError(t, s.Accounts.CopyKarma(t.Context()))
	verified(s)
}

// TestTakenOverLate lets a process sleep right before it takes a move over, until another one has come further and ended. When it wakes it
// goes on from there. Where the other one has begun another move meanwhile, it takes nothing over.
func TestTakenOverLate(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 2)
	slot, other := idOf(s, "Beta").Slot(), idOf(s, "Alpha").Slot()
	before := rowsOf(s, 1, slot)
	late := func(meanwhile func()) *mover.Move {
		require.ErrorIs(t, stopAfter(s, mover.StepCopy).Run(t.Context(), slot, 0), errStopped)
		_, err := s.Directory.Exec(`UPDATE slot_moves SET step = 'copy'`) // which may be repeated
		require.NoError(t, err)
		m := stopAfter(s, "")
		sleeper := &sleeper{sleep: func(body []byte) bool {
			if !bytes.Contains(body, []byte("UPDATE slot_moves SET holder")) {
				return false
			}
			meanwhile()
			return true
		}}
		m.Shards[0] = hrana.New(hrana.Options{URL: s.URLs[0], HTTP: sleeper, WorkTime: time.Minute})
		m.Directory = m.Shards[0]
		return m
	}
	m := late(func() {
		assert.ErrorIs(t, stopAfter(s, mover.StepRemove).Run(t.Context(), slot, 0), errStopped)
	})
	require.NoError(t, m.Run(t.Context(), slot, 0))
	after := rowsOf(s, 0, slot)
	for name, rows := range before {
		if name != "link_previews" {
			require.Equal(t, rows, after[name], name)
		}
	}
	require.NoError(t, stopAfter(s, "").Run(t.Context(), slot, 1))

	m = late(func() {
		assert.NoError(t, stopAfter(s, "").Run(t.Context(), slot, 0))
		assert.ErrorIs(t, stopAfter(s, mover.StepCopy).Run(t.Context(), other, 1), errStopped)
	})
	require.ErrorIs(t, m.Run(t.Context(), slot, 0), mover.ErrTaken)
	require.NoError(t, stopAfter(s, "").Run(t.Context(), other, 1))
}

// TestTheDirectoryFitsTheStep goes on with a move whose step does not fit the shard that the directory names. Nothing is changed.
func TestTheDirectoryFitsTheStep(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 2)
	slot := idOf(s, "Beta").Slot()
	for _, of := range []struct{ after, step string }{
		{mover.StepSwitch, mover.StepCopy}, {mover.StepSwitch, mover.StepClose}, {mover.StepClose, mover.StepKarma},
		{mover.StepClose, mover.StepRemove}, {mover.StepClose, mover.StepEnd},
	} {
		require.ErrorIs(t, stopAfter(s, of.after).Run(t.Context(), slot, 0), errStopped)
		var step string
		require.NoError(t, s.Directory.QueryRow(`SELECT step FROM slot_moves`).Scan(&step))
		_, err := s.Directory.Exec(`UPDATE slot_moves SET step = ?`, of.step)
		require.NoError(t, err)
		require.ErrorIs(t, stopAfter(s, "").Run(t.Context(), slot, 0), mover.ErrStep, of)
		_, err = s.Directory.Exec(`UPDATE slot_moves SET step = ?`, step)
		require.NoError(t, err)
		require.NoError(t, stopAfter(s, "").Run(t.Context(), slot, 0))
		require.NoError(t, stopAfter(s, "").Run(t.Context(), slot, 1))
	}
}

// sleeper is the way to databases, on which one request sleeps before it arrives.
type sleeper struct {
	sleep func(body []byte) bool // is false for a request that goes on at once
	slept bool
}

func (s *sleeper) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if !s.slept {
		s.slept = s.sleep(body)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return http.DefaultClient.Do(r)
}

// TestALostAnswerLosesNoChange loses the answer to the transaction that forgets which rows have changed, and has them change once more before
// it is sent again.
func TestALostAnswerLosesNoChange(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 2)
	slot := idOf(s, "Beta").Slot()
	change := func(title string) {
		_, err := s.Shards[1].Exec(`UPDATE posts SET title = ? WHERE (id >> 12) & 1023 = ?`, title, slot)
		assert.NoError(t, err)
	}
	m := stopAfter(s, "")
	changed := false
	m.After = func(string, bool) error {
		if !changed {
			changed = true
			change("Changed")
		}
		return nil
	}
	loses := &losesAnswer{to: "DELETE FROM slot_changes WHERE name", then: func() { change("Changed again") }}
	m.Shards[1] = hrana.New(hrana.Options{URL: s.URLs[1], HTTP: loses, WorkTime: time.Minute})
	require.NoError(t, m.Run(t.Context(), slot, 0))
	require.True(t, loses.lost)
	var others int
	require.NoError(t, s.Directory.QueryRow(`SELECT count(*) FROM posts WHERE (id >> 12) & 1023 = ? AND title <> 'Changed again'`, slot).Scan(&others))
	require.Zero(t, others)
}

// losesAnswer is the way to a database, on which one answer is lost.
type losesAnswer struct {
	to   string // is part of the request
	then func()
	lost bool
}

func (l *losesAnswer) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	res, err := http.DefaultClient.Do(r)
	if err != nil || l.lost || !bytes.Contains(body, []byte(l.to)) {
		return res, err
	}
	l.lost = true
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	l.then()
	return nil, io.ErrUnexpectedEOF
}

func stopAfter(s *sitetest.Site, until string) *mover.Move {
	return &mover.Move{Directory: s.Clients[0], Shards: slices.Clone(s.Clients), Sleep: noSleep, After: func(step string, whole bool) error {
		if whole && step == until {
			return errStopped
		}
		return nil
	}}
}

// TestTheSwitchShowsBeforeItHides ends a move between the two: the community is in lists of all shards. Its decisions are counted once.
func TestTheSwitchShowsBeforeItHides(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 2)
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
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 3)
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
