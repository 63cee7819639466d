package worker

import (
	"cmp"

	"plaza/data"
	"plaza/data/links"
	"plaza/data/people"
	"plaza/data/posts"
	"plaza/render"
	"plaza/unfurl"
)

// titleOf is a post's title, or what stands in its place when the post was removed.
func titleOf(p *posts.Post) string {
	if p.Status == "removed" {
		return "[removed by a moderator]"
	}
	return p.Title
}

// avatarOf is a member's avatar as a column keeps it.
func avatarOf(column string) render.Avatar { return render.Avatar(people.ParseAvatar(column)) }

// postItems makes the lines of a listing, as this viewer sees them.
func (c *call) postItems(posts []*posts.Post) []render.PostItem {
	items := make([]render.PostItem, len(posts))
	for i, p := range posts {
		items[i] = c.postItem(p)
	}
	c.apart(items, posts)
	return items
}

// postItem makes the line of one post, or its view on a page of its own.
func (c *call) postItem(p *posts.Post) render.PostItem {
	item := render.PostItem{
		ID: p.ID.Text(), Title: p.Title, URL: p.LinkURL(), Link: cmp.Or(p.Link, p.Image), Image: p.Image, Domain: unfurl.PlainHost(p.Domain), Kind: p.Kind, Excerpt: p.Excerpt,
		Community: p.Community, Colour: c.colour(p.Community), Author: p.Author, Avatar: avatarOf(p.AuthorAvatar), CreatedAt: p.CreatedAt,
		EditedAt: p.EditedAt, Comments: p.Comments, Views: p.Views, Locked: p.Locked, NSFW: p.NSFW, Spoiler: p.Spoiler, Warned: p.NSFW && c.choices().NSFW != people.ShowNSFW,
		Deleted: p.Status == "deleted", Pinned: p.Pinned, Tags: p.Tags,
		Votes: c.votes(p.ID, p.Ups, p.Downs, p.MyVote, c.exact(p.Community)), Saved: p.Saved, Hidden: p.Hidden, Seen: p.Seen && !c.isViewer(p.AuthorID),
	}
	if item.Flair = flairView(p.Community, p.Flair); item.Deleted {
		item.Flair = render.Flair{}
	}
	item.Votes.Closed = p.StatusAt(c.at, c.site().ArchiveAge()) != "published"
	item.CanDelete, item.Blocked = c.isViewer(p.AuthorID), c.blocks(p.AuthorID)
	item.Unpublished = p.Unpublished()
	item.CanCrosspost = c.actor != nil && (p.Status == "published" || p.Status == "archived")
	if p.Original != nil {
		item.CrosspostOf = p.Original.URL()
	}
	item.CanReport = item.CanCrosspost && !item.CanDelete
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
	if p.Status == "removed" {
		item.Removal = &render.Removal{Rule: p.Removal.Rule, Waits: p.Held == data.Waits, Hidden: p.Removal.Hidden}
		if item.Removed = !c.seesRemoved(p.AuthorID, p.Community); item.Removed {
			item.Title, item.Link, item.Image, item.Domain, item.ImageDomain, item.Excerpt, item.Preview, item.Picture = "", "", "", "", "", "", nil, false
			item.CrosspostOf, item.Flair, item.Tags = "", render.Flair{}, nil
		} else {
			item.Removal.Note = p.Removal.Note
		}
	}
	return item
}
