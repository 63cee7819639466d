package hot

import (
	"context"
	"slices"
	"time"
)

// knownPage is the key of a set, and the maximum number of members of its page.
type knownPage struct {
	key   string
	limit int
}

// Known returns up to limit members of the first page of a scope, if Confirm has confirmed them less than data.ListingLife ago and after
// changed (data.Cache). It sends no request.
func (h *Sets) Known(scope string, limit int, now, changed time.Time) ([]Member, bool) {
	return h.known.Get(knownPage{KeyOf(scope), limit}, now, changed)
}

// Due reports whether to confirm a page: once in data.ListingLife. The caller then calls Confirm.
func (h *Sets) Due(scope string, limit int, now time.Time) bool {
	page := knownPage{KeyOf(scope), limit}
	if _, checked := h.checked.Get(page, now, time.Time{}); checked || h.Redis == nil {
		return false
	}
	h.checked.Put(page, struct{}{}, now, 0)
	return true
}

// Confirm checks in Redis whether the set of a scope begins with members, which the database listed at a time: the first posts, up to
// limit. lag is how old the listed state may be (data.Read.Lag). If the set begins so, Known returns members from then on. lost reports
// that the set is missing or incomplete, so that it has to be rebuilt.
func (h *Sets) Confirm(ctx context.Context, scope string, limit int, members []Member, at time.Time, lag time.Duration,
) (lost bool, err error) {
	page, err := h.Page(ctx, scope, limit)
	if err == nil && page.OK && slices.Equal(page.Members, members) {
		h.known.Put(knownPage{KeyOf(scope), limit}, members, at, lag)
	}
	return page.Lost, err
}

// Forget clears these caches: the next page of each scope is read from the database, and confirmed again.
func (h *Sets) Forget() {
	h.known.Clear()
	h.checked.Clear()
}
