package post

import (
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/render/ui"
	"plaza/worker/request"
)

// Vote records a vote. The page's script gets the buttons in their new state.
func (h *Handlers) Vote(c *request.Call) error {
	target, err := data.ParseID(c.Value("target"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Field: "target", Message: "That is not a post or comment of this site."}
	}
	value, err := strconv.Atoi(c.Value("value"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Field: "value", Message: "A vote is 1, -1 or 0."}
	}
	voter := *c.Actor
	voter.Origin = data.Origin{Network: request.NetworkOf(c.R), Referrer: request.CameFrom(c.R, target)}
	state, err := h.Votes.Cast(c.R.Context(), voter, target, value)
	if err != nil {
		return err
	}
	v := c.Votes(target, state.Ups, state.Downs, state.Mine, state.Moderated)
	if c.Fragment() {
		v.Titled = !target.IsComment()
		return request.Show(c, http.StatusOK, ui.VoteFragment, v)
	}
	return c.Done(c.CameFromPage(target, state.URL), map[string]any{"id": target, "score": v.Score, "ups": v.Ups, "downs": v.Downs,
		"my_vote": v.Mine})
}
