package post

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/communities"
	"plaza/data/content/flair"
	"plaza/data/content/posts"
	"plaza/data/rights/bans"
	"plaza/render/markdown"
	pages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// submitFields are the fields of the form for a new post.
var submitFields = append([]string{"title", "link", "image", "text", "community", "nsfw", "spoiler", "flair", "tags", "crosspost", "anyway",
	"publish_at", "zone", "revision", "pictures"}, view.PictureFields...)

// ShowSubmit is the form for a new post. The address may fill it in.
func (h *Handlers) ShowSubmit(c *request.Call) error {
	if err := c.Parse(); err != nil {
		return err
	}
	f := c.Typed(submitFields...)
	fillShared(f.Values, strings.TrimSpace(c.Value("shared")))
	return h.submitPage(c, http.StatusOK, f, c.Value("kind"))
}

// fillShared fills the form with the text that another app shares (ShowManifest in worker/admin). Many apps put the address of a page at
// its end, and what precedes it may be the title.
func fillShared(values map[string]string, text string) {
	last := text[strings.LastIndexAny(text, " \t\n")+1:]
	if values["link"] == "" && last != "" && data.CheckAddress("link", "link", last) == nil {
		values["link"], text = last, strings.TrimSpace(strings.TrimSuffix(text, last))
		if values["title"] == "" && !strings.Contains(text, "\n") && posts.CheckTitle(text) == nil {
			values["title"] = text
		}
	}
	if text != "" && text != values["title"] {
		values["text"] = text
	}
}

// submitPage shows the form for a new post, in the community that the address names or one that is to be typed. kind
// is the tab that is shown first. before are earlier posts of the same link.
func (h *Handlers) submitPage(c *request.Call, status int, f ui.Form, kind string, before ...ui.PostItem) error {
	p := pages.SubmitPage{Form: c.WithToken(f), Kind: kind, Autosave: "/drafts"}
	name := c.R.PathValue("community")
	if name == "" {
		name = c.Value("in") // the form is shown at another address, such as /login
	}
	// A refused form is shown again whatever else fails, because what was typed must not be lost.
	again := status != http.StatusOK
	r := c.Read()
	originalID, err := crosspostOf(c)
	if err != nil && !again {
		return err
	}
	original := h.findOriginal(c, r, originalID)
	var community *communities.Community
	var subscribed *[]communities.Community
	ban, flairs := &bans.Ban{}, &flair.Set{}
	if typed := cmp.Or(name, typedCommunity(c)); typed != "" {
		flairs = h.Flairs.Find(r, typed)
	}
	if name != "" {
		community = h.Communities.FindByName(r, name, c.ViewerID())
		ban = h.Bans.FindOfMember(r, name, c.ViewerID())
	}
	uploads := h.findUploads(c, r)
	if name == "" || again { // again: there may be no community of that name, and another is to be chosen
		subscribed = h.Communities.FindSubscribed(r, c.ViewerID(), 100)
	}
	if err := c.Run(r); err != nil && !again {
		return err
	}
	if community != nil && community.ID == 0 && !again {
		return request.ErrNoCommunity
	}
	if err := ban.Err(); err != nil && !again { // no form, if sending it would fail
		return err
	}
	if p.Original = originalOf(original); p.Original == nil && originalID != 0 && status == http.StatusOK {
		return errNoOriginal
	}
	if p.Original != nil && request.SafeMethod(c.R.Method) && f.Values["title"] == "" {
		f.Values["title"], f.Values["nsfw"], f.Values["spoiler"] = p.Original.Title, request.Checked(original.NSFW),
			request.Checked(original.Spoiler)
	}
	p.Before, p.Pictures = before, h.pictureField(uploads, originalID != 0)
	if community != nil && community.ID != 0 {
		v := view.CommunityView(community)
		p.Community = &v
	} else if name != "" && f.Values["community"] == "" {
		f.Values["community"] = name // to be typed again
	}
	p.Flairs = view.FlairChoice(name, flairs, 0)
	if subscribed != nil {
		for _, s := range *subscribed {
			p.Suggestions = append(p.Suggestions, s.Name)
		}
	}
	inZone(c, &p.Form)
	p.Frame = c.Frame("New post")
	return request.Show(c, status, pages.Submit, p)
}

func (h *Handlers) CreatePost(c *request.Call) error {
	community := c.R.PathValue("community")
	if community == "" {
		community = typedCommunity(c)
	}
	cp, err := h.postOfForm(c, community)
	if err == nil {
		cp.Token, err = c.Token()
	}
	if err != nil {
		return h.RefusePost(c, err)
	}
	post, err := h.Publishing.Post(c.R.Context(), *c.Actor, cp)
	if err != nil {
		return h.RefusePost(c, err)
	}
	return c.Done(post.URL(), map[string]any{"id": post.ID, "slug": post.Slug, "permalink": post.URL()})
}

// KeepDraft stores a new draft.
func (h *Handlers) KeepDraft(c *request.Call) error {
	c.Form.Set("status", "draft")
	return h.CreatePost(c)
}

// typedCommunity is the community that a form names in its field.
func typedCommunity(c *request.Call) string {
	return strings.TrimPrefix(strings.TrimSpace(c.Value("community")), "c/")
}

// postOfForm reads the fields of a post, checks them and renders its HTML. Invalid.
func (h *Handlers) postOfForm(c *request.Call, community string) (posts.Create, error) {
	cp := posts.Create{
		Community: community, Title: c.Value("title"), Text: c.Value("text"), Link: c.Value("link"), Image: c.Value("image"),
		NSFW: c.Flag("nsfw"), Spoiler: c.Flag("spoiler"), Tags: c.Value("tags")}
	var picturesErr error
	cp.Chosen, picturesErr = h.PicturesOfForm(c)
	var err error
	if cp.CrosspostOf, err = crosspostOf(c); err != nil {
		return cp, err
	}
	if cp.Flair, err = view.FlairOfForm(c); err != nil {
		return cp, err
	}
	if err := cmp.Or(statusOfForm(c, &cp), pictureMistakes(picturesErr, cp.Check())); err != nil { // before the Markdown is rendered
		return cp, err
	}
	cp.AllowRepost = anyway(c, cp)
	if cp.TextHTML, err = view.Markdown("text", cp.Text, data.PostHTMLMax); err != nil {
		return cp, err
	}
	cp.Excerpt = markdown.PlainExcerpt(cp.Text, posts.ExcerptLen)
	return cp, nil
}

// scheduleLayout is how a form says when a post is to be published, in UTC or in the time zone that it names.
const scheduleLayout = "2006-01-02T15:04"

// statusOfForm sets the status of a post by the button that was pressed: published, draft or scheduled. Invalid.
func statusOfForm(c *request.Call, cp *posts.Create) error {
	zone := "UTC"
	if name := c.Value("zone"); name != "" {
		var err error
		if zone, err = accounts.ParseZone(name); err != nil {
			return err
		}
	}
	switch c.Value("status") {
	case "", "published":
	case "draft":
		cp.Status = posts.Draft
	case "scheduled":
		cp.Status = posts.Scheduled
		text := c.Value("publish_at")
		at, err := time.ParseInLocation(scheduleLayout, text, accounts.LoadZone(zone))
		if err == nil && at.Format(scheduleLayout) != text { // no such local time
			return &data.Error{Code: data.Invalid, Field: "publish_at",
				Message: "There is no such time on that day, because clocks are put forward."}
		}
		if err != nil {
			at, err = time.Parse(time.RFC3339, text)
		}
		if err != nil && text != "" {
			return &data.Error{Code: data.Invalid, Field: "publish_at", Message: "That is not a day and time, such as 2026-12-31T23:59."}
		}
		cp.PublishAt = at
	default:
		return &data.Error{Code: data.Invalid, Field: "status", Message: "The status of a post is published, draft or scheduled."}
	}
	return nil
}

// RefusePost shows the form again, with what was typed and why it was refused.
func (h *Handlers) RefusePost(c *request.Call, err error) error {
	return request.RefuseOrSignIn(c, err, "post", func(c *request.Call, status int, f ui.Form) error {
		before := postedBefore(c, err, &f)
		return h.submitPage(c, status, f, c.Value("kind"), before...)
	}, submitFields)
}

// postedBefore returns earlier posts of the same link if err has some. The form then asks whether to post it again, and
// keeps in "anyway" which link it asked about.
func postedBefore(c *request.Call, err error, f *ui.Form) (before []ui.PostItem) {
	if same := (*posts.PostedBefore)(nil); errors.As(err, &same) {
		for i := range same.Posts {
			before = append(before, view.PostItem(c, &same.Posts[i]))
		}
		clear(f.Errors) // the form asks instead
		f.Values["anyway"] = cmp.Or(c.Value("link"), c.Value("image"), c.Value("crosspost"))
	}
	return before
}

// anyway reports whether the author was asked about this link, and posts it again. After another link was typed, the
// form asks once more.
func anyway(c *request.Call, cp posts.Create) bool {
	switch c.Value("anyway") {
	case "":
		return false
	case cp.Link, cp.Image, c.Value("crosspost"), "1", "true":
		return true
	}
	return false
}
