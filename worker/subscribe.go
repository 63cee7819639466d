package worker

import (
	"net/http"

	"plaza/data"
	"plaza/render"
)

// subscribe begins or ends a subscription to a community. The page's script gets the button in its new state.
func (a *App) subscribe(c *call) error {
	name, on := c.value("community"), c.value("on")
	if on != "0" && on != "1" {
		return &data.Error{Code: data.Invalid, Field: "on", Message: "on is 1 to subscribe and 0 to end that."}
	}
	if err := a.communities.Subscribe(c.r.Context(), *c.actor, name, on == "1"); err != nil {
		return err
	}
	if c.fragment() && !c.wantsJSON() {
		return c.page(http.StatusOK, render.SubscribeFragment(name, on == "1", back(c.value("return"))))
	}
	return c.done(back(c.value("return")), map[string]any{"community": name, "on": on == "1"})
}
