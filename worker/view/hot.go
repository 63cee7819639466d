package view

import (
	"context"
	"strings"
	"time"

	"plaza/data/lists/listings"
	"plaza/worker/request"
)

// rebuildEvery is how often one instance asks for the same hot set.
const rebuildEvery = 10 * time.Second

// confirmHot compares the page of a hot listing with its set in Redis, after the answer.
func (v *Views) confirmHot(c *request.Call, l *listings.Page, scope string) {
	confirm := v.Listings.Confirm(l)
	if confirm == nil {
		return
	}
	v.Background(c.R.Context(), func(ctx context.Context) {
		lost, err := confirm(ctx)
		if err != nil {
			v.Log.WarnContext(ctx, "hot set not asked", "request", c.ID, "error", err)
		}
		if lost {
			v.askRebuild(ctx, scope)
		}
	})
}

// askRebuild asks the events consumer to make a lost hot set anew. Pages of the listing ask again, so the message may be lost.
func (v *Views) askRebuild(ctx context.Context, scope string) {
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
	if err := v.Queue.Send(ctx, request.QueueEvents, request.HotMessage(scope)); err != nil {
		v.Log.WarnContext(ctx, "rebuild not asked for", "scope", scope, "error", err)
	}
}
