package post

import (
	"net/http"

	"plaza/data"
	"plaza/data/lists/listings"
	"plaza/locale"
	listingpages "plaza/render/listing"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ownPostsPage is how many posts a page of these lists shows.
const ownPostsPage = 25

// ownLists are the lists of an author's own posts, as tabs.
var ownLists = []struct {
	list  listings.OwnList
	label locale.Text
	url   string
	empty locale.Text
}{
	{listings.Drafts, "Drafts", "/drafts", "No drafts. “Save draft” under a new post keeps it here."},
	{listings.Scheduled, "Scheduled¦posts", "/drafts/scheduled", "No scheduled posts. Use “Post later” under a new post."},
	{listings.Published, "Posted¦posts", "/drafts/published", "You have no recent posts."},
	{listings.Archived, "Archived¦posts", "/drafts/archived",
		"No archived posts. Old posts are archived: they take no more votes or comments."},
	{listings.Removed, "Removed¦posts", "/drafts/removed", "No removed posts, and none waiting for a moderator."},
}

// ShowOwnPosts lists the member's own posts of one status.
func (h *Handlers) ShowOwnPosts(c *request.Call) error {
	p, list := listingpages.OwnPostsPage{}, listings.Drafts
	for _, d := range ownLists {
		active := d.url == c.R.URL.Path
		p.Tabs = append(p.Tabs, ui.Tab{Label: d.label, URL: d.url, Active: active})
		if active {
			list, p.Empty = d.list, ui.Nothing(d.empty, "New post", "/submit")
		}
	}
	after, err := data.ParseCursor(byte(list.Order()), c.R.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.ReadMerged()
	h.Communities.FindColourChanges(r)
	own := h.Listings.FindByAuthor(r, c.ViewerID(), list, after, ownPostsPage, c.Site().ArchiveAge())
	if err := c.Run(r); err != nil {
		return err
	}
	for _, post := range own.Items() {
		item := listingpages.OwnPost{Post: view.PostItem(c, post), Icon: c.Icon(post.Community), SavedAt: post.SavedAt(),
			PublishAt: post.PublishAt}
		if post.Status == "removed" {
			item.Held = post.Held == data.Held
			item.Removed = !item.Held
		}
		p.Items = append(p.Items, item)
	}
	p.Empty = c.Empty(p.Empty)
	if next := own.Next(); !next.IsZero() {
		p.NextURL = c.R.URL.Path + "?after=" + next.String()
	}
	if !after.IsZero() {
		p.FirstURL = c.R.URL.Path
	}
	p.Frame = c.Frame("Your posts")
	return request.Show(c, http.StatusOK, listingpages.OwnPosts, p)
}
