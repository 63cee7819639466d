package post

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/worker/links"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowImage passes on the picture of a post: its own, or else that of the page it links to. So readers' browsers ask
// no server but this site. The edge keeps one copy for members and visitors (isPersonal in
// worker/edge/shim/cache.mjs), so the other server is asked about once an hour.
func (h *Handlers) ShowImage(c *request.Call) error {
	id, err := data.ParseID(c.R.PathValue("post"))
	// The same id can be written in other ways. Each would be an address of its own in the cache, and fetched once more.
	if err != nil || strings.Contains(c.R.RequestURI, "?") || c.R.URL.EscapedPath() != "/img/"+id.Text() || h.Pictures.Rests(id) {
		return view.ErrNoImage
	}
	r := h.DB.Read()
	image := h.Previews.FindImage(r, id)
	if err := r.Run(c.R.Context()); err != nil {
		return err
	}
	if image.Address == "" {
		return view.ErrNoImage
	}
	picture, err := h.PassOn(c, id, image.Address)
	if err == nil && image.Unmeasured {
		h.measure(c, id, image.Address, picture)
	}
	return err
}

// measure keeps how large a picture is that was fetched for the first time.
func (h *Handlers) measure(c *request.Call, id data.ID, address string, picture links.Picture) {
	if picture.Width == 0 {
		return
	}
	h.Background(c.R.Context(), func(ctx context.Context) {
		if err := h.Previews.KeepImageSize(ctx, id, address, picture.Width, picture.Height); err != nil {
			h.Log.WarnContext(ctx, "size of a picture not kept", "request", c.ID, "error", err)
		}
	})
}
