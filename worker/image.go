package worker

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"plaza/data"
	"plaza/unfurl"
	"plaza/worker/links"
)

var (
	errNoImage = &data.Error{Code: data.NotFound, Message: "There is no picture here that could be shown."}
	errImages  = &data.Error{Code: data.Unavailable, Message: "Too many pictures are on their way right now. Please try again in a moment."}
)

// imagePolicy keeps a picture that is opened by itself from being anything else.
const imagePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

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

// passOn answers with the picture at an address, which belongs to the id. It returns the picture.
func (a *App) passOn(c *call, id data.ID, address string) ([]byte, error) {
	picture, kind, err := a.pictures.Fetch(c.r.Context(), c.id, id, address)
	var failure *links.Failure
	switch {
	case errors.Is(err, links.ErrBusy):
		return nil, errImages
	case errors.As(err, &failure):
		return nil, &data.Error{Code: data.NotFound, Message: errNoImage.Message, Err: err}
	case err != nil:
		return nil, err
	}
	c.w.Header().Set("Content-Security-Policy", imagePolicy)
	return picture, c.send(http.StatusOK, kind, picture)
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
