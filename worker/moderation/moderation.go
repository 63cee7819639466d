package moderation

import (
	"net/http"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/moderation"
	"plaza/data/moderation/pictureblocks"
	pages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowDecide is the form by which a moderator removes a post or comment.
func (h *Handlers) ShowDecide(c *request.Call) error {
	target, err := data.ParseID(c.R.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	return h.removePage(c, target, nil)
}

// removePage shows the form. refused is why it is shown again, or nil.
func (h *Handlers) removePage(c *request.Call, target data.ID, refused error) error {
	name := c.R.PathValue("community")
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	comment, post := &comments.Source{}, &posts.Source{}
	if target.IsComment() {
		comment = h.Comments.FindSource(r, target)
	} else {
		post = h.Posts.FindSource(r, target)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.RemovePage{Target: target.Text(), IsComment: target.IsComment(), Title: post.Title, URL: post.URL(),
		Rules: view.RulesOf(c, community)}
	status, postedIn, held := post.Status, post.Community, post.Held
	if p.IsComment {
		p.Title, p.URL, p.Said = comment.Post.Title, comment.URL(), comment.Body
		status, postedIn, held = comment.Status, comment.Post.Community, comment.Held
	}
	if postedIn != community.Name || community.ID == 0 || status != "published" && status != "archived" &&
		(status != "removed" || held != data.Held) {
		return &data.Error{Code: data.NotFound, Message: "There is nothing to remove here. It may have been removed or deleted already."}
	}
	p.Community = ui.Community{Name: community.Name, Colour: community.Colour, Icon: community.Icon}
	p.Pictures, p.CanBlock, p.CanBlockOnSite = len(post.Pictures)+len(comment.Pictures), c.Viewer.Moderates(community.Name), c.Viewer.Admin
	p.Form = c.Typed("rule", "text", "block")
	code := http.StatusOK
	if refused != nil {
		p.Form, code = request.WithError(p.Form, refused), request.FormStatus(refused)
	}
	p.Frame = c.Frame("Remove")
	if c.Fragment() && p.IsComment {
		return request.Show(c, code, pages.RemoveFormFragment, p)
	}
	return request.Show(c, code, pages.Remove, p)
}

// Decide decides about a post or comment.
func (h *Handlers) Decide(c *request.Call) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	d := moderation.Decision{Community: c.R.PathValue("community"), Act: c.Act()}
	var block *pictureblocks.Request
	var done *modlog.Outcome
	if d.Action == modlog.Remove {
		block, err = h.blockRequest(c, "block", target, d.Rule)
	}
	if err == nil {
		done, err = h.Moderation.Decide(c.R.Context(), *c.Actor, d, target)
	}
	if data.ErrorCode(err) == data.Invalid && d.Action == modlog.Remove && !c.WantsJSON() {
		return h.removePage(c, target, err)
	}
	if err != nil {
		return err
	}
	if _, err := h.block(c, block); err != nil {
		return err
	}
	if target.IsComment() && c.Fragment() && !c.WantsJSON() {
		return h.CommentNow(c, target)
	}
	return c.Done(backTo(c, done.URL()), map[string]any{"id": target, "decision": d.Action, "permalink": done.URL()})
}
