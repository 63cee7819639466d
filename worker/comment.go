package worker

import (
	"cmp"
	"net/http"

	"plaza/data"
	"plaza/data/posts"
	"plaza/data/threads"
	"plaza/render"
)

var errNoTarget = &data.Error{Code: data.NotFound, Message: "What you want to answer is not there. It may have been deleted."}

// showReply is the form that answers a post or comment: a page of its own, or a fragment in the thread. Where nothing
// can be answered, it is the error that says why.
func (a *App) showReply(c *call) error {
	to, err := data.ParseID(c.r.URL.Query().Get("to"))
	if err != nil {
		return err
	}
	return a.replyPage(c, http.StatusOK, to, render.Form{Values: map[string]string{}, Errors: map[string]string{}})
}

func (a *App) replyPage(c *call, status int, to data.ID, f render.Form) error {
	r := c.read()
	a.communities.FollowColours(r)
	var parent *threads.Comment
	var post *posts.Post
	if to.IsComment() {
		parent = a.comments.FindByID(r, to, c.viewerID())
		post = a.comments.FindPostOf(r, to, c.viewerID())
	} else {
		post = a.posts.FindByID(r, to, c.viewerID())
	}
	ban := a.bans.FindOwnAt(r, to, c.viewerID())
	if err := c.run(r); err != nil && status == http.StatusOK {
		return err
	}
	if post.Unpublished() || post.Held != data.NotHeld { // as if it were not there
		post = &posts.Post{}
	}
	if parent != nil && parent.Held != data.NotHeld {
		parent = &threads.Comment{}
	}
	if status == http.StatusOK && (post.ID == 0 || parent != nil && parent.ID == 0) {
		return errNoTarget
	}
	if status == http.StatusOK { // a form that can only fail is no help
		if err := cmp.Or(threads.Answerable(post, parent), ban.Err()); err != nil {
			return err
		}
	}
	f = c.withToken(f)
	p := render.ReplyPage{Post: c.postItem(post), Form: f}
	if post.ID == 0 { // a database that is away: the form alone
		p.Post = render.PostItem{ID: to.Text()}
	}
	if parent != nil {
		p.Parent = c.commentView(parent, post)
		p.Parent.ID = to.Text()
	}
	p.Frame = c.frame("Reply", "", "")
	p.NoIndex = true
	if c.fragment() {
		return show(c, status, render.ReplyFormFragment, p)
	}
	return show(c, status, render.Reply, p)
}

func (a *App) createComment(c *call) error {
	cc := threads.Create{Body: c.value("body")}
	var err error
	if text := c.value("parent"); text != "" {
		if cc.Parent, err = data.ParseID(text); err != nil {
			return &data.Error{Code: data.Invalid, Field: "parent", Message: "That is not a comment of this site."}
		}
	} else if cc.Post, err = data.ParseID(c.value("post")); err != nil {
		return &data.Error{Code: data.Invalid, Field: "post", Message: "That is not a post of this site."}
	}
	cc.Token, err = c.token()
	if err := cmp.Or(err, cc.Validate()); err != nil { // before the Markdown is made
		return a.refuseComment(c, err)
	}
	if cc.BodyHTML, err = markdown("body", cc.Body, data.CommentHTMLMax); err != nil {
		return a.refuseComment(c, err)
	}
	comment, post, err := a.publishing.Comment(c.r.Context(), *c.actor, cc)
	if err != nil {
		return a.refuseComment(c, err)
	}
	if c.fragment() {
		view := c.commentView(comment, post)
		view.Now = a.now(c)
		return show(c, http.StatusOK, render.CommentFragment, view)
	}
	return c.done(commentPlace(comment, post), map[string]any{
		"id": comment.ID, "post": comment.PostID, "permalink": post.URL() + "/" + comment.ID.Text()})
}

// commentPlace is an address where a new comment is sure to be shown: in its thread if that is small, else on the
// comment's own page.
func commentPlace(m *threads.Comment, post *posts.Post) string {
	if m.Held == data.NotHeld && post.Comments < threads.Replies && m.Depth < threads.Levels {
		return post.URL() + "#c-" + m.ID.Text()
	}
	return post.URL() + "/" + m.ID.Text()
}

// refuseComment shows the form again, with what was typed and why it was refused.
func (a *App) refuseComment(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) {
		return err
	}
	if data.ErrorCode(err) == data.Unauthenticated {
		return a.signInAgain(c, "reply", err)
	}
	to, errID := answered(c)
	if errID != nil {
		return err
	}
	return a.replyPage(c, formStatus(err), to, wrong(c.typed("body"), err))
}

// answered returns what the form of a comment answers: a comment, or else a post.
func answered(c *call) (data.ID, error) {
	target := c.value("parent")
	if target == "" {
		target = c.value("post")
	}
	return data.ParseID(target)
}
