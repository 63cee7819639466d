package worker

import (
	"cmp"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/links"
	"plaza/data/posts"
	"plaza/data/threads"
	"plaza/render"
	"plaza/unfurl"
)

// titleOf is a post's title as far as it may be read.
func titleOf(p *posts.Post) string {
	if p.Status == "removed" {
		return "[removed by a moderator]"
	}
	return p.Title
}

// postItems turns posts into lines of a listing, as this viewer sees them.
func (c *call) postItems(posts []*posts.Post) []render.PostItem {
	items := make([]render.PostItem, len(posts))
	for i, p := range posts {
		items[i] = c.postItem(p)
	}
	c.apart(items, posts)
	return items
}

func (c *call) postItem(p *posts.Post) render.PostItem {
	item := render.PostItem{
		ID: p.ID.Text(), Title: p.Title, URL: p.URL(), Link: cmp.Or(p.Link, p.Image), Image: p.Image, Domain: unfurl.PlainHost(p.Domain), Kind: p.Kind, Excerpt: p.Excerpt,
		Community: p.Community, Colour: c.colour(p.Community), Author: p.Author, CreatedAt: p.CreatedAt,
		EditedAt: p.EditedAt, Comments: p.Comments, Locked: p.Locked, NSFW: p.NSFW, Spoiler: p.Spoiler,
		Deleted: p.Status == "deleted", Removed: p.Status == "removed",
		Votes: c.votes(p.ID, p.Ups, p.Downs, p.MyVote, c.exact(p.Community)), Saved: p.Saved, Hidden: p.Hidden,
	}
	item.Votes.Closed = p.Status != "published"
	item.CanDelete = c.isViewer(p.AuthorID)
	item.Unpublished = p.Unpublished()
	item.CanCrosspost = c.actor != nil && (p.Status == "published" || p.Status == "archived")
	if p.Original != nil {
		item.CrosspostOf = p.Original.URL()
	}
	item.CanEdit = item.CanDelete && p.Status == "published" && !p.Locked
	if p.Preview != (links.Preview{}) {
		item.Preview = &render.LinkPreview{Title: p.Preview.Title, Description: p.Preview.Description, Site: p.Preview.Site}
	}
	item.Picture = !p.Unpublished() && (p.Image != "" || p.Preview.Image != "")
	if p.Image != "" {
		item.ImageDomain, item.ImageWidth, item.ImageHeight = item.Domain, p.ImageWidth, p.ImageHeight
		if p.Link != "" {
			item.ImageDomain = unfurl.PlainHost(posts.Domain(p.Image))
		}
	}
	return item
}

func (c *call) isViewer(author data.ID) bool { return author != 0 && author == c.viewerID() }

// commentView is a comment without its replies. post may lack all but its address
// and author.
func (c *call) commentView(m *threads.Comment, post *posts.Post) *render.Comment {
	v := &render.Comment{PostURL: post.URL()}
	c.viewComment(v, m, post)
	return v
}

// viewComment is commentView into what has its post's address already.
func (c *call) viewComment(v *render.Comment, m *threads.Comment, post *posts.Post) {
	*v = render.Comment{
		ID: m.ID.Text(), PostURL: v.PostURL, Author: m.Author,
		IsOP: m.AuthorID != 0 && m.AuthorID == post.AuthorID, IsViewer: c.isViewer(m.AuthorID),
		BodyHTML: shownText(m.BodyHTML, m.BodyPlain), CreatedAt: m.CreatedAt, EditedAt: m.EditedAt,
		Deleted: m.Status == "deleted", Removed: m.Status == "removed", Descendants: m.Descendants,
		CanReply: m.Status == "published" && post.Status == "published" && !post.Locked && m.Depth < threads.DepthMax-1,
	}
	v.Votes = c.votes(m.ID, m.Ups, m.Downs, m.MyVote, c.exact(post.Community))
	v.Votes.Closed = m.Status != "published" || post.Status == "removed" || post.Status == "deleted"
	v.Saved = m.Saved
	v.CanDelete = v.IsViewer
	v.CanSave = c.actor != nil && m.Status == "published"
	v.CanEdit = v.IsViewer && m.Status == "published" && post.Status == "published" && !post.Locked
}

func communityView(m *communities.Community) render.Community {
	var rules []render.Rule
	for _, r := range m.Rules {
		rules = append(rules, render.Rule(r))
	}
	return render.Community{
		Name: m.Name, Title: m.Title, Description: m.Description, SidebarHTML: shownText(m.SidebarHTML, m.SidebarPlain),
		Members: m.Members, NewMembers: m.Growth, Posts: m.Posts, NewPosts: m.WeekPosts, Colour: m.Colour, CreatedAt: m.CreatedAt,
		Rules: rules, Subscribed: m.Subscribed, Moderator: m.Moderator, Moderators: m.Moderators,
	}
}
