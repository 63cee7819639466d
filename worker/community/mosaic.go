package community

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
	"plaza/data/names"
	"plaza/render/mosaic"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowMosaic draws the mosaic of a community or of the site. The address names all that it depends on, so nothing is read, and browsers
// keep it for ever.
func (h *Handlers) ShowMosaic(c *request.Call) error {
	name, colour := c.R.PathValue("community"), "#"+c.R.PathValue("colour")
	if !names.Community.Is(name) { // perhaps it is the site's
		_ = h.Settings.Refresh(c.R.Context())
	}
	// Each drawing has one address. Another spelling would be kept beside it.
	if !names.Community.Is(name) && name != strings.ToLower(h.SiteName()) || name != strings.ToLower(name) ||
		data.InPalette(colour) < 0 && colour != mosaic.Known("") ||
		strings.Contains(c.R.RequestURI, "?") || !isPath(c.R.URL.Path, ui.MosaicURL(name, colour)) {
		return view.ErrNoImage
	}
	drawn := mosaic.Of(name)
	svg := drawn.SVG(colour)
	// Opened by itself, it has its dark colours: the policy allows its own style, by its hash, and nothing else.
	style := sha256.Sum256(mosaic.Style(svg))
	c.W.Header().Set("Content-Security-Policy", view.ImagePolicy+"; style-src 'sha256-"+base64.StdEncoding.EncodeToString(style[:])+"'")
	request.CrossOrigin(c.W.Header())
	return c.Send(http.StatusOK, "image/svg+xml", svg)
}

// isPath reports whether a path, without escapes, is that of an address. The edge escapes other characters than Go does.
func isPath(path, address string) bool {
	unescaped, err := url.PathUnescape(address)
	return err == nil && path == unescaped
}
