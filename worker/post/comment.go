package post

import (
	"cmp"
	"net/http"

	"plaza/data"
	"plaza/data/content/comments"
	stored "plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/locale"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

var errNoTarget = &data.Error{Code: data.NotFound, Message: "What you reply to is gone. It may have been deleted."}

// ShowReply is the form that answers a post or comment: a page of its own, or a fragment in the thread. Where nothing
// can be answered, it is the error that says why.
func (h *Handlers) ShowReply(c *request.Call) error {
	to, err := data.ParseID(c.R.URL.Query().Get("to"))
	if err != nil {
		return err
	}
	return h.replyPage(c, http.StatusOK, to, ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) replyPage(c *request.Call, status int, to data.ID, f ui.Form) error {
	r := c.Read()
	h.Communities.FollowColours(r)
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
	may, here := h.findCommentPictures(c, r, to)
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
	if status == http.StatusOK { // a form that can only fail is no help
		if err := cmp.Or(comments.CheckReply(post, parent), ban.Err()); err != nil {
			return err
		}
	}
	if *unread { // it is answered from the inbox, perhaps without its page
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
	p.Pictures = h.replyPictures(c, may, *here, to.Text())
	p.Frame = c.Frame("Reply¦noun")
	if c.Fragment() && c.R.URL.Query().Has("pictures") {
		return request.Show(c, status, ui.PicturesFragment, p)
	}
	if c.Fragment() {
		return request.Show(c, status, ui.ReplyFormFragment, p)
	}
	return request.Show(c, status, ui.Reply, p)
}

// findCommentPictures reads along with the form of a comment whether its member may add pictures, by what holds for the site; nil where
// nobody can. It also reads what the community says, communities.Settings.CommentPictures, from the shard of what is answered.
func (h *Handlers) findCommentPictures(c *request.Call, r *data.Read, repliedTo data.ID) (*stored.Allowed, *string) {
	here := new(string)
	if !h.Bucket.Bound() || c.Actor == nil {
		return nil, here
	}
	h.Comments.FindPictureRule(r, repliedTo, here)
	return h.Uploads.FindAllowedComment(r, *c.Actor), here
}

// replyPictures is how the form of a comment takes pictures. In a thread's page it has only a button, unless the member asks for more or
// there are pictures already.
func (h *Handlers) replyPictures(c *request.Call, may *stored.Allowed, here, key string) *ui.PictureField {
	if may == nil {
		return nil
	}
	may.In(here)
	named := c.R.Method == http.MethodPost && view.NamesPictures(c)
	if named && may.Nobody() { // they can only be taken out
		return &ui.PictureField{Key: key, Refused: request.MessageOf(may.Err())}
	}
	f := h.CommentField(c, may, key)
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
	var pictured error
	cc.Chosen, pictured = h.PicturesOfComment(c)
	cc.Token, err = c.Token()
	if err := cmp.Or(err, pictureMistakes(pictured, cc.Validate())); err != nil { // before the Markdown is made
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
	return c.Done(commentPlace(comment, post), map[string]any{
		"id": comment.ID, "post": comment.PostID, "permalink": post.URL() + "/" + comment.ID.Text()})
}

// commentPlace is an address where a new comment is sure to be shown: in its thread if that is small, else on the
// comment's own page.
func commentPlace(m *comments.Comment, post *posts.Post) string {
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

// repliedTo returns what the form of a comment answers: a comment, or else a post.
func repliedTo(c *request.Call) (data.ID, error) {
	target := c.Value("parent")
	if target == "" {
		target = c.Value("post")
	}
	return data.ParseID(target)
}
