package worker

// hide takes a post out of the member's listings, or puts it back.
func (a *App) hide(c *call) error {
	target, on, err := targetAndOn(c)
	if err != nil {
		return err
	}
	kept, err := a.saves.Hide(c.r.Context(), *c.actor, target, on)
	if err != nil {
		return err
	}
	return c.kept(target, kept, map[string]any{"id": target, "hidden": kept.Hidden})
}
