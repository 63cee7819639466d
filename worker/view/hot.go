package view

import (
	"context"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/lists/listings"
	"plaza/worker/queue"
	"plaza/worker/request"
)

// rebuildEvery is how often one instance requests the rebuilding of the same hot set.
const rebuildEvery = 10 * time.Second

// confirmHot compares the page of a hot listing with its set in Redis, after the response.
func (v *Views) confirmHot(c *request.Call, l *listings.Page, scope string) {
	confirm := v.Listings.Confirm(l)
	if confirm == nil {
		return
	}
	v.Background(c.R.Context(), func(ctx context.Context) {
		lost, err := confirm(ctx)
		if err != nil {
			v.Log.WarnContext(ctx, "hot set not compared", "request", c.ID, "error", err)
		}
		if lost {
			v.requestRebuild(ctx, scope)
		}
	})
}

// requestRebuild sends the message to rebuild a lost hot set. Later pages of the listing send it again, so the message may be lost.
func (v *Views) requestRebuild(ctx context.Context, scope string) {
	scope = strings.ToLower(scope)
	now := v.Source.Now()
	v.mu.Lock()
	last, asked := v.rebuilt[scope]
	due := !asked || now.Sub(last) >= rebuildEvery
	if due {
		if v.rebuilt == nil || len(v.rebuilt) > 10000 {
			v.rebuilt = map[string]time.Time{}
		}
		v.rebuilt[scope] = now
	}
	v.mu.Unlock()
	if !due {
		return
	}
	if err := v.Queue.Send(ctx, data.QueueEvents, queue.HotMessage(scope)); err != nil {
		v.Log.WarnContext(ctx, "rebuild not requested", "scope", scope, "error", err)
	}
}
