package listing

import (
	"time"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/worker/request"
)

// A search of several words can take longer than any other read. An instance sends one of them at a time, so that the database has time for
// all other users.
const (
	searchPatience = 4 * time.Second // for those who came before
	searchTime     = 4 * time.Second // of one
)

// runSearch reads a page of a search. long marks a search that may take long. It adds the time that the database was busy to what is owed
// (worker/request/limit_owed.go). Unavailable when too many other searches wait.
func (h *Handlers) runSearch(c *request.Call, r *data.Read, long bool) error {
	if long {
		leave, err := h.Searches.Acquire(c.R.Context(), deadline.Left(c.R.Context(), searchPatience), searchTime)
		if err != nil {
			return data.UnavailableBecause(err)
		}
		defer leave()
	}
	ctx, meter := hrana.WithMeter(c.R.Context())
	asked := c.R
	c.R = asked.WithContext(ctx)
	defer func() { c.R = asked }()
	err := c.Run(r)
	h.Owe(c, c.Route.Limit, meter.Took())
	return err
}
