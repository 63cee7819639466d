package mover_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/pace/deadline"
	"plaza/stack/stacktest"
	"plaza/tools/mover"
	"plaza/tools/verify"
	"plaza/tools/verify/sitetest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

var errStopped = errors.New("stopped")

// TestMove moves a community and stops after each step. In the end nothing differs, and all addresses are as they were.
func TestMove(t *testing.T) {
	s := sitetest.Open(t, 3)
	s.Fill()
	verified := func() {
		t.Helper()
		r, err := verify.Run(t.Context(), verify.Options{Directory: s.Clients[0], Shards: s.Clients, Repair: true, Found: func(d verify.Difference) { t.Log(d) }})
		require.NoError(t, err)
		fmt.Println(r)
		r, err = verify.Run(t.Context(), verify.Options{Directory: s.Clients[0], Shards: s.Clients, Found: func(d verify.Difference) { t.Log(d) }})
		require.NoError(t, err)
		fmt.Println(r)
	}
	verified()
	var id int64
	require.NoError(t, s.Directory.QueryRow(`SELECT id FROM communities WHERE name = 'Beta'`).Scan(&id))
	slot := data.ID(id).Slot()
	rows := func() (list string) {
		for i := range s.Shards {
			for _, sql := range []string{"SELECT count(*), coalesce(sum(ups + id % 1000), 0) FROM posts", "SELECT count(*), coalesce(sum(ups + id % 1000), 0) FROM comments",
				"SELECT count(*), coalesce(sum(value), 0) FROM votes"} {
				var n, sum int
				require.NoError(t, s.Shards[i].QueryRow(sql).Scan(&n, &sum))
				list += fmt.Sprint(i, " ", n, " ", sum, "; ")
			}
		}
		return list
	}
	t.Log(rows())
	stopped := map[string]bool{}
	var post data.ID
	require.NoError(t, s.ShardOf(data.ID(id)).QueryRow(`SELECT id FROM posts WHERE community_id = ? AND status = 'published' AND locked = 0`, id).Scan((*int64)(&post)))
	var waiting sync.WaitGroup
	for {
		m := &mover.Move{Directory: s.Clients[0], Shards: s.Clients, Sleep: func(context.Context, time.Duration) error { return nil },
			After: func(step string) error {
				if stopped[step] {
					return nil
				}
				if stopped[step] = true; step == "close" { // members go on writing
					waiting.Go(func() {
						_, err := s.Votes.Cast(deadline.ForRequest(t.Context()), s.Members[9], post, 1)
						assert.NoError(t, err)
						_, _, err = s.Comments.Create(deadline.ForRequest(t.Context()), s.Members[8], comments.Create{Post: post, Body: "while it moves", BodyHTML: "<p>while it moves</p>"})
						assert.NoError(t, err)
					})
					time.Sleep(500 * time.Millisecond)
				}
				return errStopped
			}}
		err := m.Run(t.Context(), slot, 2)
		if err == nil {
			break
		}
		require.ErrorIs(t, err, errStopped)
		t.Log(rows())
	}
	require.Len(t, stopped, 5)
	waiting.Wait()
	require.Equal(t, s.Shards[2], s.ShardOf(post))
	var said, voted int
	require.NoError(t, s.Shards[2].QueryRow(`SELECT (SELECT count(*) FROM comments WHERE body = 'while it moves'), (SELECT value FROM votes WHERE
  target_id = ? AND user_id = ?)`, int64(post), int64(s.Members[9].UserID)).Scan(&said, &voted))
	require.Equal(t, [2]int{1, 1}, [2]int{said, voted})
	t.Log(rows())
	verified()
}
