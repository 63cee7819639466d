package worker

import (
	"context"

	"plaza/data"
)

// rename gives the member another name. Their session goes on with it.
func (a *App) rename(c *call) error {
	if err := a.users.Rename(c.r.Context(), *c.actor, c.whole("username")); err != nil {
		return a.refuseAccount(c, err)
	}
	s := session{*c.actor, c.usedAt}
	r := a.DB.Read()
	name := a.users.FindName(r, c.viewerID())
	if r.Run(c.r.Context()) == nil { // else the next page sends the cookie
		s.Name = *name
		a.sendSession(c, s)
	}
	return c.done("/settings/account?renamed", map[string]any{"id": c.viewerID(), "username": s.Name})
}

// consumeRename writes new names and avatars of members wherever the old ones were copied.
func (a *App) consumeRename(ctx context.Context, members []data.ID) ([]data.ID, error) {
	return nil, a.withRest(ctx, members, a.users.CopyNames, renameWord)
}
