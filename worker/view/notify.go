package view

import (
	"context"
	"errors"

	"plaza/data"
	"plaza/worker/request"
)

// Told has mails and pushes sent that a transaction has left.
func (a *Views) Told(c *request.Call) {
	a.Background(c.R.Context(), func(ctx context.Context) {
		if err := errors.Join(a.LeaveInboxMails(ctx), a.SendPushes(ctx)); err != nil {
			a.Log.WarnContext(ctx, "mails or pushes not sent", "error", err)
		}
	})
}

// LeaveInboxMails leaves the mails about what members were told.
func (a *Views) LeaveInboxMails(ctx context.Context) error {
	if a.Mail == nil {
		return nil
	}
	return a.Inbox.LeaveMails(ctx)
}

// SendPushes has the events consumer send the pushes that are due. Should the messages be lost, they are due again.
func (a *Views) SendPushes(ctx context.Context) error {
	if a.PushKeys == nil {
		return nil
	}
	ids, err := a.Pushes.Ask(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	return a.Queue.Send(ctx, request.QueueEvents, data.Messages(request.PushWord, ids...)...)
}
