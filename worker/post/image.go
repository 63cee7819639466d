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

// ShowImage passes on the picture of a post: its own, or else the picture of the page it links to. So readers' browsers ask
// no server but this site. The edge keeps one copy for members and visitors (isPersonal in
// worker/edge/shim/cache.mjs), so the other server is asked about once an hour.
func (h *Handlers) ShowImage(c *request.Call) error { return h.showImage(c, "/img/", false) }

// ShowSmallImage passes it on as listings show it beside the title, in few bytes or not at all. Where there is none, the answer is
// a 404 with an empty picture: of a page, browsers without JavaScript would show the glyph of a broken one.
func (h *Handlers) ShowSmallImage(c *request.Call) error {
	err := h.showImage(c, pictures.SmallElsewhere, true)
	if data.ErrorCode(err) != data.NotFound {
		return err
	}
	c.W.Header().Set("Content-Security-Policy", view.ImagePolicy)
	return c.Send(http.StatusNotFound, "image/gif", emptyPicture)
}

// emptyPicture is a GIF of one pixel that can't be seen.
var emptyPicture = []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00" +
	",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")

// showImage passes on the picture of which the address begins so.
func (h *Handlers) showImage(c *request.Call, folder string, small bool) error {
	id, err := data.ParseID(c.R.PathValue("post"))
	// The same id can be written in other ways. Each would be an address of its own in the cache, and fetched once more.
	if err != nil || strings.Contains(c.R.RequestURI, "?") || c.R.URL.EscapedPath() != folder+id.Text() || h.Pictures.BacksOff(id, small) {
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
	picture, err := h.PassOn(c, id, image.Address, small)
	if err == nil && image.Unmeasured && !small { // what is small may be another size
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

var errNoFile = data.Mistake("picture", "Please send one picture in the field picture of a form (multipart/form-data).")

// UploadPicture keeps one picture, which the form of a post can then name. Browsers send it with a small version, its colour and its hash.
func (h *Handlers) UploadPicture(c *request.Call) error {
	for _, got := range pictures.Of(c.R) {
		if got.Field != "picture" {
			continue
		}
		colour := view.ColourOf(c.Value("colour"))
		small, err := h.KeepPicture(c, got, colour, view.HashOf(c.Value("hash")))
		if err != nil {
			return view.About(err, "picture")
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

// findUploads reads along with a form whether its member may upload pictures; nil for a site that takes none.
func (h *Handlers) findUploads(c *request.Call, r *data.Read) *stored.Allowed {
	if !h.Bucket.Bound() || c.Actor == nil {
		return nil
	}
	return h.Uploads.FindAllowed(r, *c.Actor)
}

// pictureField is how the form of a post takes pictures; nil where it takes none. A crosspost, which shows the post of, has none of its
// own.
func (h *Handlers) pictureField(may *stored.Allowed, of data.ID) *ui.PictureField {
	if may == nil || of != 0 || may.Nobody() {
		return nil
	}
	f := &ui.PictureField{Most: stored.Most}
	if err := may.Err(); err != nil && data.ErrorCode(err) == data.Forbidden {
		f.Refused = request.MessageOf(err)
	}
	return f
}

// pictureMistakes are the mistakes of a form, with what is wrong with its pictures. Other errors go before mistakes.
func pictureMistakes(pictured, mistakes error) error {
	if pictured == nil || data.ErrorCode(pictured) == data.Invalid {
		return data.AllMistakes(mistakes, pictured)
	}
	return pictured
}
