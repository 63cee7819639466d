package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/people"
)

// seenChoices are what lists do with posts that the member has seen, as a form says it.
var seenChoices = map[string]bool{"1": true, "0": false}

// seePost marks a post as one that the member has seen: the script sends that when they follow the link of a post in a list. Without a
// target it chooses whether lists leave out what they have seen.
func (a *App) seePost(c *call) error {
	if c.value("target") == "" {
		hide, ok := seenChoices[c.value("hide")]
		if !ok {
			return data.Mistake("hide", "hide is 1 to leave out what you have seen and 0 to show it.")
		}
		if err := a.users.ChooseSeen(c.r.Context(), *c.actor, hide); err != nil {
			return err
		}
		chosen := c.usualOrders()
		if chosen.seen = ""; hide {
			chosen.seen = people.HideSeen
		}
		rememberOrders(c, chosen)
		return c.done(c.cameFromPage(0, "/"), map[string]any{"hide": hide})
	}
	target, err := targetOf(c)
	if err != nil {
		return err
	}
	if err := a.visits.Mark(c.r.Context(), *c.actor, target, c.at); err != nil {
		return err
	}
	if c.wantsJSON() {
		return c.json(http.StatusOK, map[string]any{"id": target})
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}
