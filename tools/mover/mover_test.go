package mover_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
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
	for {
		m := &mover.Move{Directory: s.Clients[0], Shards: s.Clients, Sleep: func(context.Context, time.Duration) error { return nil },
			After: func(step string) error {
				if stopped[step] {
					return nil
				}
				stopped[step] = true
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
	t.Log(rows())
	verified()
}
