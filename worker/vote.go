package worker

import (
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/render"
)

// vote records a vote. The page's script gets the buttons in their new state.
func (a *App) vote(c *call) error {
	target, err := data.ParseID(c.value("target"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Field: "target", Message: "That is not a post or comment of this site."}
	}
	value, err := strconv.Atoi(c.value("value"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Field: "value", Message: "A vote is 1, -1 or 0."}
	}
	voter := *c.actor
	voter.Origin = data.Origin{Network: networkOf(c.r), Referrer: cameFrom(c.r, target)}
	state, err := a.votes.Cast(c.r.Context(), voter, target, value)
	if err != nil {
		return err
	}
	v := c.votes(target, state.Ups, state.Downs, state.Mine, state.Moderated)
	if !state.Moderated {
		c.lifted(&v)
	}
	if c.fragment() {
		return show(c, http.StatusOK, render.VoteFragment, v)
	}
	return c.done(c.cameFromPage(target, state.URL), map[string]any{"id": target, "score": v.Score, "ups": v.Ups, "downs": v.Downs, "my_vote": v.Mine})
}
