package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/posts"
	"plaza/data/threads"
	"plaza/render"
)

// showDelete asks whether a post or comment is to be deleted.
func (a *App) showDelete(c *call) error {
	target, err := data.ParseID(c.r.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	r := c.read()
	a.communities.FollowColours(r)
	p := render.DeletePage{Target: target.Text(), IsComment: target.IsComment()}
	var comment *threads.Source
	var post *posts.Source
	if p.IsComment {
		comment = a.comments.FindSource(r, target)
	} else {
		post = a.posts.FindSource(r, target)
	}
	if err := c.run(r); err != nil {
		return err
	}
	name := ""
	if p.IsComment {
		if err := comment.Deletable(c.viewerID()); err != nil {
			return err
		}
		name, p.Title, p.URL, p.Said = comment.Post.Community, titleOf(&comment.Post), comment.URL(), comment.Body
	} else {
		if err := post.Deletable(c.viewerID()); err != nil {
			return err
		}
		name, p.Title, p.URL = post.Community, post.Title, post.URL()
	}
	p.Community = render.Community{Name: name, Colour: c.colour(name)}
	p.Frame = c.frame("Delete", "", "")
	p.NoIndex = true
	if c.fragment() && p.IsComment {
		return show(c, http.StatusOK, render.DeleteFormFragment, p)
	}
	return show(c, http.StatusOK, render.Delete, p)
}

func (a *App) delete(c *call) error {
	target, err := targetOf(c)
	if err != nil {
		return err
	}
	if target.IsComment() {
		return a.deleteComment(c, target)
	}
	return a.deletePost(c, target)
}

func (a *App) deletePost(c *call, id data.ID) error {
	post, err := a.posts.Delete(c.r.Context(), *c.actor, id)
	if err != nil {
		return err
	}
	if post.Unpublished() { // nothing stays of it
		return c.done("/c/"+post.Community, map[string]any{"id": id})
	}
	return c.done(post.URL(), map[string]any{"id": id, "permalink": post.URL()})
}

func (a *App) deleteComment(c *call, id data.ID) error {
	comment, err := a.comments.Delete(c.r.Context(), *c.actor, id)
	if err != nil {
		return err
	}
	return a.changedComment(c, comment)
}
