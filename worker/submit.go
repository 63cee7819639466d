package worker

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/bans"
	"plaza/data/communities"
	"plaza/data/flair"
	"plaza/data/people"
	"plaza/data/posts"
	"plaza/render"
)

// submitFields are the fields of the form for a new post.
var submitFields = []string{"title", "link", "image", "text", "community", "nsfw", "spoiler", "flair", "tags", "crosspost", "anyway", "publish_at", "zone", "revision"}

// showSubmit is the form for a new post. The address may fill it in.
func (a *App) showSubmit(c *call) error {
	if err := c.parse(); err != nil {
		return err
	}
	f := c.typed(submitFields...)
	return a.submitPage(c, http.StatusOK, f, c.value("kind"))
}

// submitPage shows the form for a new post, in the community that the address names or one that is to be typed. kind
// is the tab that is shown first. before are posts of the same link that are there already.
func (a *App) submitPage(c *call, status int, f render.Form, kind string, before ...render.PostItem) error {
	p := render.SubmitPage{Form: c.withToken(f), Kind: kind, Autosave: "/drafts"}
	name := c.r.PathValue("community")
	if name == "" {
		name = c.value("in") // the form is shown at another address, such as that of logging in
	}
	// A form that is shown again is shown whatever fails: what was typed matters more than what surrounds it.
	again := status != http.StatusOK
	r := c.read()
	of, err := crosspostOf(c)
	if err != nil && !again {
		return err
	}
	original := a.findOriginal(c, r, of)
	var community *communities.Community
	var subscribed *[]communities.Community
	ban, flairs := &bans.Ban{}, &flair.Set{}
	if typed := cmp.Or(name, typedCommunity(c)); typed != "" {
		flairs = a.flairs.Find(r, typed)
	}
	if name != "" {
		community = a.communities.FindByName(r, name, c.viewerID())
		ban = a.bans.FindOwn(r, name, c.viewerID())
	}
	if name == "" || again { // again: there may be no community of that name, and another is to be chosen
		subscribed = a.communities.FindSubscribed(r, c.viewerID(), 100)
	}
	if err := c.run(r); err != nil && !again {
		return err
	}
	if community != nil && community.ID == 0 && !again {
		return errNoCommunity
	}
	if err := ban.Err(); err != nil && !again { // a form that can only fail is no help
		return err
	}
	if p.Original = shownAgain(original); p.Original == nil && of != 0 && status == http.StatusOK {
		return errNoOriginal
	}
	if p.Original != nil && safeMethod(c.r.Method) && f.Values["title"] == "" {
		f.Values["title"], f.Values["nsfw"], f.Values["spoiler"] = p.Original.Title, checked(original.NSFW), checked(original.Spoiler)
	}
	p.Before = before
	if community != nil && community.ID != 0 {
		v := communityView(community)
		p.Community = &v
	} else if name != "" && f.Values["community"] == "" {
		f.Values["community"] = name // to be typed again
	}
	p.Flairs = flairChoice(name, flairs, 0)
	if subscribed != nil {
		for _, s := range *subscribed {
			p.Suggestions = append(p.Suggestions, s.Name)
		}
	}
	c.inZone(&p.Form)
	p.Frame = c.frame("New post", "", "")
	p.NoIndex = true
	return show(c, status, render.Submit, p)
}

func (a *App) createPost(c *call) error {
	community := c.r.PathValue("community")
	if community == "" {
		community = typedCommunity(c)
	}
	cp, err := a.postOfForm(c, community)
	if err == nil {
		cp.Token, err = c.token()
	}
	if err != nil {
		return a.refusePost(c, err)
	}
	post, err := a.publishing.Post(c.r.Context(), *c.actor, cp)
	if err != nil {
		return a.refusePost(c, err)
	}
	return c.done(post.URL(), map[string]any{"id": post.ID, "slug": post.Slug, "permalink": post.URL()})
}

// keepDraft keeps a new draft.
func (a *App) keepDraft(c *call) error {
	c.form.Set("status", "draft")
	return a.createPost(c)
}

// typedCommunity is the community that a form names in its field.
func typedCommunity(c *call) string {
	return strings.TrimPrefix(strings.TrimSpace(c.value("community")), "c/")
}

// postOfForm reads the fields of a post, checks them and makes its HTML. Invalid.
func (a *App) postOfForm(c *call, community string) (posts.Create, error) {
	cp := posts.Create{
		Community: community, Title: c.value("title"), Text: c.value("text"), Link: c.value("link"), Image: c.value("image"),
		NSFW: c.flag("nsfw"), Spoiler: c.flag("spoiler"), Tags: c.value("tags")}
	var err error
	if cp.CrosspostOf, err = crosspostOf(c); err != nil {
		return cp, err
	}
	if cp.Flair, err = flairOfForm(c); err != nil {
		return cp, err
	}
	if err := cmp.Or(statusOfForm(c, &cp), cp.Check()); err != nil { // before the Markdown is made
		return cp, err
	}
	cp.Anyway = anyway(c, cp)
	if cp.TextHTML, err = markdown("text", cp.Text, data.PostHTMLMax); err != nil {
		return cp, err
	}
	cp.Excerpt = render.PlainExcerpt(cp.Text, posts.ExcerptLen)
	return cp, nil
}

// scheduleLayout is how a form says when a post is to be published, in UTC or in the time zone that it names.
const scheduleLayout = "2006-01-02T15:04"

// statusOfForm sets what the button that was pressed makes of a post: published, a draft, or scheduled. Invalid.
func statusOfForm(c *call, cp *posts.Create) error {
	switch c.value("status") {
	case "", "published":
	case "draft":
		cp.Status = posts.Draft
	case "scheduled":
		cp.Status = posts.Scheduled
		text := c.value("publish_at")
		at, err := time.ParseInLocation(scheduleLayout, text, people.LoadZone(c.value("zone")))
		if err == nil && at.Format(scheduleLayout) != text { // clocks are put forward then
			return &data.Error{Code: data.Invalid, Field: "publish_at", Message: "There is no such time on that day, because clocks are put forward."}
		}
		if err != nil {
			at, err = time.Parse(time.RFC3339, text)
		}
		if err != nil && text != "" {
			return &data.Error{Code: data.Invalid, Field: "publish_at", Message: "That is no day and time. They look like 2026-12-31T23:59."}
		}
		cp.PublishAt = at
	default:
		return &data.Error{Code: data.Invalid, Field: "status", Message: "The status of a post is published, draft or scheduled."}
	}
	return nil
}

// refusePost shows the form again, with what was typed and why it was refused.
func (a *App) refusePost(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) {
		return err
	}
	if data.ErrorCode(err) == data.Unauthenticated {
		return a.signInAgain(c, "post", err)
	}
	f := wrong(c.typed(submitFields...), err)
	before := c.postedBefore(err, &f)
	return a.submitPage(c, formStatus(err), f, c.value("kind"), before...)
}

// postedBefore returns the posts of the same link if err is that there are some. The form then asks whether to post
// it again, and keeps in "anyway" which link it asked about.
func (c *call) postedBefore(err error, f *render.Form) (before []render.PostItem) {
	if same := (*posts.PostedBefore)(nil); errors.As(err, &same) {
		for i := range same.Posts {
			before = append(before, c.postItem(&same.Posts[i]))
		}
		clear(f.Errors) // it is a question
		f.Values["anyway"] = cmp.Or(c.value("link"), c.value("image"), c.value("crosspost"))
	}
	return before
}

// anyway tells whether the author was asked about this link, and posts it again. After another link was typed, the
// form asks once more.
func anyway(c *call, cp posts.Create) bool {
	switch c.value("anyway") {
	case "":
		return false
	case cp.Link, cp.Image, c.value("crosspost"), "1", "true":
		return true
	}
	return false
}
