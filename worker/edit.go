package worker

import (
	"errors"
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/data/posts"
	"plaza/data/threads"
	"plaza/render"
)

// Posts and comments are changed at the same address; the target's id tells which.

func (a *App) showEdit(c *call) error {
	target, err := data.ParseID(c.r.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	err = a.editPage(c, http.StatusOK, target, nil, nil)
	if errors.Is(err, posts.ErrDraft) {
		return c.redirect("/draft?target=" + target.Text())
	}
	return err
}

func (a *App) edit(c *call) error {
	target, err := targetOf(c)
	if err != nil {
		return err
	}
	if target.IsComment() {
		return a.editComment(c, target)
	}
	return a.editPost(c, target)
}

// targetOf is the post or comment that a form is about.
func targetOf(c *call) (data.ID, error) {
	target, err := data.ParseID(c.value("target"))
	if err != nil {
		return 0, &data.Error{Code: data.Invalid, Field: "target", Message: "That is not a post or comment of this site."}
	}
	return target, nil
}

// flag is a checkbox of a form or a truth value of a JSON object.
func (c *call) flag(name string) bool {
	v := c.value(name)
	return v != "" && v != "0" && v != "false"
}

// revisionOf is which version the form was made from; 0, the version as posted, where
// the form doesn't say.
func revisionOf(c *call) int64 {
	revision, _ := strconv.ParseInt(c.value("revision"), 10, 64)
	return revision
}

// refuseEdit shows the form again, with what was typed.
func (a *App) refuseEdit(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) || data.ErrorCode(err) == data.NotFound {
		return err
	}
	if data.ErrorCode(err) == data.Unauthenticated {
		return a.signInAgain(c, "edit", err)
	}
	target, errID := targetOf(c)
	if errID != nil {
		return err
	}
	f := wrong(c.typed(editFields...), err)
	return a.editPage(c, formStatus(err), target, &f, err)
}

// editFields are the fields of the forms that change posts and comments.
var editFields = []string{"text", "nsfw", "spoiler", "body", "revision"}

// editPage is the form: with what was typed, and why that was refused, or with what
// there is. Only the author sees any of the latter.
func (a *App) editPage(c *call, status int, target data.ID, typed *render.Form, refused error) error {
	p := render.EditPage{Target: target.Text(), IsComment: target.IsComment()}
	fill := a.editPostPage
	if p.IsComment {
		fill = a.editCommentPage
	}
	if err := fill(c, target, &p, refused); err != nil {
		return err
	}
	if typed != nil {
		p.Form = *typed
	}
	p.Frame = c.frame(a, "Edit", "", "")
	p.NoIndex = true
	if c.fragment() && p.IsComment {
		return show(c, status, render.EditFormFragment, p)
	}
	return show(c, status, render.Edit, p)
}

// conflict has the next try of a refused form replace what it now knows of.
func (c *call) conflict(err error, revision int64) {
	if data.ErrorCode(err) == data.Conflict {
		c.form.Set("revision", strconv.FormatInt(revision, 10))
	}
}

func (a *App) showDelete(c *call) error {
	target, err := data.ParseID(c.r.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	r := c.read(a)
	a.communities.FollowColours(r)
	p := render.DeletePage{Target: target.Text(), IsComment: target.IsComment()}
	var comment *threads.CommentSource
	var post *posts.Source
	if p.IsComment {
		shard, err := a.DB.ShardOfID(target)
		if err != nil {
			return err
		}
		comment = a.comments.FindSource(r, shard, target)
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
	p.Frame = c.frame(a, "Delete", "", "")
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
