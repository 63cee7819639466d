package post

import (
	"errors"
	"net/http"

	"plaza/data"
	"plaza/data/content/posts"
	pages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// Posts and comments are changed at the same address; the target's id says which.

// ShowEdit is the form by which a post or comment is changed.
func (h *Handlers) ShowEdit(c *request.Call) error {
	target, err := data.ParseID(c.R.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	err = h.editPage(c, http.StatusOK, target, nil, nil)
	if errors.Is(err, posts.ErrDraft) {
		return c.Redirect("/draft?target=" + target.Text())
	}
	return err
}

func (h *Handlers) Edit(c *request.Call) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	if target.IsComment() {
		return h.editComment(c, target)
	}
	return h.editPost(c, target)
}

// RefuseEdit shows the form again, with what was typed and why it was refused.
func (h *Handlers) RefuseEdit(c *request.Call, err error) error {
	return request.RefuseOrSignIn(c, err, "edit", func(c *request.Call, status int, f ui.Form) error {
		target, broken := request.TargetOf(c)
		if broken != nil {
			return err
		}
		return h.editPage(c, status, target, &f, err)
	}, editFields, data.NotFound)
}

// editFields are the fields of the forms that change posts and comments.
var editFields = append([]string{"title", "text", "short", "nsfw", "spoiler", "flair", "tags", "body", "revision", "pictures"},
	view.PictureFields...)

// editPage shows the form of a post or comment. typed is what was typed; nil shows what is stored. refused is why
// typed was refused, or nil. What is stored is shown to its author alone.
func (h *Handlers) editPage(c *request.Call, status int, target data.ID, typed *ui.Form, refused error) error {
	p := pages.EditPage{Target: target.Text(), IsComment: target.IsComment()}
	fill := h.editPostPage
	if p.IsComment {
		fill = h.editCommentPage
	}
	if err := fill(c, target, &p, refused); err != nil {
		return err
	}
	if typed != nil {
		p.Form = *typed
	}
	p.Frame = c.Frame("Edit")
	if c.Fragment() && p.IsComment {
		return request.Show(c, status, pages.EditFormFragment, p)
	}
	return request.Show(c, status, pages.Edit, p)
}
