package post

import (
	"net/http"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/worker/request"
)

// seenChoices are the values of the form's field hide.
var seenChoices = map[string]bool{"1": true, "true": true, "0": false, "false": false}

// SeePost marks a post as one that the member has seen: the script sends that when they follow the link of a post in a list. Without a
// target it chooses whether lists leave out what they have seen.
func (h *Handlers) SeePost(c *request.Call) error {
	if c.Value("target") == "" {
		hide, ok := seenChoices[c.Value("hide")]
		if !ok {
			return data.Mistake("hide", "hide is 1 to leave out what you have seen and 0 to show it.")
		}
		if err := h.Accounts.ChooseSeen(c.R.Context(), *c.Actor, hide); err != nil {
			return err
		}
		chosen := c.DefaultOrders()
		if chosen.Seen = ""; hide {
			chosen.Seen = accounts.HideSeen
		}
		request.RememberOrders(c, chosen)
		return c.Done(c.CameFromPage(0, "/"), map[string]any{"hide": hide})
	}
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	if err := h.Visits.Mark(c.R.Context(), *c.Actor, target, c.At); err != nil {
		return err
	}
	if c.WantsJSON() {
		return c.JSON(http.StatusOK, map[string]any{"id": target})
	}
	c.W.WriteHeader(http.StatusNoContent)
	return nil
}
