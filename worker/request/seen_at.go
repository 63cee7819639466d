package request

import (
	"context"
	"time"

	"plaza/data/timelines"
)

// seenAgain is for how long an instance does not note the same member's coming again.
const seenAgain = time.Minute

// seenKnown bounds how many members' coming an instance remembers.
const seenKnown = 10000

// noteSeen notes, after the answer, that the member was here, unless that was noted within a day. Should it be lost,
// the next page notes it.
func (a *Server) noteSeen(c *Call) {
	now := a.Source.Now()
	if c.Viewer == nil || !c.Viewer.Live || now.Sub(c.Viewer.SeenAt) < timelines.SeenStep {
		return
	}
	member := c.ViewerID()
	a.mu.Lock()
	last, noted := a.seen[member]
	noted = noted && now.Sub(last) < seenAgain
	if !noted {
		if len(a.seen) >= seenKnown {
			clear(a.seen)
		}
		a.seen[member] = now
	}
	a.mu.Unlock()
	if noted {
		return
	}
	a.Background(c.R.Context(), func(ctx context.Context) {
		if err := a.Timelines.Saw(ctx, member); err != nil {
			a.Log.WarnContext(ctx, "visit to a timeline not noted", "request", c.ID, "error", err)
		}
	})
}
