package worker

import (
	"context"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/worker/queue"
)

// A request that changes a row copies it to the other databases itself. These consumers do it if the request was interrupted or a database
// was down.

// consumeRevokeSessions makes all databases refuse the sessions and tokens that the directory refuses.
func (a *App) consumeRevokeSessions(ctx context.Context, subjects []data.ID) ([]data.ID, error) {
	if len(subjects) == 0 {
		return nil, nil
	}
	return nil, a.stores.sessions.CopyRevocations(ctx, subjects)
}

// consumeBlocks copies whom members block into all databases.
func (a *App) consumeBlocks(ctx context.Context, members []data.ID) ([]data.ID, error) {
	return nil, queue.RunJob(ctx, a.Queue, members, a.stores.accounts.CopyBlocks, outbox.JobBlocks)
}

// consumeCopy writes the copies of communities into their shards.
func (a *App) consumeCopy(ctx context.Context, communities []data.ID) ([]data.ID, error) {
	if len(communities) == 0 {
		return nil, nil
	}
	return nil, a.stores.communities.Copy(ctx, communities)
}
