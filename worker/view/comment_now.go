package view

import (
	"net/http"

	"plaza/data"
	"plaza/render/ui"
	"plaza/worker/request"
)

// CommentNow responds to the page's script with a comment as it is now.
func (v *Views) CommentNow(c *request.Call, id data.ID) error {
	r := c.Read()
	comment := v.Comments.FindByID(r, id, c.ViewerID())
	post := v.Comments.FindPostOf(r, id, c.ViewerID())
	if err := c.Run(r); err != nil {
		return err
	}
	view := CommentView(c, comment, post)
	view.Now = v.Now(c)
	return request.Show(c, http.StatusOK, ui.CommentFragment, view)
}
