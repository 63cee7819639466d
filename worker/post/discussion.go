package post

import (
	"net/http"
	"net/url"
	"slices"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/protocol/weburl"
	pages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// discussionsURL is the address of the list of other posts about the same link, or of other crossposts of the same post. It contains that
// link or post, so that one request can ask every shard. It also contains the id of p, which the list leaves out.
func discussionsURL(p *posts.Post) string {
	link, id := p.Link, p.ID
	if link == "" {
		link = p.Image
	}
	if p.Original != nil {
		link, id = p.Original.Link, p.Original.ID
	}
	except := "&but=" + p.ID.Text()
	if link != "" {
		return "/discussions?url=" + url.QueryEscape(link) + except
	}
	return "/discussions?post=" + id.Text() + except
}

// othersView returns how many other posts there are about the same link or original, and the address of their list; ""
// if there are none. With several shards, none of them has the number of posts about a link. Then it returns 0 and the
// address.
func (h *Handlers) othersView(p *posts.Post) (others int64, address string) {
	several := h.DB.Several() && (p.Link != "" || p.Image != "")
	// The crossposts of an original without a link are not counted. A deleted original has no slug.
	crosspost := p.Original != nil && p.Original.Slug != ""
	if p.Others == 0 && !several && !crosspost || p.Status != "published" && p.Status != "archived" {
		return 0, ""
	}
	if several {
		return 0, discussionsURL(p)
	}
	return p.Others, discussionsURL(p)
}

var errDiscussions = &data.Error{Code: data.Invalid, Field: "url", Message: "Discussions are found by url, a web address, or by post, an " +
	"id of this site."}

// ShowDiscussions lists what was posted about one web address, or about one post.
func (h *Handlers) ShowDiscussions(c *request.Call) error {
	query := c.R.URL.Query()
	link := query.Get("url")
	q := listings.Query{About: weburl.Key(link), Order: data.OrderNew, Limit: view.ListingPage, Viewer: c.ViewerID()}
	address := "/discussions?url=" + url.QueryEscape(link)
	var id data.ID
	if link == "" {
		var err error
		if id, err = data.ParseID(query.Get("post")); err != nil || id.IsComment() {
			return errDiscussions
		}
		q.About, address = posts.KeyOf(id), "/discussions?post="+id.Text()
	}
	if q.About == "" || len(link) > data.URLMax {
		return errDiscussions
	}
	var err error
	if q.After, err = data.ParseCursor(byte(q.Order), query.Get("after")); err != nil {
		return err
	}
	except, err := request.OptionalID(query.Get("but"))
	if err != nil {
		return errDiscussions
	}
	if except != 0 {
		address += "&but=" + except.Text()
	}
	read := c.ReadMerged
	if id != 0 { // the post itself must not be missing
		read = c.Read
	}
	r := read()
	h.Communities.FindColourChanges(r)
	listing := h.Listings.Find(r, q)
	original := &posts.Post{}
	if id != 0 {
		original = h.Posts.FindByID(r, id, c.ViewerID())
	}
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.DiscussionsPage{Link: link}
	found := listing.Items()
	if id != 0 {
		if original.ID == 0 || original.Status == "draft" || original.Status == "scheduled" {
			return request.ErrNoPost
		}
		if q.After.IsZero() {
			found = append([]*posts.Post{original}, found...)
		}
	}
	if except != 0 {
		p.Posts = otherPosts(c, found, except)
	} else {
		p.Posts = view.PostItems(c, found)
	}
	if next := listing.Next(); !next.IsZero() {
		p.NextURL = address + "&after=" + next.String()
	}
	if !q.After.IsZero() {
		p.FirstURL = address
	}
	if c.Fragment() {
		return c.Page(http.StatusOK, pages.Elsewhere(p, h.Now(c)))
	}
	p.Frame = c.Frame("Discussions")
	return request.Show(c, http.StatusOK, pages.Discussions, p)
}

// otherPosts returns the list without the post except, and without posts that the viewer should not see: those that are gone, those of
// members whom they block, those that their filters leave out, and NSFW posts if they hide these.
func otherPosts(c *request.Call, list []*posts.Post, except data.ID) (items []ui.PostItem) {
	list = slices.DeleteFunc(slices.Clone(list), func(p *posts.Post) bool {
		return p.ID == except || p.Status != "published" && p.Status != "archived" || c.Blocks(p.AuthorID) ||
			p.NSFW && c.Choices().NSFW == accounts.HideNSFW
	})
	list, _ = view.Filter(c, list, "", "")
	return view.PostItems(c, list)
}

// topComments is how many comments of a thread are shown below another post.
const topComments = 3

// topFragment returns the first comments of a thread, without their replies, and the link to the rest.
func (v *threadView) topFragment() ([]*ui.Comment, *ui.More) {
	comments, _ := v.firstLevel()
	comments = comments[:min(len(comments), topComments)]
	for _, c := range comments {
		c.Replies, c.More = nil, nil
	}
	return comments, &ui.More{URL: v.postURL, Count: max(v.post.Comments-int64(len(comments)), 0), Continue: true}
}
