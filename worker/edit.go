package worker

import (
	"errors"
	"net/http"

	"plaza/data"
	"plaza/data/posts"
	"plaza/render"
)

// Posts and comments are changed at the same address; the target's id tells which it is.

// showEdit is the form by which a post or comment is changed.
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

// refuseEdit shows the form again, with what was typed and why it was refused.
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
var editFields = []string{"text", "short", "nsfw", "spoiler", "flair", "tags", "body", "revision"}

// editPage shows the form of a post or comment. typed is what was typed; nil shows what is stored. refused is why
// typed was refused, if it was. What is stored is shown to its author alone.
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
	p.Frame = c.frame("Edit", "", "")
	p.NoIndex = true
	if c.fragment() && p.IsComment {
		return show(c, status, render.EditFormFragment, p)
	}
	return show(c, status, render.Edit, p)
}
