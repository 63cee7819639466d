package view

import (
	"context"
	"errors"

	"plaza/data"
	"plaza/worker/queue"
	"plaza/worker/request"
)

// SendNotifications sends, after the response, the mails and pushes about new inbox entries.
func (v *Views) SendNotifications(c *request.Call) {
	v.Background(c.R.Context(), func(ctx context.Context) {
		if err := errors.Join(v.EnqueueInboxMails(ctx), v.SendPushes(ctx)); err != nil {
			v.Log.WarnContext(ctx, "mails or pushes not sent", "error", err)
		}
	})
}

// EnqueueInboxMails enqueues the mails about new inbox entries.
func (v *Views) EnqueueInboxMails(ctx context.Context) error {
	if v.Mail == nil {
		return nil
	}
	return v.Inbox.EnqueueMails(ctx)
}

// SendPushes lets the events consumer send the pushes that are due. If the messages are lost, the pushes become due again.
func (v *Views) SendPushes(ctx context.Context) error {
	if v.PushKeys == nil {
		return nil
	}
	ids, err := v.Pushes.ClaimDue(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	return v.Queue.Send(ctx, data.QueueEvents, data.Messages(queue.PushWord, ids...)...)
}
