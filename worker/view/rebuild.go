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
func (a *Views) askRebuild(ctx context.Context, scope string) {
	scope = strings.ToLower(scope)
	now := a.Source.Now()
	a.mu.Lock()
	last, asked := a.rebuilt[scope]
	due := !asked || now.Sub(last) >= rebuildEvery
	if due {
		if a.rebuilt == nil || len(a.rebuilt) > 10000 {
			a.rebuilt = map[string]time.Time{}
		}
		a.rebuilt[scope] = now
	}
	a.mu.Unlock()
	if !due {
		return
	}
	a.Background(ctx, func(ctx context.Context) {
		if err := a.Queue.Send(ctx, request.QueueEvents, request.HotMessage(scope)); err != nil {
			a.Log.WarnContext(ctx, "rebuild not asked for", "scope", scope, "error", err)
		}
	})
}
