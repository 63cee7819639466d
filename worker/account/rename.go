package account

import (
	"context"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/worker/queue"
	"plaza/worker/request"
	"plaza/worker/request/session"
)

// Rename changes the member's name. Their session continues with it.
func (h *Handlers) Rename(c *request.Call) error {
	if err := h.Accounts.Rename(c.R.Context(), *c.Actor, c.RawValue("username")); err != nil {
		return h.RefuseAccount(c, err)
	}
	s := session.Session{Actor: *c.Actor, UsedAt: c.UsedAt}
	r := h.DB.Read()
	name := h.Accounts.FindName(r, c.ViewerID())
	if r.Run(c.R.Context()) == nil { // else the next page sends the cookie
		s.Name = *name
		h.SendSession(c, s)
	}
	return c.Done("/settings/account?renamed", map[string]any{"id": c.ViewerID(), "username": s.Name})
}

// ConsumeRename writes new names and avatars of members wherever the old ones were copied.
func (h *Handlers) ConsumeRename(ctx context.Context, members []data.ID) ([]data.ID, error) {
	return nil, queue.RunJob(ctx, h.Queue, members, h.Accounts.CopyNames, outbox.JobRename)
}
