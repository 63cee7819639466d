package worker

import (
	"context"
	"errors"

	"plaza/data/delivery/outbox"
	"plaza/worker/request"
)

// sweepOutbox sends the messages of work that is due: it was not done in time, or it failed before.
func (a *App) sweepOutbox(ctx context.Context) error {
	due, err := a.stores.outbox.FindDue(ctx)
	var bodies []string
	var unknown []outbox.Due // their messages become dead letters, and are not sent again for a day
	for _, d := range due {
		bodies = append(bodies, string(d.Work)+" "+d.Subject.Text())
		if !d.Work.Known() {
			unknown = append(unknown, d)
		}
	}
	if len(bodies) == 0 {
		return err
	}
	if failed := a.Queue.Send(ctx, request.QueueEvents, bodies...); failed != nil {
		return errors.Join(err, failed)
	}
	return errors.Join(err, a.stores.outbox.Postpone(ctx, unknown))
}
