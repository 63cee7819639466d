package worker

import (
	"strconv"

	"plaza/data"
	"plaza/data/threads"
	"plaza/render"
)

// editCommentPage fills in the form of a comment, for its author alone. refused is why the form is shown again, if it is.
func (a *App) editCommentPage(c *call, id data.ID, p *render.EditPage, refused error) error {
	r := c.read()
	a.communities.FollowColours(r)
	comment := a.comments.FindSource(r, id)
	if err := c.run(r); err != nil && refused == nil {
		return err
	}
	if c.isViewer(comment.AuthorID) {
		name := comment.Post.Community
		p.Community, p.Title, p.URL = render.Community{Name: name, Colour: c.colour(name)}, titleOf(&comment.Post), comment.URL()
	}
	if refused == nil {
		p.Form = render.Form{Errors: map[string]string{}, Values: map[string]string{
			"body": comment.Body, "revision": strconv.FormatInt(comment.Revision, 10)}}
		return comment.Editable(c.viewerID())
	}
	if c.actor != nil && comment.ID != 0 && !c.isViewer(comment.AuthorID) {
		return refused
	}
	if data.ErrorCode(refused) == data.Conflict {
		p.Newer = comment.Body
	}
	return nil
}

func (a *App) editComment(c *call, id data.ID) error {
	e := threads.Edit{ID: id, Body: c.value("body"), Revision: revisionOf(c)}
	if err := e.Validate(); err != nil { // before the Markdown is made
		return a.refuseEdit(c, err)
	}
	var err error
	if e.BodyHTML, err = markdown("body", e.Body, data.CommentHTMLMax); err != nil {
		return a.refuseEdit(c, err)
	}
	comment, err := a.publishing.EditComment(c.r.Context(), *c.actor, e)
	if err != nil {
		if comment != nil {
			c.conflict(err, comment.Revision)
		}
		return a.refuseEdit(c, err)
	}
	return a.changedComment(c, comment)
}

// changedComment answers a change of a comment that was saved. The page's script gets the comment as it is now.
func (a *App) changedComment(c *call, changed *threads.Source) error {
	if !c.fragment() || c.wantsJSON() {
		return c.done(changed.URL(), map[string]any{
			"id": changed.ID, "post": changed.Post.ID, "permalink": changed.URL(), "revision": changed.Revision})
	}
	return a.commentNow(c, changed.ID)
}
