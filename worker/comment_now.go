package worker

import (
	"net/http"

	"plaza/data"
	"plaza/render"
)

// commentNow answers the page's script with a comment as it is now.
func (a *App) commentNow(c *call, id data.ID) error {
	r := c.read()
	comment := a.comments.FindByID(r, id, c.viewerID())
	post := a.comments.FindPostOf(r, id, c.viewerID())
	if err := c.run(r); err != nil {
		return err
	}
	view := c.commentView(comment, post)
	view.Now = a.now(c)
	return show(c, http.StatusOK, render.CommentFragment, view)
}
