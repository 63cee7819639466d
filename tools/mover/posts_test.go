package mover_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
	"plaza/tools/mover"
)

// TestPostsDuringAMove has members post, comment on new posts, keep drafts and delete some in a community while it is copied, a few rows at a
// time. All of it is there afterwards, and is found by words.
func TestPostsDuringAMove(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 2)
	for i := range 30 {
		p := s.Post(s.Members[1], "Beta", fmt.Sprintf("Before %d", i), "")
		s.Comment(s.Members[2], p.ID, 0, "before")
	}
	s.Fold()
	require.NoError(t, s.Accounts.CopyKarma(t.Context()))
	verified(s)
	slot := idOf(s, "Beta").Slot()
	written, deleted := 0, 0
	var last data.ID
	table, during := "", map[string]int{}
	m := &mover.Move{Directory: s.Clients[0], Shards: s.Clients, Sleep: noSleep, Scanned: 20}
	m.Progress = func(p mover.Progress) { table = p.Table }
	m.After = func(step string, whole bool) error {
		if step != mover.StepCopy || during[table] == 4 {
			return nil
		}
		written++
		during[table]++
		ctx := deadline.ForRequest(t.Context())
		draft := posts.Create{Community: "Beta", Title: "A draft", Text: "kept", TextHTML: "<p>kept</p>", Excerpt: "kept", Status: posts.Draft}
		kept, err := s.Posts.Create(ctx, s.Members[1], draft)
		require.NoError(t, err)
		if last != 0 && written%2 == 0 {
			deleted++
			_, err := s.Posts.Delete(ctx, s.Members[1], last)
			require.NoError(t, err)
		}
		if written%3 == 0 {
			_, err := s.Posts.Delete(ctx, s.Members[1], kept.ID)
			require.NoError(t, err)
		}
		if written%3 == 0 {
			_, err := s.Posts.Delete(ctx, s.Members[1], kept.ID)
			require.NoError(t, err)
		}
		p := s.Post(s.Members[1], "Beta", fmt.Sprintf("Meanwhile %d", written), "")
		s.Comment(s.Members[2], p.ID, 0, "meanwhile")
		last = p.ID
		return nil
	}
	require.NoError(t, m.Run(t.Context(), slot, 0))
	require.Greater(t, written, 50)
	require.NoError(t, s.DB.ReadSlots(t.Context()))
	s.Fold()
	require.NoError(t, s.Accounts.CopyKarma(t.Context()))
	verified(s)
	var there int
	require.NoError(t, s.Directory.QueryRow(`SELECT count(*) FROM posts WHERE title LIKE 'Meanwhile %' AND status = 'published'`).Scan(&there))
	require.Equal(t, written-deleted, there)
}

// TestAnAddressChangesHands has one post of a community take the address that another has given up while the community is copied.
func TestAnAddressChangesHands(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 2)
	older, younger := s.Post(s.Members[1], "Beta", "One", ""), s.Post(s.Members[2], "Beta", "Two", "")
	_, err := s.Votes.Cast(t.Context(), s.Members[3], younger.ID, 1)
	require.NoError(t, err)
	s.Fold()
	slot := idOf(s, "Beta").Slot()
	m := &mover.Move{Directory: s.Clients[0], Shards: s.Clients, Sleep: noSleep, After: func(step string, whole bool) error {
		if step == mover.StepCopy && whole {
			exec(s, `UPDATE posts SET slug = 'a-new-one' WHERE id = ?`, int64(younger.ID))
			exec(s, `UPDATE posts SET slug = 'two' WHERE id = ?`, int64(older.ID))
		}
		return nil
	}}
	require.NoError(t, m.Run(t.Context(), slot, 0))
	for id, want := range map[data.ID]string{older.ID: "two", younger.ID: "a-new-one"} {
		var slug string
		require.NoError(t, s.Directory.QueryRow(`SELECT slug FROM posts WHERE id = ?`, int64(id)).Scan(&slug))
		require.Equal(t, want, slug)
	}
	require.NoError(t, s.DB.ReadSlots(t.Context()))
	require.NoError(t, s.Accounts.CopyKarma(context.Background()))
	verified(s)
}

// TestAPostIsMissing has the target lose a post after it was copied, and the source change its text.
func TestAPostIsMissing(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 2)
	p := s.Post(s.Members[1], "Beta", "One", "")
	m := stopAfter(s, "")
	m.After = func(step string, whole bool) error {
		if step == mover.StepCopy && whole {
			for _, sql := range []string{`UPDATE posts SET status = 'deleted' WHERE id = ?`, `DELETE FROM posts WHERE id = ?`} {
				// As the site does: a connection that was open before the tables got triggers may not know them.
				results, err := s.Clients[0].Tx(t.Context(), hrana.Stmt{SQL: sql, Args: []any{int64(p.ID)}})
				require.NoError(t, err)
				require.Equal(t, int64(1), results[0].RowsAffected)
			}
			exec(s, `UPDATE post_texts SET text = 'edited' WHERE post_id = ?`, int64(p.ID))
		}
		return nil
	}
	require.NoError(t, m.Run(t.Context(), p.ID.Slot(), 0))
	var text string
	require.NoError(t, s.Directory.QueryRow(`SELECT t.text FROM posts p JOIN post_texts t ON t.post_id = p.id WHERE p.id = ?`, int64(p.ID)).Scan(&text))
	require.Equal(t, "edited", text)
}

// TestAColumnOfTheDirectoryAlone moves a community to a shard whose copies of communities lack a column.
func TestAColumnOfTheDirectoryAlone(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 3)
	_, err := s.Directory.Exec(`ALTER TABLE communities ADD COLUMN another TEXT`)
	require.NoError(t, err)
	community := idOf(s, "Beta")
	require.NoError(t, stopAfter(s, "").Run(t.Context(), community.Slot(), 2))
	const kept = `SELECT name || name_key || coalesce(title, '') || coalesce(description, '') || kind || coalesce(revision, 0) FROM communities WHERE id = ?`
	var there, copied string
	require.NoError(t, s.Directory.QueryRow(kept, int64(community)).Scan(&there))
	require.NoError(t, s.Shards[2].QueryRow(kept, int64(community)).Scan(&copied))
	require.Equal(t, there, copied)
}
