package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/inbox"
	"plaza/data/threads"
	"plaza/data/views"
	"plaza/render"
)

// showPost shows a post with its thread, or one comment's part of it.
func (a *App) showPost(c *call) error {
	q, err := c.threadQuery()
	if err != nil {
		return err
	}
	r := c.read()
	community := a.communities.FindByName(r, q.Community, c.viewerID())
	post := a.posts.FindBySlug(r, q.Community, q.Slug, c.viewerID())
	thread := a.comments.FindPage(r, q)
	watch := a.inbox.FindWatch(r, c.viewerID(), q.Community, q.Slug)
	visit := a.visits.Find(r, c.viewerID(), q.Community, q.Slug)
	told := a.inbox.FindUnread(r, c.viewerID(), q.Parent)
	ban := a.bans.FindOwn(r, q.Community, c.viewerID())
	if err := c.run(r); err != nil {
		return err
	}
	if post.ID == 0 || post.Unpublished() && !c.isViewer(post.AuthorID) || c.hiddenFrom(post.Held, post.AuthorID, post.Community) {
		return errNoPost
	}
	if q.Parent != 0 && (thread.Top == nil || c.hiddenFrom(thread.Top.Held, thread.Top.AuthorID, post.Community)) {
		return &data.Error{Code: data.NotFound, Message: "There is no such comment here. It may have been deleted."}
	}
	if q.Parent != 0 {
		a.rememberFrom(c, q.Parent)
	} else {
		a.rememberFrom(c, post.ID)
	}
	v := newThreadView(c, post, thread, q, a.now(c))
	v.since = visit.Since(a.Source.Now())
	if v.fragment() {
		comments, more := v.firstLevel()
		return c.page(http.StatusOK, render.MoreFragment(comments, more))
	}
	switch {
	case *told:
		c.viewer.Unread = max(c.viewer.Unread-1, 0) // of this page, which shows it
		a.markSeen(c, q.Parent)
	case post.Unpublished() && c.viewer != nil && c.viewer.Unread > 0: // perhaps of that it was not published when its time came
		a.markSeenPost(c, inbox.StandIn(post.ID, post.CreatedAt))
	case q.Parent == 0 && c.viewer != nil && c.viewer.Unread > 0: // perhaps of this post, whose id the directory was not asked for
		a.markSeenPost(c, post.ID)
	}
	if at := a.Source.Now(); c.actor != nil && q.Parent == 0 && q.After.IsZero() && visit.Stale(at) {
		a.noteVisit(c, post.ID, at)
	}
	p := a.postPage(c, community, v)
	if post.Status == "published" && !c.isViewer(post.AuthorID) {
		look := views.Subject{Post: post.ID}
		p.View = a.viewMark(c, look)
		if views.Week(visit.Seen()) != views.Week(c.at) {
			a.noteView(c, look)
		}
	}
	p.FirstNew, p.New = leadOn(p.Comments)
	p.Watch.State = string(*watch)
	if ban.Kind != "" {
		p.Banned = &render.Banned{Says: ban.Say()}
	}
	return show(c, http.StatusOK, render.PostView, p)
}

var errTakenAway = &data.Error{Code: data.NotFound, Message: "This post was removed by the moderators, or deleted by its author."}

// showPostByID leads from the id of a post to its page, or to one comment's part of it. The title in the address of a removed or deleted
// post is only for those who may know it: its author, the moderators, and who wrote the comment.
func (a *App) showPostByID(c *call) error {
	id, err := data.ParseID(c.r.PathValue("post"))
	if err != nil || id.IsComment() {
		return errNoPost
	}
	below, err := optionalID(c.r.PathValue("comment"))
	if err != nil {
		return errNoPost
	}
	r := c.read()
	post, comment := a.posts.FindByID(r, id, c.viewerID()), &threads.Comment{}
	if below != 0 {
		comment = a.comments.FindByID(r, below, c.viewerID())
	}
	if err := c.run(r); err != nil {
		return err
	}
	taken := post.Status == "removed" || post.Status == "deleted"
	switch {
	case post.ID == 0 || post.Unpublished() && !c.isViewer(post.AuthorID) || c.hiddenFrom(post.Held, post.AuthorID, post.Community):
		return errNoPost
	case taken && !c.seesRemoved(post.AuthorID, post.Community) && (comment.PostID != post.ID || !c.isViewer(comment.AuthorID)):
		return errTakenAway
	}
	address := post.URL()
	if below != 0 {
		address += "/" + below.Text()
	}
	c.w.Header().Set("Location", c.address(address))
	c.w.WriteHeader(http.StatusFound)
	return nil
}

// postPage makes the view of a post and its thread.
func (a *App) postPage(c *call, community *communities.Community, v *threadView) render.PostPage {
	post := v.post
	p := render.PostPage{
		Frame:     c.frame(titleOf(post), post.Excerpt, post.URL()),
		Community: communityView(community), Post: c.postItem(post), TextHTML: shownText(post.TextHTML, post.TextPlain),
		Total:    max(post.Comments, int64(v.thread.Len())),
		Reply:    render.Form{Values: map[string]string{}, Errors: map[string]string{}},
		CanReply: post.StatusAt(c.at, c.site().ArchiveAge()) == "published" && !post.Locked, Archived: post.StatusAt(c.at, c.site().ArchiveAge()) == "archived",
		Watch: render.Watch{Target: post.ID.Text()},
	}
	p.Post.URL = post.URL()
	p.Post.Comments, p.Post.Seen = p.Total, c.actor != nil && !c.isViewer(post.AuthorID) // by this page
	p.Post.Mod = c.moderating(post)
	if !p.Post.Removed {
		p.Post.Original = originalView(post.Original)
	}
	p.Post.Others, p.Post.OthersURL = a.othersView(post)
	switch post.Status {
	case "published", "archived":
		p.Answer = render.HTML(post.Answer)
		p.FeedURL = post.URL() + atomEnding + "?sort=new"
		p.Picture, p.Posting = a.pictureOf(post), &render.Posting{At: post.CreatedAt, EmbedURL: a.embedURL(post)}
	case "draft", "scheduled":
		p.Picture = render.Picture{}
		p.NoIndex, p.Draft = true, &render.Draft{PublishAt: post.PublishAt}
	default:
		p.NoIndex, p.Description, p.Picture = true, "", render.Picture{}
		if p.Post.Removal == nil || p.Post.Removed {
			p.TextHTML = ""
		}
	}
	if post.Spoiler || post.NSFW {
		p.Description = "" // other sites show it in their link previews, without a click
	}
	if c.actor != nil && p.CanReply {
		p.Reply = c.withToken(p.Reply)
	}
	v.fill(&p)
	if p.Permalink || p.Later {
		p.NoIndex = true // search engines are to find the whole thread
	}
	return p
}
