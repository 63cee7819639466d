package mover_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/ops/shards/mover"
	"plaza/ops/verify"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

var errStopped = errors.New("stopped")

func noSleep(context.Context, time.Duration) error { return nil }

// idOf returns the id of a community.
func idOf(s *sitetest.Site, name string) (id data.ID) {
	s.Helper()
	require.NoError(s, s.Directory.QueryRow(`SELECT id FROM communities WHERE name = ?`, name).Scan((*int64)(&id)))
	return id
}

// verified requires that plaza verify finds nothing.
func verified(s *sitetest.Site) {
	s.Helper()
	var found []string
	_, err := verify.Run(s.Context(), verify.Options{Directory: s.Clients[0], Shards: s.Clients, Hot: s.Hot,
		Wait: func(context.Context) error { return nil }, Found: func(d verify.Difference) { found = append(found, d.String()) }})
	require.NoError(s, err)
	require.Empty(s, found)
}

// rowsOf returns all rows of a slot on a shard, by their table.
func rowsOf(s *sitetest.Site, shard, slot int) map[string][]string {
	s.Helper()
	all := map[string][]string{}
	for name, sql := range mover.Moved(slot) {
		rows, err := s.Shards[shard].Query(sql)
		require.NoError(s, err)
		columns, err := rows.Columns()
		require.NoError(s, err)
		all[name] = []string{}
		for rows.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			require.NoError(s, rows.Scan(into...))
			all[name] = append(all[name], fmt.Sprint(values...))
		}
		require.NoError(s, rows.Err())
		slices.Sort(all[name])
	}
	return all
}

// moveOf is a move that ends after a step; "" is to the end.
func moveOf(s *sitetest.Site, last string) *mover.Move {
	return &mover.Move{Directory: s.Clients[0], Shards: s.Clients, Sleep: noSleep, After: func(step string, whole bool) error {
		if whole && step == last {
			return errStopped
		}
		return nil
	}}
}

// moved requires that one shard has the rows that another had, which has none any more.
func moved(s *sitetest.Site, slot, from, to int, before map[string][]string) {
	s.Helper()
	require.Equal(s, before, rowsOf(s, to, slot))
	for name, rows := range rowsOf(s, from, slot) {
		require.Empty(s, rows, name)
	}
	for _, shard := range s.Shards {
		var remaining int
		require.NoError(s, shard.QueryRow(`SELECT (SELECT count(*) FROM frozen_slots) + (SELECT count(*) FROM sqlite_master WHERE name LIKE 'slot_%' AND type = 'trigger')`).Scan(&remaining))
		require.Zero(s, remaining)
	}
	verified(s)
}

// TestMove moves a community from a shard to another one, and then to the directory. The process ends after one of its
// transactions, the next one after some more, and so on.
func TestMove(t *testing.T) {
	t.Parallel()
	s := sitetest.OpenFilled(t, 3)
	everyTable(s, idOf(s, "Beta"))
	require.NoError(t, s.Accounts.CopyKarma(t.Context()))
	verified(s)
	slot := idOf(s, "Beta").Slot()
	before := rowsOf(s, 1, slot)
	for name, rows := range before {
		assert.NotEmpty(t, rows, name)
	}
	from := 1
	for _, to := range []int{2, 0} {
		runs := 0
		for done := false; !done; runs++ {
			calls := 0
			m := moveOf(s, "")
			m.Scanned = 1000
			m.After = func(string, bool) error {
				if calls++; calls > runs*runs {
					return errStopped
				}
				return nil
			}
			err := m.Run(t.Context(), slot, to)
			if done = err == nil; !done {
				require.ErrorIs(t, err, errStopped)
			}
			require.Less(t, runs, 2000)
		}
		t.Log(from, "to", to, "in", runs, "runs")
		moved(s, slot, from, to, before)
		from = to
	}
}

// TestMoveGoesBack stops a move after each step, and goes back.
func TestMoveGoesBack(t *testing.T) {
	t.Parallel()
	s := sitetest.OpenFilled(t, 2)
	slot := idOf(s, "Beta").Slot()
	before := rowsOf(s, 1, slot)
	for _, step := range []string{mover.StepCopy, mover.StepSwitch, mover.StepRemove} {
		require.ErrorIs(t, moveOf(s, step).Run(t.Context(), slot, 0), errStopped)
		require.NoError(t, moveOf(s, "").Run(t.Context(), slot, 1))
		moved(s, slot, 0, 1, before)
	}
}

// everyTable inserts rows of a community on shard 1 into every table that is moved.
func everyTable(s *sitetest.Site, community data.ID) {
	s.Helper()
	post := s.Post(s.Members[1], "Beta", "A text", "")
	s.ApplyDeltas()
	_, err := s.Votes.Cast(s.Context(), s.Members[3], post.ID, 1) // to be counted
	require.NoError(s, err)
	comment := s.Comment(s.Members[2], post.ID, 0, "to be counted")
	at := time.Now() // once, because rows refer to each other
	other := func(n int) int64 {
		return int64(data.NewID(at, community.Slot(), data.KindPost, uint32(4000+n)))
	}
	key := func(n int) int64 { return int64(data.NewID(at, 0, data.KindOther, uint32(n))) }
	c, p, ann := int64(community), int64(post.ID), int64(s.Members[1].UserID)
	now := at.UnixMilli()
	for sql, args := range map[string][]any{
		`INSERT INTO flairs (id, community_id, place, text, colour, restricted) VALUES (?, ?, 0, 'news', '#00695c', 0)`:          {key(1), c},
		`INSERT INTO flair_sets (community_id, revision, required) VALUES (?, 1, 0)`:                                             {c},
		`INSERT INTO member_flairs (user_id, community_id, text, colour, fixed) VALUES (?, ?, 'reader', '#00695c', 0)`:           {ann, c},
		`INSERT INTO comment_sources (source, comment_id) VALUES ('elsewhere', ?)`:                                               {int64(comment.ID)},
		`INSERT INTO rules (id, community_id, title, text, active, changed_by, changed_at) VALUES (?, ?, 'A rule', '', 0, ?, 1)`: {key(2), c, ann},
		`INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, message, queued, created_at) VALUES (?1, ?2, 0, ?3, 'A rule', '', 0, ?4),
  (?1, 7, 1, ?3, 'One of the site', '', 0, ?4)`: {p, key(2), c, now},
		`INSERT INTO hides (user_id, post_id, created_at) VALUES (?, ?, 1)`:                                                                    {ann, p},
		`INSERT INTO saves (user_id, target_id, created_at) VALUES (?, ?, 1)`:                                                                  {ann, p},
		`INSERT INTO visits (user_id, post_id, seen_at) VALUES (?, ?, 1)`:                                                                      {ann, p},
		`INSERT INTO mentions (subject_id, name_key) VALUES (?, 'member1') ON CONFLICT DO NOTHING`:                                             {p},
		`INSERT INTO deleted_drafts (post_id, author_id, community_name, deleted_at) VALUES (?, ?, 'Beta', 1)`:                                 {other(1), ann},
		`INSERT INTO member_notes (id, community_id, user_id, author_id, body) VALUES (?, ?, ?, ?, 'a note')`:                                  {key(3), c, ann, ann},
		`INSERT INTO report_outcomes (target_id, decided_at, decision, came_at) VALUES (?, 1, 'ignore', 1)`:                                    {p},
		`UPDATE moderation_log SET undone_by = 5 WHERE id = (SELECT min(id) FROM moderation_log WHERE community_id = ? AND undone_by IS NULL)`: {c},
	} {
		if strings.Contains(sql, "rule_hits") { // after the rule
			defer exec(s, sql, args...)
			continue
		}
		exec(s, sql, args...)
	}
}

func exec(s *sitetest.Site, sql string, args ...any) {
	s.Helper()
	_, err := s.Shards[1].Exec(sql, args...)
	require.NoError(s, err, sql)
}

// TestMembersDuringAMove has members write all the time while their community moves. Each write is done, or refused with a sentence, and
// acknowledged writes are stored in the end, once. The other communities are not affected.
func TestMembersDuringAMove(t *testing.T) {
	t.Parallel()
	s := sitetest.OpenFilled(t, 3)
	slot := idOf(s, "Beta").Slot()
	posts := map[string]data.ID{}
	for _, name := range []string{"Alpha", "Beta", "Gamma"} {
		posts[name] = s.Post(s.Members[1], name, "To be talked about", "").ID
	}
	s.ApplyDeltas()
	var all sync.WaitGroup
	stop := make(chan struct{})
	end := sync.OnceFunc(func() { close(stop); all.Wait() })
	defer end()
	votes, said := make([]map[data.ID]int, 4), make([][]string, 4)
	var refused, tried atomic.Int64
	for n := range 4 {
		votes[n] = map[data.ID]int{}
		a, random := s.Members[n+1], rand.New(rand.NewPCG(3, uint64(n)))
		all.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				name := []string{"Alpha", "Beta", "Beta", "Gamma"}[random.IntN(4)]
				var err error
				tried.Add(1)
				if i%3 == 0 {
					body := fmt.Sprintf("said %d by %d", i, n)
					if _, _, err = s.Comments.Create(t.Context(), a, comments.Create{Post: posts[name], Body: body, BodyHTML: body}); err == nil {
						said[n] = append(said[n], body)
					}
				} else {
					value := []int{1, -1, 0}[random.IntN(3)]
					if _, err = s.Votes.Cast(t.Context(), a, posts[name], value); err == nil {
						votes[n][posts[name]] = value
					}
				}
				if err == nil {
					continue
				}
				refused.Add(1)
				if !assert.True(t, data.IsMoving(err), "%v", err) || !assert.Equal(t, "Beta", name) {
					return
				}
				assert.ErrorContains(t, err, "The community is moving to another database, and nobody can write in it meanwhile. "+
					"That usually takes some minutes. Please try again then.")
			}
		})
	}
	from := 1
	for _, to := range []int{2, 0} {
		m := moveOf(s, "")
		m.Sleep = func(context.Context, time.Duration) error { return s.DB.ReadSlots(t.Context()) } // like an instance within the wait
		require.NoError(t, m.Run(t.Context(), slot, to))
		for name, rows := range rowsOf(s, from, slot) {
			require.Empty(t, rows, name)
		}
		before := tried.Load()
		require.Eventually(t, func() bool { return tried.Load() > before+60 }, time.Minute, time.Millisecond, "members write between moves")
		from = to
	}
	end()
	require.Greater(t, refused.Load(), int64(100))
	require.Greater(t, tried.Load(), int64(1000))
	s.ApplyDeltas()
	require.NoError(t, s.Accounts.CopyKarma(t.Context()))
	verified(s)
	for n := range 4 {
		for target, value := range votes[n] {
			var stored int
			require.NoError(t, s.ShardOf(target).QueryRow(`SELECT coalesce((SELECT value FROM votes WHERE target_id = ? AND user_id = ?), 0)`,
				int64(target), int64(s.Members[n+1].UserID)).Scan(&stored))
			require.Equal(t, value, stored)
		}
		for _, body := range said[n] {
			there := 0
			for _, shard := range s.Shards {
				var count int
				require.NoError(t, shard.QueryRow(`SELECT count(*) FROM comments WHERE body = ?`, body).Scan(&count))
				there += count
			}
			require.Equal(t, 1, there, body)
		}
	}
	t.Log(tried.Load(), "writes,", refused.Load(), "refused")
}

// TestAnotherProcess: a process that takes a move over ends it for the process that began it, and a database that lacks rows is not
// accepted as the copy.
func TestAnotherProcess(t *testing.T) {
	t.Parallel()
	s := sitetest.OpenFilled(t, 2)
	slot := idOf(s, "Beta").Slot()
	before := rowsOf(s, 1, slot)
	var second error
	once := false
	first := moveOf(s, "")
	first.After = func(step string, whole bool) error {
		if step == mover.StepCopy && !once {
			once = true
			second = moveOf(s, mover.StepCopy).Run(t.Context(), slot, 0)
		}
		return nil
	}
	require.ErrorIs(t, first.Run(t.Context(), slot, 0), mover.ErrTaken)
	require.ErrorIs(t, second, errStopped)
	require.ErrorIs(t, moveOf(s, "").Run(t.Context(), idOf(s, "Alpha").Slot(), 1), mover.ErrOther)

	require.ErrorIs(t, moveOf(s, mover.StepWait).Run(t.Context(), slot, 0), errStopped)
	lost := s.Shards[0]
	_, err := lost.Exec(`DROP TRIGGER slot_frozen_saves_INSERT`)
	require.NoError(t, err)
	_, err = lost.Exec(`DROP TRIGGER slot_frozen_votes_DELETE`)
	require.NoError(t, err)
	_, err = lost.Exec(`DELETE FROM votes WHERE (target_id >> 12) & 1023 = ?`, slot)
	require.NoError(t, err)
	require.ErrorIs(t, moveOf(s, "").Run(t.Context(), slot, 0), mover.ErrDiffer, "nothing is deleted that the other shard has not")
	require.Equal(t, len(before["votes"]), len(rowsOf(s, 1, slot)["votes"]))

	swapped := moveOf(s, "")
	swapped.Shards = append(swapped.Shards[1:2:2], swapped.Shards[0])
	_, err = s.Directory.Exec(`UPDATE slot_moves SET ended_at = 1`)
	require.NoError(t, err)
	_, err = s.Directory.Exec(`UPDATE slots SET shard = 1 WHERE slot = ?`, slot)
	require.NoError(t, err)
	_, err = s.Shards[0].Exec(`DELETE FROM communities WHERE (id >> 12) & 1023 = ?`, slot)
	require.NoError(t, err)
	require.ErrorIs(t, swapped.Run(t.Context(), slot, 0), mover.ErrOrder)
}
