package outbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/delivery/outbox"
	"plaza/test/storetest"
)

// TestCopiesLeftWhileClaimed: if copying is enqueued while the sweep does it, it is not known which of the two writes last. So it is done
// once more, also if the sweep continues work that was enqueued while another instance did it.
func TestCopiesLeftWhileClaimed(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	in := func(gather func(w *data.Write) *outbox.Copies) *outbox.Copies {
		t.Helper()
		w := s.DB.Write()
		c := gather(w)
		require.NoError(t, w.Run(storetest.Ctx))
		return c
	}
	leave := func() *outbox.Copies {
		return in(func(w *data.Write) *outbox.Copies { return outbox.LeaveBlocks(w, s.Posts.Source, ann) })
	}
	claim := func() *outbox.Copies {
		return in(func(w *data.Write) *outbox.Copies {
			return outbox.ClaimCopies(w, s.Posts.Source, outbox.WorkBlocks, []data.ID{ann.UserID})
		})
	}
	done := func(c *outbox.Copies) {
		in(func(w *data.Write) *outbox.Copies { c.Done(w, c.Subjects()...); return c })
	}
	left := func() int { return len(s.RowsOfAll("SELECT 1 FROM outbox WHERE work = 'blocks'")) }
	leave()
	leave() // at the same time
	*s.Clock = s.Clock.Add(61 * time.Second)
	sweep := claim()
	require.False(t, sweep.None())
	another := leave()
	done(another)
	require.Equal(t, 1, left(), "the sweep may write what was so before")
	done(sweep)
	require.Equal(t, 1, left())
	*s.Clock = s.Clock.Add(61 * time.Second)
	sweep = claim()
	done(sweep)
	require.Equal(t, 0, left())
}
