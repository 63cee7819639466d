package post

import (
	"context"
	"net/http"
	"strings"

	"plaza/data"
	stored "plaza/data/content/pictures"
	"plaza/render/ui"
	"plaza/worker/links"
	"plaza/worker/pictures"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowImage is a proxy for the picture of a post: its own, or else that of the page it links to. So readers' browsers send
// requests only to this site. The edge keeps one copy for members and visitors (isPersonal in
// worker/edge/shim/cache.mjs), so the other server gets about one request an hour.
func (h *Handlers) ShowImage(c *request.Call) error { return h.showImage(c, "/img/", false) }

// ShowSmallImage sends that picture's small version, which listings show beside the title. If there is none, the response is a 404 with an
// empty picture: for a page, browsers without JavaScript would show the icon of a broken picture.
func (h *Handlers) ShowSmallImage(c *request.Call) error {
	err := h.showImage(c, pictures.SmallElsewhere, true)
	if data.ErrorCode(err) != data.NotFound {
		return err
	}
	c.W.Header().Set("Content-Security-Policy", view.ImagePolicy)
	return c.Send(http.StatusNotFound, "image/gif", emptyPicture)
}

// emptyPicture is a GIF of one transparent pixel.
var emptyPicture = []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00" +
	",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")

// showImage sends the picture, whose address begins with folder.
func (h *Handlers) showImage(c *request.Call, folder string, small bool) error {
	id, err := data.ParseID(c.R.PathValue("post"))
	// The same id can be written in other ways. The cache would fetch and keep a copy for each.
	if err != nil || strings.Contains(c.R.RequestURI, "?") || c.R.URL.EscapedPath() != folder+id.Text() || h.Pictures.ShouldSkip(id, small) {
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
	picture, err := h.ServePicture(c, id, image.Address, small)
	if err == nil && image.Unmeasured && !small { // the small version may have another size
		h.measure(c, id, image.Address, picture)
	}
	return err
}

// measure stores the size of a picture that was fetched for the first time.
func (h *Handlers) measure(c *request.Call, id data.ID, address string, picture links.Picture) {
	if picture.Width == 0 {
		return
	}
	h.Background(c.R.Context(), func(ctx context.Context) {
		if err := h.Previews.SaveImageSize(ctx, id, address, picture.Width, picture.Height); err != nil {
			h.Log.WarnContext(ctx, "size of a picture not stored", "request", c.ID, "error", err)
		}
	})
}

var errNoFile = data.Mistake("picture", "Please send one picture in the field picture of a form (multipart/form-data).")

// UploadPicture stores one picture, which the form of a post can then name. Browsers send it with a small version, its colour and its hash.
func (h *Handlers) UploadPicture(c *request.Call) error {
	for _, got := range pictures.FromRequest(c.R) {
		if got.Field != "picture" {
			continue
		}
		colour := view.ColourOf(c.Value("colour"))
		small, err := h.StorePicture(c, got, colour, view.HashOf(c.Value("hash")))
		if err != nil {
			return view.ForField(err, "picture")
		}
		smallURL := pictures.URL(got.Sum)
		if small {
			smallURL = pictures.SmallURL(got.Sum)
		}
		return c.Done(pictures.URL(got.Sum), map[string]any{"sum": got.Sum, "width": got.Width, "height": got.Height,
			"type": got.Type, "bytes": got.Bytes, "colour": colour, "url": pictures.URL(got.Sum), "small": smallURL})
	}
	return errNoFile
}

// findUploads reads along with a form whether its member may upload pictures; nil for a site without uploads.
func (h *Handlers) findUploads(c *request.Call, r *data.Read) *stored.Allowed {
	if !h.Bucket.Bound() || c.Actor == nil {
		return nil
	}
	return h.Uploads.FindAllowed(r, *c.Actor)
}

// pictureField is the field for pictures of a post's form; nil if the post can have none, such as a crosspost.
func (h *Handlers) pictureField(allowed *stored.Allowed, crosspost bool) *ui.PictureField {
	if allowed == nil || crosspost || allowed.Nobody() {
		return nil
	}
	f := &ui.PictureField{Most: stored.MaxOfPost}
	if err := allowed.Err(); err != nil && data.ErrorCode(err) == data.Forbidden {
		f.Refused = request.MessageOf(err)
	}
	return f
}

// pictureMistakes joins the mistakes of a form with those of its pictures. It returns any other picturesErr alone.
func pictureMistakes(picturesErr, mistakes error) error {
	if picturesErr == nil || data.ErrorCode(picturesErr) == data.Invalid {
		return data.AllMistakes(mistakes, picturesErr)
	}
	return picturesErr
}
