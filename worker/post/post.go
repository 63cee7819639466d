package post

import (
	"net/http"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/events/inbox"
	"plaza/data/lists/views"
	"plaza/locale"
	"plaza/render/markdown"
	pages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowPost shows a post with its thread, or one comment's part of it.
func (h *Handlers) ShowPost(c *request.Call) error {
	q, err := threadQuery(c)
	if err != nil {
		return err
	}
	if err := h.admitOld(c, q.Community, q.Slug); err != nil {
		return err
	}
	r := c.Read()
	community := h.Communities.FindByName(r, q.Community, c.ViewerID())
	post := h.Posts.FindBySlug(r, q.Community, q.Slug, c.ViewerID())
	thread := h.Comments.FindPage(r, q)
	watch := h.Inbox.FindWatch(r, c.ViewerID(), q.Community, q.Slug)
	visit := h.Visits.Find(r, c.ViewerID(), q.Community, q.Slug)
	unread := h.Inbox.FindUnread(r, c.ViewerID(), q.Parent)
	ban := h.Bans.FindOfMember(r, q.Community, c.ViewerID())
	flair := h.Flairs.FindMemberFlair(r, q.Community, c.ViewerID())
	if err := c.Run(r); err != nil {
		return err
	}
	if thread.Outdated(post.Comments) {
		r, q.Uncached = r.More(), true
		thread = h.Comments.FindPage(r, q)
		if err := c.RunMore(r); err != nil {
			return err
		}
	}
	h.Comments.Keep(r, thread, post.Comments)
	if post.ID == 0 || post.Unpublished() && !c.IsViewer(post.AuthorID) || view.InvisibleTo(c, post.Held, post.AuthorID, post.Community) {
		return request.ErrNoPost
	}
	if q.Parent != 0 && (thread.Top == nil || view.InvisibleTo(c, thread.Top.Held, thread.Top.AuthorID, post.Community)) {
		return &data.Error{Code: data.NotFound, Message: "There is no such comment here. It may have been deleted."}
	}
	if q.Parent != 0 {
		h.RememberFrom(c, q.Parent)
	} else {
		h.RememberFrom(c, post.ID)
	}
	v := newThreadView(c, post, thread, q, h.Now(c))
	v.since = visit.Since(h.Source.Now())
	if c.Fragment() && q.Parent == 0 && q.After.IsZero() { // the thread is shown below another post about the same link
		comments, more := v.topFragment()
		return c.Page(http.StatusOK, ui.MoreFragment(comments, more))
	}
	if v.fragment() {
		comments, more := v.firstLevel()
		return c.Page(http.StatusOK, ui.MoreFragment(comments, more))
	}
	switch {
	case *unread:
		c.Viewer.Unread = max(c.Viewer.Unread-1, 0) // the header of this page does not count it
		h.MarkSeen(c, q.Parent)
	case post.Unpublished(): // an entry may say that it was not published at its time
		h.MarkSeenPost(c, inbox.SyntheticSubject(post.ID, post.CreatedAt), false)
	case q.Parent == 0: // an entry may be about this post, whose id was not known for the first read
		h.MarkSeenPost(c, post.ID, view.Mentions(c, post))
	}
	if at := h.Source.Now(); c.Actor != nil && q.Parent == 0 && q.After.IsZero() && visit.Stale(at) {
		h.NoteVisit(c, post.ID, at)
	}
	p := h.postPage(c, community, v)
	if post.Status == "published" && !c.IsViewer(post.AuthorID) {
		subject := views.Subject{Post: post.ID}
		p.View = h.ViewMark(c, subject)
		if views.Week(visit.Seen()) != views.Week(c.At) {
			h.NoteView(c, subject)
		}
	}
	p.FirstNew, p.New = linkNext(p.Comments)
	p.Community.OwnFlair = view.OwnFlair(q.Community, flair)
	p.Watch.State = string(*watch)
	if ban.Kind != "" {
		p.Banned = &ui.Banned{Says: ban.Text(), URL: ban.URL()}
	}
	return request.Show(c, http.StatusOK, pages.PostView, p)
}

// admitOld refuses the thread of an old post to visitors who get only cached pages. It first reads the post's time, which takes two rows,
// because the thread would take a thousand.
func (h *Handlers) admitOld(c *request.Call, community, slug string) error {
	if !c.GetsCachedOnly() {
		return nil
	}
	r := h.DB.Read()
	created := h.Posts.FindCreated(r, community, slug)
	if err := r.Run(c.R.Context()); err != nil || created.IsZero() {
		return err
	}
	return c.RefuseOld(*created)
}

var errRemoved = &data.Error{Code: data.NotFound, Message: "This post was removed by the moderators, or deleted by its author."}

// ShowPostByID redirects from the id of a post to its page, or to one comment's part of it. The address of a removed or deleted post has
// its title, so only its author, the moderators and the author of the comment are redirected.
func (h *Handlers) ShowPostByID(c *request.Call) error {
	id, err := data.ParseID(c.R.PathValue("post"))
	if err != nil || id.IsComment() {
		return request.ErrNoPost
	}
	commentID, err := request.OptionalID(c.R.PathValue("comment"))
	if err != nil {
		return request.ErrNoPost
	}
	r := c.Read()
	post, comment := h.Posts.FindByID(r, id, c.ViewerID()), &comments.Comment{}
	if commentID != 0 {
		comment = h.Comments.FindByID(r, commentID, c.ViewerID())
	}
	if err := c.Run(r); err != nil {
		return err
	}
	gone := post.Status == "removed" || post.Status == "deleted"
	switch {
	case post.ID == 0 || post.Unpublished() && !c.IsViewer(post.AuthorID) || view.InvisibleTo(c, post.Held, post.AuthorID, post.Community):
		return request.ErrNoPost
	case gone && !view.SeesRemoved(c, post.AuthorID, post.Community) && (comment.PostID != post.ID || !c.IsViewer(comment.AuthorID)):
		return errRemoved
	}
	if err := c.RefuseOld(post.CreatedAt); err != nil {
		return err
	}
	address := post.URL()
	if commentID != 0 {
		address += "/" + commentID.Text()
	}
	c.W.Header().Set("Location", c.Address(address))
	c.W.WriteHeader(http.StatusFound)
	return nil
}

// postPage returns the view model of a post and its thread.
func (h *Handlers) postPage(c *request.Call, community *communities.Community, v *threadView) pages.PostPage {
	post := v.post
	p := pages.PostPage{
		Frame:     c.PublicFrame(view.TitleText(post), about(post), post.URL()),
		Community: view.CommunityView(community), Post: view.PostItem(c, post), TextHTML: view.ShownText(post.TextHTML, post.TextPlain),
		Total:    max(post.Comments, int64(v.thread.Len())),
		Reply:    ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}},
		CanReply: post.StatusAt(c.At, c.Site().ArchiveAge()) == "published" && !post.Locked,
		Archived: post.StatusAt(c.At, c.Site().ArchiveAge()) == "archived",
		Watch:    ui.Watch{Target: post.ID.Text()},
	}
	p.Post.URL = post.URL()
	p.Post.Comments, p.Post.Seen = p.Total, c.Actor != nil && !c.IsViewer(post.AuthorID) // now, on this page
	p.Post.Mod = view.Moderating(c, post)
	if !p.Post.Removed {
		p.Post.Original = originalView(post.Original)
	}
	p.Post.Others, p.Post.OthersURL = h.othersView(post)
	switch post.Status {
	case "published", "archived":
		p.AutoReply = markdown.HTML(post.AutoReply)
		p.FeedURL = post.URL() + request.AtomEnding + "?sort=new"
		p.Picture, p.Posting = h.pictureOf(post), &ui.Posting{At: post.CreatedAt, EmbedURL: h.embedURL(post)}
	case "draft", "scheduled":
		p.Picture = ui.Picture{}
		p.NoIndex, p.Draft = true, &pages.Draft{PublishAt: post.PublishAt}
	default:
		p.NoIndex, p.Description, p.Picture = true, "", ui.Picture{}
		if p.Post.Removal == nil || p.Post.Removed {
			p.TextHTML = ""
		}
	}
	if post.Spoiler || post.NSFW {
		p.Description = "" // other sites show it in their link previews, without a click
	}
	if c.Actor != nil && p.CanReply {
		p.Reply = c.WithToken(p.Reply)
		if set := c.Site(); pictures.Strictest(set.Uploads, set.CommentPictures, community.CommentPictures) != pictures.ByNobody {
			p.Pictures = h.CommentField(c, nil, post.ID.Text())
		}
	}
	v.fill(&p)
	if p.Map = v.threadMap(); p.Map != nil && p.Map.More == nil {
		p.Map.More = p.More
	}
	if m := v.thread.Top; m != nil && hasCard(m, post) {
		p.Picture = h.CardOf(m.ID.Text())
	}
	if p.Permalink || p.Later {
		p.NoIndex = true // search engines are to find the whole thread
	}
	return p
}

// about describes a post in one sentence: by the beginning of its text, or else by its author and community.
func about(post *posts.Post) locale.Text {
	switch {
	case post.Excerpt != "":
		return locale.Verbatim(post.Excerpt)
	case data.IsProfile(post.Community):
		return locale.With("A post by {}.", post.Author)
	case post.Author == "":
		return locale.With("A post in c/{}.", post.Community)
	}
	return locale.With("A post by {} in c/{}.", post.Author, post.Community)
}
