package worker

import (
	"context"
	"errors"

	"plaza/data"
)

// told has mails and pushes sent that a transaction has left.
func (a *App) told(c *call) {
	a.Background(c.r.Context(), func(ctx context.Context) {
		if err := errors.Join(a.leaveInboxMails(ctx), a.sendPushes(ctx)); err != nil {
			a.Log.WarnContext(ctx, "mails or pushes not sent", "error", err)
		}
	})
}

// leaveInboxMails leaves the mails about what members were told.
func (a *App) leaveInboxMails(ctx context.Context) error {
	if a.Mail == nil {
		return nil
	}
	return a.inbox.LeaveMails(ctx)
}

// sendPushes has the events consumer send the pushes that are due. Should the messages be lost, they are due again.
func (a *App) sendPushes(ctx context.Context) error {
	if a.PushKeys == nil {
		return nil
	}
	ids, err := a.pushes.Ask(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	return a.Queue.Send(ctx, QueueEvents, data.Messages(pushWord, ids...)...)
}
