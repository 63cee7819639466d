package outbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/test/storetest"
)

// TestCopiesEnqueuedWhileClaimed: if copying is enqueued while the retry job does it, it is not known which of the two writes last. So it
// is done once more, also if the retry job continues a job that was enqueued while another instance did it.
func TestCopiesEnqueuedWhileClaimed(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	in := func(gather func(w *data.Write) *outbox.Copies) *outbox.Copies {
		t.Helper()
		w := s.DB.Write()
		c := gather(w)
		require.NoError(t, w.Run(storetest.Ctx))
		return c
	}
	enqueue := func() *outbox.Copies {
		return in(func(w *data.Write) *outbox.Copies { return outbox.EnqueueBlocks(w, s.Posts.Source, ann) })
	}
	claim := func() *outbox.Copies {
		return in(func(w *data.Write) *outbox.Copies {
			return outbox.ClaimCopies(w, s.Posts.Source, outbox.JobBlocks, []data.ID{ann.UserID})
		})
	}
	done := func(c *outbox.Copies) {
		in(func(w *data.Write) *outbox.Copies { c.Done(w, c.Subjects()...); return c })
	}
	rows := func() int { return len(s.RowsOfAll("SELECT 1 FROM outbox WHERE job = 'blocks'")) }
	enqueue()
	enqueue() // at the same time
	*s.Clock = s.Clock.Add(61 * time.Second)
	retry := claim()
	require.False(t, retry.None())
	another := enqueue()
	done(another)
	require.Equal(t, 1, rows(), "the retry job may write what was so before")
	done(retry)
	require.Equal(t, 1, rows())
	*s.Clock = s.Clock.Add(61 * time.Second)
	retry = claim()
	done(retry)
	require.Equal(t, 0, rows())
}
