package worker

import (
	"net/http"

	"plaza/render"
	"plaza/worker/api"
)

// showAPI says what programs can read and do: to people, and in JSON, as an OpenAPI document, to machines.
func (a *App) showAPI(c *call) error {
	if c.format != nil {
		return c.send(http.StatusOK, c.format.contentType, api.OpenAPI)
	}
	if err := c.run(c.read()); err != nil {
		return err
	}
	p := api.Guide()
	p.Frame = c.frame("For programs", "How programs read this site and act in a member's name.", "/api")
	return show(c, http.StatusOK, render.API, p)
}
