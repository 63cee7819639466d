package post

import (
	"cmp"
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/rights/bans"
	"plaza/locale"
	pages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowDraft is the form of a post that is not published yet.
func (h *Handlers) ShowDraft(c *request.Call) error {
	target, err := data.ParseID(c.R.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	return h.draftPage(c, http.StatusOK, target, nil, nil)
}

// draftPage shows the form of a draft. typed is what was typed; nil shows what is stored. refused is why it was
// refused, or nil.
func (h *Handlers) draftPage(c *request.Call, status int, id data.ID, typed *ui.Form, refused error) error {
	ban := &bans.Ban{}
	var uploads *pictures.Allowed
	post, flairs, err := h.postSource(c, id, refused, func(r *data.Read) {
		ban, uploads = h.Bans.FindOfMemberAt(r, id, c.ViewerID()), h.findUploads(c, r)
	})
	if err != nil {
		return err
	}
	if !c.IsViewer(post.AuthorID) { // only its author may know of a draft
		if typed == nil || refused == nil {
			return cmp.Or(refused, error(request.ErrNoPost))
		}
		post = &posts.Source{}
	}
	if typed == nil && !post.Unpublished() {
		if refused != nil {
			return refused
		}
		return c.Redirect("/edit?target=" + id.Text())
	}
	p := pages.SubmitPage{Draft: id.Text(), Kind: post.Kind, Form: draftForm(post)}
	switch {
	case typed != nil:
		p.Form = *typed
	case refused != nil:
		p.Form = request.WithError(p.Form, refused)
	}
	if p.Before = postedBefore(c, refused, &p.Form); p.Before == nil && data.ErrorCode(refused) == data.Conflict {
		p.Newer = post.Text
	}
	if c.IsViewer(post.AuthorID) {
		if ban.Kind != "" && data.ErrorCode(refused) != data.Forbidden { // which says the same
			p.Banned = &ui.Banned{Says: ban.Text(), URL: ban.URL()}
		}
		community := c.CommunityHeader(post.Community)
		p.Community = &community
		p.Original = originalView(post.Original)
		p.Flairs = flairs
	}
	if post.Status == "draft" && data.ErrorCode(refused) != data.Conflict { // a scheduled post would be published half written
		p.Autosave = "/draft"
	}
	p.Pictures = h.pictureField(uploads, p.Original != nil)
	inZone(c, &p.Form)
	p.Frame = c.Frame("Draft")
	return request.Show(c, status, pages.Submit, p)
}

func draftForm(p *posts.Source) ui.Form {
	f := ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{
		"title": p.Title, "link": p.Link, "image": p.Image, "text": p.Text, "nsfw": request.Checked(p.NSFW),
		"spoiler": request.Checked(p.Spoiler), "flair": view.FlairText(p.Flair), "tags": p.Tags,
		"revision": strconv.FormatInt(p.Revision, 10)}}
	if !p.PublishAt.IsZero() {
		f.Values["publish_at"] = p.PublishAt.UTC().Format(scheduleLayout)
	}
	view.PictureValues(f.Values, p.Pictures)
	if p.Original != nil {
		f.Values["crosspost"] = p.Original.ID.Text()
	}
	return f
}

// SaveDraft saves a draft without publishing it.
func (h *Handlers) SaveDraft(c *request.Call) error {
	c.Form.Set("status", "draft")
	return h.editDraft(c)
}

// hasDraftFields reports whether the request has a field with the content or status of a draft. If it has none, the draft is
// published as it is stored.
func hasDraftFields(c *request.Call) bool {
	return c.HasAny("status", "publish_at", "title", "link", "image", "text", "nsfw", "spoiler", "flair", "tags") ||
		view.NamesPictures(c)
}

// Publish publishes a draft, as it is stored or with what the request changes; or it schedules it.
func (h *Handlers) Publish(c *request.Call) error {
	if hasDraftFields(c) {
		return h.editDraft(c)
	}
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	post, err := h.Publishing.PublishDraft(c.R.Context(), *c.Actor, target, c.Flag("anyway"))
	if err != nil {
		if post != nil && post.Unpublished() && !c.WantsJSON() {
			return h.refuseStoredDraft(c, post, err)
		}
		return err
	}
	return h.draftSaved(c, post)
}

// refuseStoredDraft shows the form of a draft that can't be published as it is stored, with what is stored, and why.
func (h *Handlers) refuseStoredDraft(c *request.Call, post *posts.Source, err error) error {
	for name, value := range draftForm(post).Values {
		c.Form.Set(name, value)
	}
	return h.RefuseDraft(c, err)
}

// editDraft saves a draft, and publishes or schedules it if the request says so. Fields that the request leaves out stay.
func (h *Handlers) editDraft(c *request.Call) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	if err := h.keepMissing(c, target, "title", "text", "link", "image", "tags"); err != nil {
		return h.RefuseDraft(c, err)
	}
	cp, err := h.postOfForm(c, "its own") // the stored draft has the community
	if err != nil {
		return h.RefuseDraft(c, err)
	}
	edit := posts.EditDraft{ID: target, Revision: request.RevisionOf(c), Create: cp}
	post, err := h.Publishing.EditDraft(c.R.Context(), *c.Actor, edit)
	if post != nil && editsAnyRevision(c, err) {
		edit.Revision = post.Revision
		post, err = h.Publishing.EditDraft(c.R.Context(), *c.Actor, edit)
	}
	if err != nil {
		if post != nil {
			c.Conflict(err, post.Revision)
		}
		return h.RefuseDraft(c, err)
	}
	return h.draftSaved(c, post)
}

// draftSaved responds to saving or publishing a draft, with the post's address.
func (h *Handlers) draftSaved(c *request.Call, post *posts.Source) error {
	return c.Done(post.URL(), map[string]any{
		"id": post.ID, "slug": post.Slug, "permalink": post.URL(), "status": post.Status, "revision": post.Revision})
}

var errDraftGone = &data.Error{Code: data.NotFound, Field: "community",
	Message: "This draft is not there any more: it may have been deleted elsewhere. To keep what you have written as a new post, choose a " +
		"community."}

// RefuseDraft shows the form again, with what was typed and why it was refused. If the draft is gone, it is the form
// of a new post.
func (h *Handlers) RefuseDraft(c *request.Call, err error) error {
	return request.RefuseOrSignIn(c, err, "draft", func(c *request.Call, status int, f ui.Form) error {
		target, broken := request.TargetOf(c)
		switch {
		case broken != nil:
			return err
		case !hasDraftFields(c): // saving an empty form would overwrite the draft
			return h.draftPage(c, status, target, nil, err)
		case data.ErrorCode(err) == data.NotFound:
			return h.submitPage(c, status, request.WithError(c.Typed(submitFields...), errDraftGone), c.Value("kind"))
		}
		return h.draftPage(c, status, target, &f, err)
	}, submitFields)
}
