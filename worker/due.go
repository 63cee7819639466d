package worker

import (
	"context"
	"errors"
)

// publishDue publishes scheduled posts whose time has come, and sends the messages that follow.
func (a *App) publishDue(ctx context.Context) error {
	due, err := a.posts.PublishDue(ctx)
	if len(due.All) > 0 {
		var votes, work []string
		for _, id := range due.All {
			votes, work = append(votes, voteMessage(id)), append(work, timelineMessage(id))
		}
		for _, id := range due.Links {
			work = append(work, linkMessage(id))
		}
		err = errors.Join(err, a.Queue.Send(ctx, QueueVotes, votes...), a.Queue.Send(ctx, QueueEvents, work...))
	}
	return err
}
