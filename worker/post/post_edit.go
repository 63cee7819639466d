package post

import (
	"strconv"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/locale"
	"plaza/render/markdown"
	pages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// postSource reads the post that a form is about, and which flairs its author can choose. If a refused form is shown again and the database
// is unavailable, it returns an empty post and no error, because what was typed is to be shown in any case.
func (h *Handlers) postSource(c *request.Call, id data.ID, refused error, more ...func(*data.Read)) (*posts.Source, ui.FlairChoice, error) {
	r := c.Read()
	for _, find := range more {
		find(r)
	}
	h.Communities.FindColourChanges(r)
	post, flairs := h.Posts.FindSource(r, id), h.Flairs.FindAt(r, id)
	if err := c.Run(r); err != nil && refused == nil {
		return nil, ui.FlairChoice{}, err
	}
	return post, view.FlairChoice(post.Community, flairs, post.Flair), nil
}

// editPostPage fills in the form of a post, for its author alone. refused is why the form is shown again, or nil.
func (h *Handlers) editPostPage(c *request.Call, id data.ID, p *pages.EditPage, refused error) error {
	post, flairs, err := h.postSource(c, id, refused)
	if err != nil {
		return err
	}
	if c.IsViewer(post.AuthorID) {
		p.Community, p.Title, p.URL = c.CommunityHeader(post.Community), post.Title, post.URL()
		p.Flairs = flairs
		_, short := wholeProfilePost(post)
		p.CanEditTitle = !short && (c.At.Sub(post.CreatedAt) < posts.TitleTime || refused != nil && c.HasAny("title"))
	}
	if refused == nil {
		p.Form = ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{
			"title": post.Title, "text": post.Text, "nsfw": request.Checked(post.NSFW), "spoiler": request.Checked(post.Spoiler),
			"flair": view.FlairText(post.Flair),
			"tags":  post.Tags, "revision": strconv.FormatInt(post.Revision, 10)}}
		if typed, ok := wholeProfilePost(post); ok {
			p.Form.Values["text"], p.Form.Values["short"] = typed, "1"
		}
		view.PictureValues(p.Form.Values, post.Pictures)
		return post.Editable(c.ViewerID())
	}
	if !c.IsViewer(post.AuthorID) {
		if c.Actor != nil && post.ID != 0 && !post.Unpublished() { // only its author may know of a draft
			return refused
		}
		return nil
	}
	if data.ErrorCode(refused) == data.Conflict {
		p.Newer = post.Text
		if typed, ok := wholeProfilePost(post); ok {
			p.Newer = typed
		}
	}
	return nil
}

// editPost saves a post. Fields that the request leaves out stay.
func (h *Handlers) editPost(c *request.Call, id data.ID) error {
	if err := h.keepMissing(c, id, "text"); err != nil {
		return h.RefuseEdit(c, err)
	}
	e, err := editOfForm(c)
	if err == nil {
		e.Flair, err = view.FlairOfForm(c)
	}
	if err != nil {
		return h.RefuseEdit(c, err)
	}
	e.ID, e.NSFW, e.Spoiler, e.Revision = id, c.Flag("nsfw"), c.Flag("spoiler"), request.RevisionOf(c)
	if c.HasAny("tags") {
		typed := c.Value("tags")
		e.Tags = &typed
	}
	if view.NamesPictures(c) {
		chosen, err := h.PicturesOfForm(c)
		if err != nil {
			return h.RefuseEdit(c, err)
		}
		e.Chosen = &chosen
	}
	post, err := h.Publishing.EditPost(c.R.Context(), *c.Actor, e)
	if post != nil && editsAnyRevision(c, err) {
		e.Revision = post.Revision
		post, err = h.Publishing.EditPost(c.R.Context(), *c.Actor, e)
	}
	if err != nil {
		if post != nil {
			c.Conflict(err, post.Revision)
		}
		return h.RefuseEdit(c, err)
	}
	return c.Done(post.URL(), map[string]any{"id": post.ID, "permalink": post.URL(), "revision": post.Revision})
}

// editsAnyRevision reports whether a program's edit was refused only because it names no revision. Then it edits whichever is stored.
func editsAnyRevision(c *request.Call, err error) bool {
	return data.ErrorCode(err) == data.Conflict && c.WantsJSON() && !c.HasAny("revision")
}

// editOfForm returns the parts of a post from the form. The title of a short post comes from its text. Invalid.
func editOfForm(c *request.Call) (e posts.Edit, err error) {
	if c.Flag("short") {
		return partsOfProfilePost(c.Value("text"))
	}
	e.Title, e.Text = c.Value("title"), c.Value("text")
	if err := e.Validate(); err != nil { // before the Markdown is rendered
		return e, err
	}
	e.TextHTML, err = view.Markdown("text", e.Text, data.PostHTMLMax)
	e.Excerpt = markdown.PlainExcerpt(e.Text, posts.ExcerptLen)
	return e, err
}
