package worker

import (
	"context"
	"errors"
)

// publishDue publishes scheduled posts whose time has come, and sends the messages that follow.
func (a *App) publishDue(ctx context.Context) error {
	due, err := a.posts.PublishDue(ctx)
	if len(due.All) > 0 {
		var votes, links []string
		for _, id := range due.All {
			votes = append(votes, voteMessage(id))
		}
		for _, id := range due.Links {
			links = append(links, linkMessage(id))
		}
		err = errors.Join(err, a.Queue.Send(ctx, QueueVotes, votes...))
		if len(links) > 0 {
			err = errors.Join(err, a.Queue.Send(ctx, QueueEvents, links...))
		}
	}
	return err
}
