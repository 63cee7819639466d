package worker

import (
	"net/http"

	"plaza/data"
	"plaza/render"
)

// followUser follows somebody, or stops. The page's script gets the button in its new state.
func (a *App) followUser(c *call) error {
	name, on := c.value("user"), c.value("on")
	if on != "0" && on != "1" {
		return &data.Error{Code: data.Invalid, Field: "on", Message: "on is 1 to follow and 0 to stop."}
	}
	if err := a.users.Follow(c.r.Context(), *c.actor, name, on == "1"); err != nil {
		return err
	}
	if c.fragment() && !c.wantsJSON() {
		return c.page(http.StatusOK, render.FollowFragment(name, on == "1", back(c.value("return"))))
	}
	return c.done(back(c.value("return")), map[string]any{"user": name, "on": on == "1"})
}
