package worker

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/posts"
	"plaza/render"
)

var errNoPost = &data.Error{Code: data.NotFound, Message: "There is no such post here. It may have been moved or deleted."}

// showPost shows a post with its thread, or one comment's part of it.
func (a *App) showPost(c *call) error {
	q, err := c.threadQuery()
	if err != nil {
		return err
	}
	shard, err := a.DB.ShardOf(c.r.Context(), q.Community)
	if err != nil {
		return err
	}
	r := c.read(a)
	community := a.communities.FindByName(r, shard, q.Community, c.viewerID())
	post := a.posts.FindBySlug(r, q.Community, q.Slug, c.viewerID())
	thread := a.comments.FindThread(r, shard, q)
	if err := c.run(r); err != nil {
		return err
	}
	if post.ID == 0 || post.Unpublished() && !c.isViewer(post.AuthorID) {
		return errNoPost
	}
	if q.Parent != 0 && thread.Top == nil {
		return &data.Error{Code: data.NotFound, Message: "There is no such comment here. It may have been deleted."}
	}
	if q.Parent != 0 {
		a.rememberFrom(c, q.Parent)
	} else {
		a.rememberFrom(c, post.ID)
	}
	v := newThreadView(c, post, thread, q, a.Source.Now())
	if v.fragment() {
		comments, more := v.firstLevel()
		return c.page(http.StatusOK, render.MoreFragment(comments, more))
	}
	return show(c, http.StatusOK, render.PostView, a.postPage(c, community, v))
}

func (a *App) postPage(c *call, community *communities.Community, v *threadView) render.PostPage {
	post := v.post
	p := render.PostPage{
		Frame:     c.frame(a, titleOf(post), post.Excerpt, post.URL()),
		Community: communityView(community), Post: c.postItem(post), TextHTML: shownText(post.TextHTML, post.TextPlain),
		Total:    max(post.Comments, int64(v.thread.Len())),
		Reply:    render.Form{Values: map[string]string{}, Errors: map[string]string{}},
		CanReply: post.Status == "published" && !post.Locked,
	}
	p.Post.Comments = p.Total
	p.Post.Original = originalView(post.Original)
	p.Post.Others, p.Post.OthersURL = a.othersView(post)
	switch post.Status {
	case "published", "archived":
	case "draft", "scheduled":
		p.NoIndex, p.Draft = true, &render.Draft{PublishAt: post.PublishAt}
	default:
		p.NoIndex, p.TextHTML, p.Description = true, "", ""
	}
	if post.Spoiler || post.NSFW {
		p.Description = "" // previews elsewhere show it without a click
	}
	if c.actor != nil && p.CanReply {
		p.Reply = c.withToken(p.Reply)
	}
	v.fill(&p)
	if p.Permalink || p.Later {
		p.NoIndex = true // the thread is the page to find
	}
	return p
}

// submitFields are the fields of the form for a new post.
var submitFields = []string{"title", "link", "image", "text", "community", "nsfw", "spoiler", "crosspost", "anyway", "publish_at", "revision"}

func (a *App) showSubmit(c *call) error {
	if err := c.parse(); err != nil {
		return err
	}
	f := c.typed(submitFields...)
	return a.submitPage(c, http.StatusOK, f, c.value("kind"))
}

// submitPage is the form, for a community that the address names or one to be typed.
// before are posts of the same link that are there already.
func (a *App) submitPage(c *call, status int, f render.Form, kind string, before ...render.PostItem) error {
	p := render.SubmitPage{Form: c.withToken(f), Kind: kind}
	name := c.r.PathValue("community")
	if name == "" {
		name = c.value("in") // at another address than the form's own
	}
	// A form that is shown again survives anything: what was typed matters more than
	// the community's colour.
	again := status != http.StatusOK
	r := c.read(a)
	of, err := crosspostOf(c)
	if err != nil && !again {
		return err
	}
	original := a.findOriginal(c, r, of)
	var community *communities.Community
	var subscribed *[]communities.Community
	if name != "" {
		shard, err := a.DB.ShardOf(c.r.Context(), name)
		if err != nil && !again {
			return err
		}
		if err == nil {
			community = a.communities.FindByName(r, shard, name, c.viewerID())
		}
	}
	if name == "" || again { // there may be no community of that name
		subscribed = a.communities.FindSubscribed(r, c.viewerID(), 100)
	}
	if err := c.run(r); err != nil && !again {
		return err
	}
	if community != nil && community.ID == 0 && !again {
		return errNoCommunity
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
	if subscribed != nil {
		for _, s := range *subscribed {
			p.Suggestions = append(p.Suggestions, s.Name)
		}
	}
	p.Frame = c.frame(a, "New post", "", "")
	p.NoIndex = true
	return show(c, status, render.Submit, p)
}

func (a *App) createPost(c *call) error {
	community := c.r.PathValue("community")
	if community == "" {
		community = strings.TrimPrefix(strings.TrimSpace(c.value("community")), "c/")
	}
	cp, err := a.postOfForm(c, community)
	if err == nil {
		cp.Token, err = c.token()
	}
	if err != nil {
		return a.refusePost(c, err)
	}
	post, err := a.posts.Create(c.r.Context(), *c.actor, cp)
	if err != nil {
		return a.refusePost(c, err)
	}
	if cp.Status == posts.Published {
		a.published(c, post.ID, cp.Link != "")
	}
	return c.done(post.URL(), map[string]any{"id": post.ID, "slug": post.Slug, "permalink": post.URL()})
}

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

// postedBefore are the posts of the same link that an error tells of, if it does; the form
// then says which link was asked about.
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

// anyway tells that the author was told that the link was posted before. The form says
// which link it was, so that another one is asked about again.
func anyway(c *call, cp posts.Create) bool {
	switch c.value("anyway") {
	case "":
		return false
	case cp.Link, cp.Image, c.value("crosspost"), "1", "true":
		return true
	}
	return false
}
