package post

import (
	"errors"
	"slices"

	"plaza/data"
	stored "plaza/data/content/pictures"
	"plaza/worker/pictures"
	"plaza/worker/request"
	"plaza/worker/view"
)

// keepMissing adds the fields that an edit of a post leaves out to c.Form, with their stored values, so that these
// stay. Programs may send only what changes, and the form of a crosspost has no field for a link. texts names the
// text fields of the form; nsfw and spoiler come in addition.
//
// A browser does not send an unticked checkbox. So in a form that has its first text field and the field "text", a
// missing checkbox means no.
//
// Stored values are added for the post's author alone. Whether the caller is the author, and whether the revision is
// the one that the request names, is checked once more by the statement that writes.
func (h *Handlers) keepMissing(c *request.Call, target data.ID, texts ...string) error {
	whole := !c.Object && c.HasAny("text") && c.HasAny(texts[0])
	absent := slices.DeleteFunc(slices.Clone(append(texts, "nsfw", "spoiler")), func(name string) bool {
		return c.HasAny(name) || whole && (name == "nsfw" || name == "spoiler")
	})
	keepPictures := slices.Contains(texts, "link") && !view.NamesPictures(c) && len(pictures.FromRequest(c.R)) == 0 // only a draft has "link"
	if len(absent) == 0 && !keepPictures {
		return nil
	}
	r := c.Read()
	post := h.Posts.FindSource(r, target)
	if err := c.Run(r); err != nil {
		if errors.Is(err, request.ErrSessionOver) {
			return request.ErrSignIn
		}
		return err
	}
	if c.IsViewer(post.AuthorID) {
		values := draftForm(post).Values
		for _, name := range absent {
			c.Form.Set(name, values[name])
		}
		if keepPictures {
			view.FillPictures(c, stored.ChosenOf(post.Pictures))
		}
	}
	return nil
}
