package worker

import (
	"strconv"

	"plaza/data"
	"plaza/data/posts"
	"plaza/render"
)

// postSource reads the post that a form is about, and which flairs its author can choose. Where the form is shown again because it was refused, a database
// that can't be read is no error, but an empty post: what was typed is to be shown in any case.
func (a *App) postSource(c *call, id data.ID, refused error, more ...func(*data.Read)) (*posts.Source, render.FlairChoice, error) {
	r := c.read()
	for _, find := range more {
		find(r)
	}
	a.communities.FollowColours(r)
	post, flairs := a.posts.FindSource(r, id), a.flairs.FindAt(r, id)
	if err := c.run(r); err != nil && refused == nil {
		return nil, render.FlairChoice{}, err
	}
	return post, flairChoice(post.Community, flairs, post.Flair), nil
}

// editPostPage fills in the form of a post, for its author alone. refused is why the form is shown again, if it is.
func (a *App) editPostPage(c *call, id data.ID, p *render.EditPage, refused error) error {
	post, flairs, err := a.postSource(c, id, refused)
	if err != nil {
		return err
	}
	if c.isViewer(post.AuthorID) {
		p.Community, p.Title, p.URL = render.Community{Name: post.Community, Colour: c.colour(post.Community)}, post.Title, post.URL()
		p.Flairs = flairs
	}
	if refused == nil {
		p.Form = render.Form{Errors: map[string]string{}, Values: map[string]string{
			"text": post.Text, "nsfw": checked(post.NSFW), "spoiler": checked(post.Spoiler), "flair": flairText(post.Flair), "tags": post.Tags, "revision": strconv.FormatInt(post.Revision, 10)}}
		if typed, ok := wholeShort(post); ok {
			p.Form.Values["text"], p.Form.Values["short"] = typed, "1"
		}
		return post.Editable(c.viewerID())
	}
	if !c.isViewer(post.AuthorID) {
		if c.actor != nil && post.ID != 0 && !post.Unpublished() { // nobody is told of another's draft
			return refused
		}
		return nil
	}
	if data.ErrorCode(refused) == data.Conflict {
		p.Newer = post.Text
		if typed, ok := wholeShort(post); ok {
			p.Newer = typed
		}
	}
	return nil
}

// editPost saves a post. Fields that the request leaves out stay.
func (a *App) editPost(c *call, id data.ID) error {
	if err := a.keepAbsent(c, id, "text"); err != nil {
		return a.refuseEdit(c, err)
	}
	e, err := editOfForm(c)
	if err == nil {
		e.Flair, err = flairOfForm(c)
	}
	if err != nil {
		return a.refuseEdit(c, err)
	}
	e.ID, e.NSFW, e.Spoiler, e.Revision = id, c.flag("nsfw"), c.flag("spoiler"), revisionOf(c)
	if c.names("tags") {
		typed := c.value("tags")
		e.Tags = &typed
	}
	post, err := a.publishing.EditPost(c.r.Context(), *c.actor, e)
	if err != nil {
		if post != nil {
			c.conflict(err, post.Revision)
		}
		return a.refuseEdit(c, err)
	}
	return c.done(post.URL(), map[string]any{"id": post.ID, "permalink": post.URL(), "revision": post.Revision})
}

// editOfForm makes the parts of a post of the text that was typed: of a short post, the title as well. Invalid.
func editOfForm(c *call) (e posts.Edit, err error) {
	if c.flag("short") {
		return partsOfShort(c.value("text"))
	}
	e.Text = c.value("text")
	if err := e.Validate(); err != nil { // before the Markdown is made
		return e, err
	}
	e.TextHTML, err = markdown("text", e.Text, data.PostHTMLMax)
	e.Excerpt = render.PlainExcerpt(e.Text, posts.ExcerptLen)
	return e, err
}
