package view

import (
	"cmp"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/links"
	stored "plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/locale"
	"plaza/protocol/weburl"
	"plaza/render/ui"
	"plaza/worker/decision"
	"plaza/worker/pictures"
	"plaza/worker/request"
)

// TitleText returns a post's title, or a text instead of it if the post was removed.
func TitleText(p *posts.Post) locale.Text {
	if p.Status == "removed" {
		return "[removed by a moderator]"
	}
	return locale.Verbatim(p.Title)
}

// TitleOf is TitleText as databases store it. Pages translate it (ui.DisplayName).
func TitleOf(p *posts.Post) string { return TitleText(p).String() }

// AvatarOf parses a member's avatar as a column stores it.
func AvatarOf(column string) ui.Avatar { return ui.Avatar(accounts.ParseAvatar(column)) }

// PostItems makes the lines of a listing, as this viewer sees them.
func PostItems(c *request.Call, posts []*posts.Post) []ui.PostItem {
	items := make([]ui.PostItem, len(posts))
	for i, p := range posts {
		items[i] = PostItem(c, p)
	}
	return items
}

// PostItem makes the line of one post, or its view on a page of its own.
func PostItem(c *request.Call, p *posts.Post) ui.PostItem {
	item := ui.PostItem{
		ID: p.ID.Text(), Title: p.Title, URL: p.LinkURL(), Link: cmp.Or(p.Link, p.Image), Image: p.Image, Domain: p.Domain,
		Kind: p.Kind, Excerpt: p.Excerpt,
		Community: p.Community, Colour: c.Colour(p.Community), Author: p.Author, Avatar: AvatarOf(p.AuthorAvatar),
		AuthorFlair: MemberFlair(p.AuthorFlair),
		CreatedAt:   p.CreatedAt,
		EditedAt:    p.EditedAt, Comments: p.Comments, LastCommentAt: p.LastCommentAt, Views: p.Views,
		Locked: p.Locked, NSFW: p.NSFW, Spoiler: p.Spoiler, Warned: p.NSFW &&
			c.Choices().NSFW != accounts.ShowNSFW,
		Deleted: p.Status == "deleted", Pinned: p.Pinned, Tags: p.Tags,
		Votes: c.Votes(p.ID, p.Ups, p.Downs, p.MyVote, c.Exact(p.Community)), Saved: p.Saved, Hidden: p.Hidden, Seen: p.Seen &&
			!c.IsViewer(p.AuthorID),
	}
	if item.Flair = FlairView(p.Community, p.Flair); item.Deleted {
		item.Flair = ui.Flair{}
	}
	item.Votes.Titled = true
	item.Votes.Closed = p.StatusAt(c.At, c.Site().ArchiveAge()) != "published"
	item.CanDelete, item.Blocked = c.IsViewer(p.AuthorID), c.Blocks(p.AuthorID)
	item.Unpublished = p.Unpublished()
	item.CanCrosspost = c.Actor != nil && (p.Status == "published" || p.Status == "archived")
	if p.Original != nil {
		item.CrosspostOf = p.Original.URL()
	}
	item.CanReport = item.CanCrosspost && !item.CanDelete
	item.CanEdit = item.CanDelete && p.Status == "published" && !p.Locked
	if p.Preview != (links.Preview{}) {
		item.Preview = &ui.LinkPreview{Title: p.Preview.Title, Description: p.Preview.Description, Site: p.Preview.Site}
	}
	item.Picture = !p.Unpublished() && (p.Image != "" || p.Preview.Image != "")
	item.Pictures = PostPictures(p.Pictures)
	switch {
	case len(item.Pictures) > 0 && item.Pictures[0].Small:
		item.ThumbURL = item.Pictures[0].SmallURL
	case item.Picture:
		item.ThumbURL = pictures.SmallElsewhere + item.ID
	}
	if p.Image != "" {
		item.ImageDomain, item.ImageWidth, item.ImageHeight = item.Domain, p.ImageWidth, p.ImageHeight
		if p.Link != "" {
			item.ImageDomain = weburl.Domain(p.Image)
		}
	}
	if p.Status == "removed" {
		item.Removal = &ui.Removal{Rule: p.Removal.Rule, Held: p.Held == data.Held, HeldAfterReports: p.Removal.Held}
		if item.Removed = !SeesRemoved(c, p.AuthorID, p.Community); item.Removed {
			item.Title, item.Link, item.Image, item.Domain, item.ImageDomain, item.Excerpt, item.Preview, item.Picture = "", "", "", "", "", "", nil,
				false
			item.CrosspostOf, item.Flair, item.Tags, item.Pictures, item.ThumbURL = "", ui.Flair{}, nil, nil, ""
		} else {
			item.Removal.Note, item.Removal.DecisionURL = p.Removal.Note, decision.URL(&p.Removal, c.IsViewer(p.AuthorID), p.Held,
				p.Community, p.ID)
		}
	}
	return item
}

// PostPictures returns the pictures of a post as pages show them.
func PostPictures(list []stored.Picture) (shown []ui.PostPicture) {
	for i, p := range list {
		view := ui.PostPicture{URL: pictures.URL(p.Sum), SmallURL: pictures.URL(p.Sum), Width: p.Width, Height: p.Height, Alt: p.Alt,
			Colour: p.Colour, Place: i, Small: p.Small || p.Light}
		if p.Small {
			view.SmallURL = pictures.SmallURL(p.Sum)
		}
		shown = append(shown, view)
	}
	return shown
}
