package community

import (
	"net/http"

	"plaza/render/ui"
	"plaza/worker/request"
)

// Subscribe has a member join or leave a community. The page's script gets the button in its new state.
func (h *Handlers) Subscribe(c *request.Call) error {
	name := c.Value("community")
	on, err := request.On(c)
	if err != nil {
		return err
	}
	if err := h.Communities.Subscribe(c.R.Context(), *c.Actor, name, on); err != nil {
		return err
	}
	if c.Fragment() && !c.WantsJSON() {
		return c.Page(http.StatusOK, ui.SubscribeFragment(name, on, request.Back(c.Value("return"))))
	}
	return c.Done(request.Back(c.Value("return")), map[string]any{"community": name, "on": on})
}
