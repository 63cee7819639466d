package post

import "plaza/worker/request"

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
	return answerKept(c, target, kept, map[string]any{"id": target, "hidden": kept.Hidden})
}
