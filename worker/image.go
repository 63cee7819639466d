package worker

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/unfurl"
)

// showImage passes on the picture of a post: its own, or else that of the page it links to. So readers' browsers ask
// no server but this site. The edge keeps one copy for members and visitors (isPersonal in
// worker/edge/shim/cache.mjs), so the other server is asked about once an hour.
func (a *App) showImage(c *call) error {
	id, err := data.ParseID(c.r.PathValue("post"))
	// The same id can be written in other ways. Each would be an address of its own in the cache, and fetched once more.
	if err != nil || strings.Contains(c.r.RequestURI, "?") || c.r.URL.EscapedPath() != "/img/"+id.Text() || a.pictures.Rests(id) {
		return errNoImage
	}
	r := a.DB.Read()
	image := a.previews.FindImage(r, id)
	if err := r.Run(c.r.Context()); err != nil {
		return err
	}
	if image.Address == "" {
		return errNoImage
	}
	picture, err := a.passOn(c, id, image.Address)
	if err == nil && image.Unmeasured {
		a.measure(c, id, image.Address, picture)
	}
	return err
}

// measure keeps how large a picture is that was fetched for the first time.
func (a *App) measure(c *call, id data.ID, address string, picture []byte) {
	width, height := unfurl.ImageSize(picture)
	if width == 0 {
		return
	}
	a.Background(c.r.Context(), func(ctx context.Context) {
		if err := a.previews.KeepImageSize(ctx, id, address, width, height); err != nil {
			a.Log.WarnContext(ctx, "size of a picture not kept", "request", c.id, "error", err)
		}
	})
}
