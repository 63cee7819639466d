package request

import (
	"context"
	"time"

	"plaza/data/lists/timelines"
)

// seenAgain is for how long an instance does not note the same member's coming again.
const seenAgain = time.Minute

// seenKnown bounds how many members' coming an instance remembers.
const seenKnown = 10000

// noteSeen notes, after the answer, that the member was here, unless that was noted within a day. Should it be lost,
// the next page notes it.
func (s *Server) noteSeen(c *Call) {
	now := s.Source.Now()
	if c.Viewer == nil || !c.Viewer.Live || now.Sub(c.Viewer.SeenAt) < timelines.SeenStep {
		return
	}
	member := c.ViewerID()
	s.mu.Lock()
	last, noted := s.seen[member]
	noted = noted && now.Sub(last) < seenAgain
	if !noted {
		if len(s.seen) >= seenKnown {
			clear(s.seen)
		}
		s.seen[member] = now
	}
	s.mu.Unlock()
	if noted {
		return
	}
	s.Background(c.R.Context(), func(ctx context.Context) {
		if err := s.Timelines.Saw(ctx, member); err != nil {
			s.Log.WarnContext(ctx, "visit to a timeline not noted", "request", c.ID, "error", err)
		}
	})
}
