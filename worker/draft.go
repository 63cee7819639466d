package worker

import (
	"cmp"
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/data/bans"
	"plaza/data/posts"
	"plaza/render"
)

// showDraft is the form of a post that is not published yet.
func (a *App) showDraft(c *call) error {
	target, err := data.ParseID(c.r.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	return a.draftPage(c, http.StatusOK, target, nil, nil)
}

// draftPage shows the form of a draft. typed is what was typed; nil shows what is stored. refused is why it was
// refused, if it was.
func (a *App) draftPage(c *call, status int, id data.ID, typed *render.Form, refused error) error {
	ban := &bans.Ban{}
	post, flairs, err := a.postSource(c, id, refused, func(r *data.Read) { ban = a.bans.FindOwnAt(r, id, c.viewerID()) })
	if err != nil {
		return err
	}
	if !c.isViewer(post.AuthorID) { // nobody is told of another's draft
		if typed == nil || refused == nil {
			return cmp.Or(refused, error(errNoPost))
		}
		post = &posts.Source{}
	}
	if typed == nil && !post.Unpublished() {
		if refused != nil {
			return refused
		}
		return c.redirect("/edit?target=" + id.Text())
	}
	p := render.SubmitPage{Draft: id.Text(), Kind: post.Kind, Form: draftForm(post)}
	switch {
	case typed != nil:
		p.Form = *typed
	case refused != nil:
		p.Form = wrong(p.Form, refused)
	}
	if p.Before = c.postedBefore(refused, &p.Form); p.Before == nil && data.ErrorCode(refused) == data.Conflict {
		p.Newer = post.Text
	}
	if c.isViewer(post.AuthorID) {
		if ban.Kind != "" && data.ErrorCode(refused) != data.Forbidden { // which says the same
			p.Banned = &render.Banned{Says: ban.Say()}
		}
		p.Community = &render.Community{Name: post.Community, Colour: c.colour(post.Community)}
		p.Original = originalView(post.Original)
		p.Flairs = flairs
	}
	if post.Status == "draft" && data.ErrorCode(refused) != data.Conflict { // what is scheduled is not to be published half written
		p.Autosave = "/draft"
	}
	c.inZone(&p.Form)
	p.Frame = c.frame("Draft", "", "")
	p.NoIndex = true
	return show(c, status, render.Submit, p)
}

func draftForm(p *posts.Source) render.Form {
	f := render.Form{Errors: map[string]string{}, Values: map[string]string{
		"title": p.Title, "link": p.Link, "image": p.Image, "text": p.Text, "nsfw": checked(p.NSFW), "spoiler": checked(p.Spoiler), "flair": flairText(p.Flair), "tags": p.Tags,
		"revision": strconv.FormatInt(p.Revision, 10)}}
	if !p.PublishAt.IsZero() {
		f.Values["publish_at"] = p.PublishAt.UTC().Format(scheduleLayout)
	}
	if p.Original != nil {
		f.Values["crosspost"] = p.Original.ID.Text()
	}
	return f
}

// saveDraft saves a draft without publishing it.
func (a *App) saveDraft(c *call) error {
	c.form.Set("status", "draft")
	return a.editDraft(c)
}

// namesDraft tells whether the request says what is to be in a draft, or what is to become of it. If it says nothing,
// the draft is published as it is stored.
func (c *call) namesDraft() bool {
	return c.names("status", "publish_at", "title", "link", "image", "text", "nsfw", "spoiler", "flair", "tags")
}

// publish publishes a draft, as it is stored or with what the request changes; or it schedules it.
func (a *App) publish(c *call) error {
	if c.namesDraft() {
		return a.editDraft(c)
	}
	target, err := targetOf(c)
	if err != nil {
		return err
	}
	post, err := a.publishing.PublishDraft(c.r.Context(), *c.actor, target, c.flag("anyway"))
	if err != nil {
		if post != nil && post.Unpublished() && !c.wantsJSON() {
			return a.refuseAsItIs(c, post, err)
		}
		return err
	}
	return a.draftSaved(c, post)
}

// refuseAsItIs shows the form of a draft that can't be published as it is stored, filled with what is stored, and why.
func (a *App) refuseAsItIs(c *call, post *posts.Source, err error) error {
	for name, value := range draftForm(post).Values {
		c.form.Set(name, value)
	}
	return a.refuseDraft(c, err)
}

// editDraft saves a draft, and publishes or schedules it if the request says so. Fields that the request leaves out stay.
func (a *App) editDraft(c *call) error {
	target, err := targetOf(c)
	if err != nil {
		return err
	}
	if err := a.keepAbsent(c, target, "title", "text", "link", "image", "tags"); err != nil {
		return a.refuseDraft(c, err)
	}
	cp, err := a.postOfForm(c, "its own") // which community it is in is known with the post
	if err != nil {
		return a.refuseDraft(c, err)
	}
	post, err := a.publishing.EditDraft(c.r.Context(), *c.actor, posts.EditDraft{ID: target, Revision: revisionOf(c), Create: cp})
	if err != nil {
		if post != nil {
			c.conflict(err, post.Revision)
		}
		return a.refuseDraft(c, err)
	}
	return a.draftSaved(c, post)
}

// draftSaved answers a draft that was saved or published, with the post's address.
func (a *App) draftSaved(c *call, post *posts.Source) error {
	return c.done(post.URL(), map[string]any{
		"id": post.ID, "slug": post.Slug, "permalink": post.URL(), "status": post.Status, "revision": post.Revision})
}

var errDraftGone = &data.Error{Code: data.NotFound, Field: "community",
	Message: "This draft is not there any more: it may have been deleted elsewhere. To keep what you have written as a new post, choose a community."}

// refuseDraft shows the form again, with what was typed and why it was refused. Where the draft is gone, it is the
// form of a new post.
func (a *App) refuseDraft(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) {
		return err
	}
	if data.ErrorCode(err) == data.Unauthenticated {
		return a.signInAgain(c, "draft", err)
	}
	target, errID := targetOf(c)
	if errID != nil {
		return err
	}
	if !c.namesDraft() { // an empty form would take the draft's place when it is saved
		return a.draftPage(c, formStatus(err), target, nil, err)
	}
	if data.ErrorCode(err) == data.NotFound {
		return a.submitPage(c, formStatus(err), wrong(c.typed(submitFields...), errDraftGone), c.value("kind"))
	}
	f := wrong(c.typed(submitFields...), err)
	return a.draftPage(c, formStatus(err), target, &f, err)
}
