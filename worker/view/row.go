package view

import (
	"plaza/data/accounts"
	"plaza/data/content/posts"
	"plaza/locale"
	"plaza/render/ui"
	"plaza/worker/request"
)

// rowKind is all that the HTML of a post's row depends on beside the post itself. Members with the same share a row.
type rowKind struct {
	language *locale.Language
	zone     string // of the times
	// What the rows of the list show.
	community, views, last bool
	own                    bool // the viewer wrote the post
	warned                 bool
	closed                 bool // it takes no votes
}

// rowItems makes the lines of a listing that is shown as HTML.
func rowItems(c *request.Call, list *ui.Listing, found []*posts.Post) []ui.PostItem {
	items := make([]ui.PostItem, len(found))
	page := rowKind{language: c.Language(), zone: c.Choices().Zone, community: list.ShowCommunity, views: list.ShowViews, last: list.ShowLast}
	for i, p := range found {
		if p.Shared == nil || c.Actor == nil || c.Format != nil || p.Status != "published" {
			items[i] = PostItem(c, p)
			continue
		}
		item, kind := &items[i], page
		kind.own = c.IsViewer(p.AuthorID)
		kind.warned = p.NSFW && c.Choices().NSFW != accounts.ShowNSFW
		kind.closed = p.StatusAt(c.At, c.Site().ArchiveAge()) != "published"
		item.Row = sharedRow(c, list, p, kind)
		item.Votes.Mine, item.Votes.Score = p.MyVote, c.Score(p.Ups, p.Downs, p.MyVote, c.Exact(p.Community))
		item.Saved, item.Hidden, item.Seen, item.Blocked = p.Saved, p.Hidden, p.Seen && !kind.own, c.Blocks(p.AuthorID)
	}
	return items
}

// sharedRow returns the row of a post, which it makes if this is the first page that needs it.
func sharedRow(c *request.Call, list *ui.Listing, p *posts.Post, kind rowKind) *ui.Row {
	return shared(p.Shared, kind, func() *ui.Row {
		neutral := *p
		neutral.Ups, neutral.Downs, neutral.MyVote, neutral.ViewerUps, neutral.ViewerDowns = 0, 0, 0, 0, 0
		neutral.Saved, neutral.Hidden, neutral.Seen = false, false, false
		item := PostItem(c, &neutral)
		return ui.NewRow(kind.language, &item, list, c.Server.Now(c))
	})
}
