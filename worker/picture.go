package worker

import (
	"errors"
	"net/http"

	"plaza/data"
	"plaza/worker/links"
)

var (
	errNoImage = &data.Error{Code: data.NotFound, Message: "There is no picture here that could be shown."}
)

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

var (
	errImages = &data.Error{Code: data.Unavailable, Message: "Too many pictures are on their way right now. Please try again in a moment."}
)

// imagePolicy keeps a picture that is opened by itself from being anything else.
const imagePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"
