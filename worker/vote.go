package worker

import (
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/render"
)

func (a *App) vote(c *call) error {
	target, err := data.ParseID(c.value("target"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Field: "target", Message: "That is not a post or comment of this site."}
	}
	value, err := strconv.Atoi(c.value("value"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Field: "value", Message: "A vote is 1, -1 or 0."}
	}
	state, err := a.votes.Cast(c.r.Context(), *c.actor, target, value)
	if err != nil {
		return err
	}
	a.nudge(c, voteMessage(target))
	v := c.votes(target, state.Ups, state.Downs, state.Mine, state.AuthorID)
	if c.fragment() {
		v.Return = back(c.value("return"))
		return c.page(http.StatusOK, render.VoteFragment(v))
	}
	return c.done(back(c.value("return")), map[string]any{"id": target, "score": v.Score, "ups": v.Ups, "downs": v.Downs, "my_vote": v.Mine})
}

// nudge tells the votes consumer that something changed. What changed is in the
// database already; should the message be lost, the sweep finds it.
func (a *App) nudge(c *call, bodies ...string) {
	if err := a.Queue.Send(c.r.Context(), QueueVotes, bodies...); err != nil {
		a.Log.WarnContext(c.r.Context(), "votes queue not reached", "request", c.id, "error", err)
	}
}
