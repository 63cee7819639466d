package community

import (
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/names"
	"plaza/render/mosaic"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowMosaic draws the mosaic of a community. The address names all that it depends on, so nothing is read, and browsers keep it for ever.
func (h *Handlers) ShowMosaic(c *request.Call) error {
	name, colour := c.R.PathValue("community"), "#"+c.R.PathValue("colour")
	// Each drawing has one address. Another spelling would be kept beside it.
	if !names.Community.Is(name) || name != strings.ToLower(name) || data.InPalette(colour) < 0 && colour != mosaic.Known("") ||
		strings.Contains(c.R.RequestURI, "?") || c.R.URL.EscapedPath() != ui.MosaicURL(name, colour) {
		return view.ErrNoImage
	}
	c.W.Header().Set("Content-Security-Policy", view.ImagePolicy)
	request.CrossOrigin(c.W.Header())
	drawn := mosaic.Of(name)
	return c.Send(http.StatusOK, "image/svg+xml", drawn.SVG(colour))
}
