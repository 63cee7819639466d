package admin

import (
	"net/http"

	pages "plaza/render/admin"
	"plaza/worker/request"
)

// ShowOffline is the page that a device shows in place of pages that it can't load and has not kept (public/offline.js).
func (h *Handlers) ShowOffline(c *request.Call) error {
	if err := c.Run(c.Read()); err != nil {
		return err
	}
	return request.Show(c, http.StatusOK, pages.Offline, pages.OfflinePage{Frame: c.Frame("Reading offline")})
}
