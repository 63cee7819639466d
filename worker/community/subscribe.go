package community

import (
	"net/http"

	"plaza/data"
	"plaza/render/ui"
	"plaza/worker/request"
)

// Subscribe has a member join or leave a community. The page's script gets the button in its new state.
func (h *Handlers) Subscribe(c *request.Call) error {
	name, on := c.Value("community"), c.Value("on")
	if on != "0" && on != "1" {
		return &data.Error{Code: data.Invalid, Field: "on", Message: "on is 1 to join and 0 to leave."}
	}
	if err := h.Communities.Subscribe(c.R.Context(), *c.Actor, name, on == "1"); err != nil {
		return err
	}
	if c.Fragment() && !c.WantsJSON() {
		return c.Page(http.StatusOK, ui.SubscribeFragment(name, on == "1", request.Back(c.Value("return"))))
	}
	return c.Done(request.Back(c.Value("return")), map[string]any{"community": name, "on": on == "1"})
}
