package post

import (
	"cmp"
	"net/http"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/locale"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

var errNoTarget = &data.Error{Code: data.NotFound, Message: "What you reply to is gone. It may have been deleted."}

// ShowReply shows the form to reply to a post or comment: a page of its own, or a fragment in the thread. If the member
// can't reply, it returns the error that says why.
func (h *Handlers) ShowReply(c *request.Call) error {
	to, err := data.ParseID(c.R.URL.Query().Get("to"))
	if err != nil {
		return err
	}
	return h.replyPage(c, http.StatusOK, to, ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) replyPage(c *request.Call, status int, to data.ID, f ui.Form) error {
	r := c.Read()
	h.Communities.FindColourChanges(r)
	var parent *comments.Comment
	var post *posts.Post
	if to.IsComment() {
		parent = h.Comments.FindByID(r, to, c.ViewerID())
		post = h.Comments.FindPostOf(r, to, c.ViewerID())
	} else {
		post = h.Posts.FindByID(r, to, c.ViewerID())
	}
	ban := h.Bans.FindOfMemberAt(r, to, c.ViewerID())
	unread := h.Inbox.FindUnread(r, c.ViewerID(), to)
	allowed, setting := h.findCommentPictures(c, r, to)
	if err := c.Run(r); err != nil && status == http.StatusOK {
		return err
	}
	if post.Unpublished() || post.Held != data.NotHeld { // as if it were not there
		post = &posts.Post{}
	}
	if parent != nil && parent.Held != data.NotHeld {
		parent = &comments.Comment{}
	}
	if status == http.StatusOK && (post.ID == 0 || parent != nil && parent.ID == 0) {
		return errNoTarget
	}
	if status == http.StatusOK { // no form, if sending it would fail
		if err := cmp.Or(comments.CheckReply(post, parent), ban.Err()); err != nil {
			return err
		}
	}
	if *unread { // members reply from the inbox, perhaps without opening the thread
		h.MarkSeen(c, to)
	}
	f = c.WithToken(f)
	p := ui.ReplyPage{Post: view.PostItem(c, post), Form: f}
	if post.ID == 0 { // a database that is unavailable: the form alone
		p.Post = ui.PostItem{ID: to.Text()}
	}
	if parent != nil {
		p.Parent = view.CommentView(c, parent, post)
		p.Parent.ID = to.Text()
	}
	p.Pictures = h.replyPictures(c, allowed, *setting, to.Text())
	p.Frame = c.Frame("Reply¦noun")
	if c.Fragment() && c.R.URL.Query().Has("pictures") {
		return request.Show(c, status, ui.PicturesFragment, p)
	}
	if c.Fragment() {
		return request.Show(c, status, ui.ReplyFormFragment, p)
	}
	return request.Show(c, status, ui.Reply, p)
}

// findCommentPictures reads, along with the form of a comment, whether the member may add pictures by the rules of the site; nil if nobody
// can. It also reads the community's setting, communities.Settings.CommentPictures, from the shard of repliedTo.
func (h *Handlers) findCommentPictures(c *request.Call, r *data.Read, repliedTo data.ID) (*pictures.Allowed, *string) {
	setting := new(string)
	if !h.Bucket.Bound() || c.Actor == nil {
		return nil, setting
	}
	h.Comments.FindPictureRule(r, repliedTo, setting)
	return h.Uploads.FindAllowedComment(r, *c.Actor), setting
}

// replyPictures returns the field for pictures of a comment's form. In a fragment it is only a button, unless the member has asked for the
// field or there are pictures already. setting is the community's.
func (h *Handlers) replyPictures(c *request.Call, allowed *pictures.Allowed, setting, key string) *ui.PictureField {
	if allowed == nil {
		return nil
	}
	allowed.In(setting)
	named := c.R.Method == http.MethodPost && view.NamesPictures(c)
	if named && allowed.Nobody() { // they can only be removed
		return &ui.PictureField{Key: key, Refused: request.MessageOf(allowed.Err())}
	}
	f := h.CommentField(c, allowed, key)
	if f == nil || !c.Fragment() {
		return f
	}
	asked := named || c.R.URL.Query().Has("pictures")
	f.Button = !asked
	if f.Refused != "" && !asked {
		return nil
	}
	return f
}

func (h *Handlers) CreateComment(c *request.Call) error {
	cc := comments.Create{Body: c.Value("body")}
	var err error
	if text := c.Value("parent"); text != "" {
		if cc.Parent, err = data.ParseID(text); err != nil {
			return &data.Error{Code: data.Invalid, Field: "parent", Message: "That is not a comment of this site."}
		}
	} else if cc.Post, err = data.ParseID(c.Value("post")); err != nil {
		return &data.Error{Code: data.Invalid, Field: "post", Message: "That is not a post of this site."}
	}
	var picturesErr error
	cc.Chosen, picturesErr = h.PicturesOfComment(c)
	cc.Token, err = c.Token()
	if err := cmp.Or(err, pictureMistakes(picturesErr, cc.Validate())); err != nil { // before the Markdown is rendered
		return h.RefuseComment(c, err)
	}
	if cc.BodyHTML, err = view.Markdown("body", cc.Body, data.CommentHTMLMax); err != nil {
		return h.RefuseComment(c, err)
	}
	comment, post, err := h.Publishing.Comment(c.R.Context(), *c.Actor, cc)
	if err != nil {
		return h.RefuseComment(c, err)
	}
	if c.Fragment() {
		view := view.CommentView(c, comment, post)
		view.Now = h.Now(c)
		return request.Show(c, http.StatusOK, ui.CommentFragment, view)
	}
	return c.Done(commentURL(comment, post), map[string]any{
		"id": comment.ID, "post": comment.PostID, "permalink": post.URL() + "/" + comment.ID.Text()})
}

// commentURL is an address where a new comment is sure to be shown: in its thread if that is small, else on the
// comment's own page.
func commentURL(m *comments.Comment, post *posts.Post) string {
	if m.Held == data.NotHeld && post.Comments < comments.Replies && m.Depth < comments.Levels {
		return post.URL() + "#c-" + m.ID.Text()
	}
	return post.URL() + "/" + m.ID.Text()
}

// RefuseComment shows the form again, with what was typed and why it was refused.
func (h *Handlers) RefuseComment(c *request.Call, err error) error {
	return request.RefuseOrSignIn(c, err, "reply", func(c *request.Call, status int, f ui.Form) error {
		to, broken := repliedTo(c)
		if broken != nil {
			return err
		}
		return h.replyPage(c, status, to, f)
	}, append([]string{"body", "pictures"}, view.PictureFields...))
}

// repliedTo returns what the form of a comment replies to: a comment, or else a post.
func repliedTo(c *request.Call) (data.ID, error) {
	return data.ParseID(cmp.Or(c.Value("parent"), c.Value("post")))
}
