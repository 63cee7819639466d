package post

import (
	"net/http"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	pages "plaza/render/post"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowDelete asks whether a post or comment is to be deleted.
func (h *Handlers) ShowDelete(c *request.Call) error {
	target, err := data.ParseID(c.R.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	r := c.Read()
	h.Communities.FindColourChanges(r)
	p := pages.DeletePage{Target: target.Text(), IsComment: target.IsComment()}
	var comment *comments.Source
	var post *posts.Source
	if p.IsComment {
		comment = h.Comments.FindSource(r, target)
	} else {
		post = h.Posts.FindSource(r, target)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	name := ""
	if p.IsComment {
		if err := comment.Deletable(c.ViewerID()); err != nil {
			return err
		}
		name, p.Title, p.URL, p.Said = comment.Post.Community, view.TitleOf(&comment.Post), comment.URL(), comment.Body
	} else {
		if err := post.Deletable(c.ViewerID()); err != nil {
			return err
		}
		name, p.Title, p.URL = post.Community, post.Title, post.URL()
	}
	p.Community = c.CommunityHeader(name)
	p.Frame = c.Frame("Delete")
	return request.Show(c, http.StatusOK, pages.Delete, p)
}

func (h *Handlers) Delete(c *request.Call) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	if target.IsComment() {
		return h.deleteComment(c, target)
	}
	return h.deletePost(c, target)
}

func (h *Handlers) deletePost(c *request.Call, id data.ID) error {
	post, err := h.Posts.Delete(c.R.Context(), *c.Actor, id)
	if err != nil {
		return err
	}
	if post.Unpublished() { // it has no page any more
		return c.Done("/c/"+post.Community, map[string]any{"id": id})
	}
	return c.Done(post.URL(), map[string]any{"id": id, "permalink": post.URL()})
}

func (h *Handlers) deleteComment(c *request.Call, id data.ID) error {
	comment, err := h.Comments.Delete(c.R.Context(), *c.Actor, id)
	if err != nil {
		return err
	}
	return h.changedComment(c, comment)
}
