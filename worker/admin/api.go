package admin

import (
	"net/http"

	pages "plaza/render/admin"
	"plaza/worker/api"
	"plaza/worker/request"
)

// ShowAPI describes the API: in a page for people, and in JSON as an OpenAPI document.
func (h *Handlers) ShowAPI(c *request.Call) error {
	if c.Format != nil {
		document, err := api.OpenAPI()
		if err != nil {
			return err
		}
		return c.Send(http.StatusOK, c.Format.ContentType, document)
	}
	if err := c.Run(c.Read()); err != nil {
		return err
	}
	p := api.Guide()
	p.Frame = c.PublicFrame("API", "How programs read this site and act in a member's name.", "/api")
	return request.Show(c, http.StatusOK, pages.API, p)
}
