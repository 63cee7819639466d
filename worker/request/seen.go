package request

import (
	"context"
	"time"

	"plaza/data/lists/timelines"
)

// seenAgain is for how long an instance does not record the same member's visit again.
const seenAgain = time.Minute

// seenKnown bounds the number of members whose visits an instance remembers.
const seenKnown = 10000

// noteSeen records, after the response, that the member was here, unless that was recorded within a day. If it is lost,
// a later page records it.
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
		if err := s.Timelines.RecordVisit(ctx, member); err != nil {
			s.Log.WarnContext(ctx, "visit to a timeline not noted", "request", c.ID, "error", err)
		}
	})
}
