package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/saves"
	"plaza/render"
)

// save saves a post or comment for the member, or ends that.
func (a *App) save(c *call) error {
	target, on, err := targetAndOn(c)
	if err != nil {
		return err
	}
	kept, err := a.saves.Save(c.r.Context(), *c.actor, target, on)
	if err != nil {
		return err
	}
	return c.kept(target, kept, map[string]any{"id": target, "saved": kept.Saved})
}

// kept answers saving and hiding. The page's script gets the buttons in their new state; others are led back to where
// the buttons were.
func (c *call) kept(target data.ID, kept saves.Kept, v any) error {
	if c.fragment() && !c.wantsJSON() {
		return show(c, http.StatusOK, render.KeepFragment, render.Keep{
			Target: target.Text(), Comment: target.IsComment(), Saved: kept.Saved, Hidden: kept.Hidden})
	}
	return c.done(c.cameFromPage(target, kept.URL), v)
}
