package view

import (
	"plaza/data/accounts"
	"plaza/data/content/posts"
	"plaza/locale"
	"plaza/render/ui"
	"plaza/worker/request"
)

// rowKey has everything besides the post that the HTML of its row depends on. Members with equal keys share a row.
type rowKey struct {
	language *locale.Language
	zone     string // of the times
	// What the rows of the list show.
	community, views, last bool
	own                    bool // the viewer wrote the post
	warned                 bool
	closed                 bool // it takes no votes
}

// rowItems makes the items of a listing. On an HTML page for a member, a cached published post gets its template; all others get all
// fields.
func rowItems(c *request.Call, list *ui.Listing, found []*posts.Post) []ui.PostItem {
	items := make([]ui.PostItem, len(found))
	page := rowKey{language: c.Language(), zone: c.Choices().Zone, community: list.ShowCommunity, views: list.ShowViews, last: list.ShowLast}
	for i, p := range found {
		if p.Shared == nil || c.Actor == nil || c.Format != nil || p.Status != "published" {
			items[i] = PostItem(c, p)
			continue
		}
		item, key := &items[i], page
		key.own = c.IsViewer(p.AuthorID)
		key.warned = p.NSFW && c.Choices().NSFW != accounts.ShowNSFW
		key.closed = p.StatusAt(c.At, c.Site().ArchiveAge()) != "published"
		item.Template = sharedRow(c, list, p, key)
		item.Votes.Mine, item.Votes.Score = p.MyVote, c.Score(p.Ups, p.Downs, p.MyVote, c.Exact(p.Community))
		item.Saved, item.Hidden, item.Seen, item.Blocked = p.Saved, p.Hidden, p.Seen && !key.own, c.Blocks(p.AuthorID)
	}
	return items
}

// sharedRow returns the template of a post, and renders it if no page has done so.
func sharedRow(c *request.Call, list *ui.Listing, p *posts.Post, key rowKey) *ui.RowTemplate {
	return shared(p.Shared, key, func() *ui.RowTemplate {
		item := PostItem(c, p.WithoutViewer())
		return ui.NewRowTemplate(key.language, &item, list, c.Server.Now(c))
	})
}
