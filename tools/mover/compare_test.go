package mover_test

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/sitetest"
	"plaza/test/stacktest"
	"plaza/tools/mover"
)

// TestTheTargetHasWhatTheSourceHas moves a community to a shard that has rows of it already: from a job that came across the copy, and one
// that is missing although it was copied.
func TestTheTargetHasWhatTheSourceHas(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 2)
	community := idOf(s, "Beta")
	before := rowsOf(s, 1, community.Slot())
	var post int64
	require.NoError(t, s.Shards[1].QueryRow(`SELECT min(id) FROM posts WHERE community_id = ?`, int64(community)).Scan(&post))
	m := stopAfter(s, "")
	table := ""
	m.Progress = func(p mover.Progress) { table = p.Table }
	changed := false
	m.After = func(step string, whole bool) error {
		if changed || step != mover.StepCopy || table != "outbox" {
			return nil
		}
		changed = true
		for sql, args := range map[string][]any{
			`INSERT INTO outbox (subject_id, work, queued_at, due_at) VALUES (?, 'forget', 1, 9000000000000)`: {post},
			`UPDATE standings SET posts = posts - 1 WHERE community_id = ?`:                                   {int64(community)},
			`DELETE FROM votes WHERE target_id = ?`:                                                           {post},
		} {
			result, err := s.Directory.Exec(sql, args...)
			require.NoError(t, err, sql)
			n, err := result.RowsAffected()
			require.NoError(t, err)
			require.NotZero(t, n, sql)
		}
		return nil
	}
	require.NoError(t, m.Run(t.Context(), community.Slot(), 0))
	require.True(t, changed)
	now := rowsOf(s, 0, community.Slot())
	for _, name := range []string{"outbox", "standings", "votes"} {
		require.Equal(t, before[name], now[name], name)
	}
}

// TestPreviewsOfOthers moves a community while a page that it has linked to is shown by other communities of both shards. Each shard keeps what
// its posts show, and has it no longer when none does.
func TestPreviewsOfOthers(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 2)
	community := idOf(s, "Beta")
	const save = `INSERT INTO link_previews (url, title, fetched_at) VALUES (?, ?, ?)`
	for _, link := range []string{"https://example.com/both", "https://example.com/moved"} {
		s.Post(s.Members[1], "Beta", "Moved", link)
		exec(s, save, link, "on the source", 5)
	}
	s.Post(s.Members[1], "Alpha", "On the target", "https://example.com/both")
	var there int
	require.NoError(t, s.Directory.QueryRow(`SELECT count(*) FROM posts WHERE title = 'On the target'`).Scan(&there))
	require.Equal(t, 1, there)
	_, err := s.Directory.Exec(save, "https://example.com/both", "on the target", 9)
	require.NoError(t, err)
	m := stopAfter(s, "")
	m.After = func(step string, whole bool) error {
		if step == mover.StepCopy && whole {
			exec(s, `DELETE FROM link_previews WHERE url = 'https://example.com/both'`)
		}
		return nil
	}
	require.NoError(t, m.Run(t.Context(), community.Slot(), 0))
	titles := func(shard int, link string) (title string) {
		_ = s.Shards[shard].QueryRow(`SELECT title FROM link_previews WHERE url = ?`, link).Scan(&title)
		return title
	}
	require.Equal(t, "on the target", titles(0, "https://example.com/both"))
	require.Equal(t, "on the source", titles(0, "https://example.com/moved"))
	require.Empty(t, titles(1, "https://example.com/moved"))
}

// TestTheTargetChangesItsCopies has jobs of the target change copies after both shards were compared.
func TestTheTargetChangesItsCopies(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	for _, step := range []string{mover.StepCopy, mover.StepClose} {
		t.Run("after "+step, func(t *testing.T) { targetChangesItsCopies(t, step) })
	}
}

func targetChangesItsCopies(t *testing.T, after string) {
	s := sitetest.OpenFilled(t, 2)
	community := idOf(s, "Beta")
	before := rowsOf(s, 1, community.Slot())
	m := stopAfter(s, "")
	m.After = func(step string, whole bool) error {
		if step != after || !whole {
			return nil
		}
		for sql, id := range map[string]int64{
			`UPDATE posts SET title = 'Changed' WHERE (id >> 12) & 1023 = ?`:     int64(community.Slot()),
			`UPDATE comments SET body = 'Changed' WHERE (id >> 12) & 1023 = ?`:   int64(community.Slot()),
			`UPDATE standings SET posts = posts + 1 WHERE community_id = ?`:      int64(community),
			`DELETE FROM queue_items WHERE (target_id >> 12) & 1023 = ?`:         int64(community.Slot()),
			`UPDATE votes SET updated_at = 1 WHERE (target_id >> 12) & 1023 = ?`: int64(community.Slot()),
		} {
			result, err := s.Directory.Exec(sql, id)
			require.NoError(t, err, sql)
			n, err := result.RowsAffected()
			require.NoError(t, err)
			require.NotZero(t, n, sql)
		}
		return nil
	}
	require.NoError(t, m.Run(t.Context(), community.Slot(), 0))
	now := rowsOf(s, 0, community.Slot())
	for _, name := range []string{"posts", "comments", "standings", "queue_items", "votes"} {
		require.Equal(t, before[name], now[name], name)
	}
	for _, shard := range s.Shards {
		require.Zero(t, triggers(t, shard))
	}
	require.NoError(t, s.DB.ReadSlots(t.Context()))
	require.NoError(t, s.Accounts.CopyKarma(t.Context()))
	verified(s)
}

// triggers is how many a move has left, with rows that they have noted.
func triggers(t *testing.T, shard *sql.DB) (n int) {
	require.NoError(t, shard.QueryRow(`SELECT (SELECT count(*) FROM sqlite_master WHERE name GLOB 'slot_noted*' OR name GLOB 'slot_closed*')
  + (SELECT count(*) FROM slot_changes)`).Scan(&n))
	return n
}
