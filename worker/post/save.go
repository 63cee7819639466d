package post

import (
	"net/http"

	"plaza/data"
	"plaza/data/lists/saves"
	"plaza/render/ui"
	"plaza/worker/request"
)

// Save saves a post or comment for the member, or undoes that.
func (h *Handlers) Save(c *request.Call) error {
	target, on, err := request.TargetAndOn(c)
	if err != nil {
		return err
	}
	kept, err := h.Saves.Save(c.R.Context(), *c.Actor, target, on)
	if err != nil {
		return err
	}
	return respondKept(c, target, kept, map[string]any{"id": target, "saved": kept.Saved})
}

// respondKept responds to saving and hiding. The page's script gets the buttons in their new state; others are redirected to
// where the buttons were.
func respondKept(c *request.Call, target data.ID, kept saves.State, v any) error {
	if c.Fragment() && !c.WantsJSON() {
		return request.Show(c, http.StatusOK, ui.KeepFragment, ui.Keep{
			Target: target.Text(), Comment: target.IsComment(), Saved: kept.Saved, Hidden: kept.Hidden})
	}
	return c.Done(c.CameFromPage(target, kept.URL), v)
}

// Hide takes a post out of the member's listings, or puts it back.
func (h *Handlers) Hide(c *request.Call) error {
	target, on, err := request.TargetAndOn(c)
	if err != nil {
		return err
	}
	kept, err := h.Saves.Hide(c.R.Context(), *c.Actor, target, on)
	if err != nil {
		return err
	}
	return respondKept(c, target, kept, map[string]any{"id": target, "hidden": kept.Hidden})
}
