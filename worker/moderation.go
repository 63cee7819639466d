package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/moderation"
	"plaza/data/modlog"
	"plaza/data/posts"
	"plaza/data/threads"
	"plaza/render"
)

// showDecide is the form by which a moderator removes a post or comment.
func (a *App) showDecide(c *call) error {
	target, err := data.ParseID(c.r.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	return a.removePage(c, target, nil)
}

// removePage shows the form. refused is why it is shown again, if it is.
func (a *App) removePage(c *call, target data.ID, refused error) error {
	name := c.r.PathValue("community")
	r := c.read()
	community := a.communities.FindByName(r, name, c.viewerID())
	comment, post := &threads.Source{}, &posts.Source{}
	if target.IsComment() {
		comment = a.comments.FindSource(r, target)
	} else {
		post = a.posts.FindSource(r, target)
	}
	if err := c.run(r); err != nil {
		return err
	}
	p := render.RemovePage{Target: target.Text(), IsComment: target.IsComment(), Title: post.Title, URL: post.URL(), Rules: c.rulesOf(community)}
	status, of, held := post.Status, post.Community, post.Held
	if p.IsComment {
		p.Title, p.URL, p.Said, status, of, held = comment.Post.Title, comment.URL(), comment.Body, comment.Status, comment.Post.Community, comment.Held
	}
	if of != community.Name || community.ID == 0 || status != "published" && status != "archived" && (status != "removed" || held != data.Waits) {
		return &data.Error{Code: data.NotFound, Message: "There is nothing to remove here. It may have been removed or deleted already."}
	}
	p.Community = render.Community{Name: community.Name, Colour: community.Colour}
	p.Form = c.typed("rule", "text")
	code := http.StatusOK
	if refused != nil {
		p.Form, code = wrong(p.Form, refused), formStatus(refused)
	}
	p.Frame = c.frame("Remove", "", "")
	p.NoIndex = true
	if c.fragment() && p.IsComment {
		return show(c, code, render.RemoveFormFragment, p)
	}
	return show(c, code, render.Remove, p)
}

// decide decides about a post or comment.
func (a *App) decide(c *call) error {
	target, err := targetOf(c)
	if err != nil {
		return err
	}
	d := moderation.Decision{Community: c.r.PathValue("community"), Act: c.act()}
	done, err := a.moderation.Decide(c.r.Context(), *c.actor, d, target)
	if data.ErrorCode(err) == data.Invalid && d.Action == modlog.Remove && !c.wantsJSON() {
		return a.removePage(c, target, err)
	}
	if err != nil {
		return err
	}
	if target.IsComment() && c.fragment() && !c.wantsJSON() {
		return a.commentNow(c, target)
	}
	return c.done(done.URL(), map[string]any{"id": target, "decision": d.Action, "permalink": done.URL()})
}
