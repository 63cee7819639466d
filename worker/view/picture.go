package view

import (
	"errors"
	"net/http"

	"plaza/data"
	"plaza/worker/links"
	"plaza/worker/request"
)

var (
	ErrNoImage = &data.Error{Code: data.NotFound, Message: "There is no picture here that could be shown."}
)

// ServePicture responds with the picture at an address, which belongs to the id, or with its small version. It also returns the picture.
func (v *Views) ServePicture(c *request.Call, id data.ID, address string, small bool) (links.Picture, error) {
	picture, err := v.Pictures.Fetch(c.R.Context(), c.ID, id, address, small)
	var failure *links.Failure
	switch {
	case errors.Is(err, links.ErrBusy):
		return picture, errImages
	case errors.As(err, &failure):
		return picture, &data.Error{Code: data.NotFound, Message: ErrNoImage.Message, Err: err}
	case err != nil:
		return picture, err
	}
	c.W.Header().Set("Content-Security-Policy", ImagePolicy)
	if picture.Bytes == nil {
		c.W.Header().Set(links.KeptBody, "kept")
	}
	return picture, c.Send(http.StatusOK, picture.Type, picture.Bytes)
}

var (
	errImages = &data.Error{Code: data.Unavailable, Message: "Too many pictures are on their way right now. Please try again in a moment."}
)

// ImagePolicy is the Content-Security-Policy of a picture. A picture that is opened by itself can load and run nothing.
const ImagePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"
