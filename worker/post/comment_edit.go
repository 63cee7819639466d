package post

import (
	"strconv"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/locale"
	pages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// editCommentPage fills in the form of a comment, for its author alone. refused is why the form is shown again, or nil.
func (h *Handlers) editCommentPage(c *request.Call, id data.ID, p *pages.EditPage, refused error) error {
	r := c.Read()
	h.Communities.FindColourChanges(r)
	comment := h.Comments.FindSource(r, id)
	if err := c.Run(r); err != nil && refused == nil {
		return err
	}
	if c.IsViewer(comment.AuthorID) {
		name := comment.Post.Community
		p.Community, p.Title, p.URL = c.CommunityHeader(name), view.TitleOf(&comment.Post), comment.URL()
	}
	if refused == nil {
		p.Form = ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{
			"body": comment.Body, "revision": strconv.FormatInt(comment.Revision, 10)}}
		view.PictureValues(p.Form.Values, comment.Pictures)
		return comment.Editable(c.ViewerID())
	}
	if c.Actor != nil && comment.ID != 0 && !c.IsViewer(comment.AuthorID) {
		return refused
	}
	if data.ErrorCode(refused) == data.Conflict {
		p.Newer = comment.Body
	}
	return nil
}

func (h *Handlers) editComment(c *request.Call, id data.ID) error {
	e := comments.Edit{ID: id, Body: c.Value("body"), Revision: request.RevisionOf(c)}
	if view.NamesPictures(c) {
		chosen, err := h.PicturesOfComment(c)
		if err != nil {
			return h.RefuseEdit(c, err)
		}
		e.Chosen = &chosen
	}
	if err := e.Validate(); err != nil { // before the Markdown is rendered
		return h.RefuseEdit(c, err)
	}
	var err error
	if e.BodyHTML, err = view.Markdown("body", e.Body, data.CommentHTMLMax); err != nil {
		return h.RefuseEdit(c, err)
	}
	comment, err := h.Publishing.EditComment(c.R.Context(), *c.Actor, e)
	if comment != nil && editsAnyRevision(c, err) {
		e.Revision = comment.Revision
		comment, err = h.Publishing.EditComment(c.R.Context(), *c.Actor, e)
	}
	if err != nil {
		if comment != nil {
			c.Conflict(err, comment.Revision)
		}
		return h.RefuseEdit(c, err)
	}
	return h.changedComment(c, comment)
}

// changedComment responds to a saved change of a comment. The page's script gets the comment as it is now.
func (h *Handlers) changedComment(c *request.Call, changed *comments.Source) error {
	if !c.Fragment() || c.WantsJSON() {
		return c.Done(changed.URL(), map[string]any{
			"id": changed.ID, "post": changed.Post.ID, "permalink": changed.URL(), "revision": changed.Revision})
	}
	return h.CommentNow(c, changed.ID)
}
