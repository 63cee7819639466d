package view

import (
	"context"
	"strings"
	"time"

	"plaza/worker/request"
)

// rebuildEvery is how often one instance asks for the same hot set.
const rebuildEvery = 10 * time.Second

// askRebuild asks the events consumer to make a lost hot set anew. Until then pages come from the database, and each
// asks again: so the message may be lost.
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
	v.Background(ctx, func(ctx context.Context) {
		if err := v.Queue.Send(ctx, request.QueueEvents, request.HotMessage(scope)); err != nil {
			v.Log.WarnContext(ctx, "rebuild not asked for", "scope", scope, "error", err)
		}
	})
}
