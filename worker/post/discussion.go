package post

import (
	"net/http"
	"net/url"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	pages "plaza/render/post"
	"plaza/worker/request"
	"plaza/worker/view"
)

// discussionsURL is the address that lists the posts about the same link, or about the same post. It names that link
// or post, and not the post that asks, so that one request can ask every shard.
func discussionsURL(p *posts.Post) string {
	link, id := p.Link, p.ID
	if link == "" {
		link = p.Image
	}
	if p.Original != nil {
		link, id = p.Original.Link, p.Original.ID
	}
	if link != "" {
		return "/discussions?url=" + url.QueryEscape(link)
	}
	return "/discussions?post=" + id.Text()
}

// othersView returns how many other posts there are about the same, and the address that lists them; "" where there
// are none. With several shards the posts about a link are counted by none of them: then it returns 0 with the
// address.
func (h *Handlers) othersView(p *posts.Post) (others int64, address string) {
	several := len(h.DB.Shards()) > 1 && (p.Link != "" || p.Image != "")
	if p.Others == 0 && !several || p.Status != "published" && p.Status != "archived" {
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
	q := listings.Query{About: posts.URLKey(link), Order: data.OrderNew, Limit: view.ListingPage, Viewer: c.ViewerID()}
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
	r := c.Read()
	h.Communities.FollowColours(r)
	listing, err := h.Listings.Find(c.R.Context(), r, q)
	if err != nil {
		return err
	}
	original := &posts.Post{}
	if id != 0 {
		original = h.Posts.FindByID(r, id, c.ViewerID())
	}
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.DiscussionsPage{Link: link, Posts: view.PostItems(c, listing.Items())}
	if id != 0 {
		if original.ID == 0 || original.Status == "draft" || original.Status == "scheduled" {
			return request.ErrNoPost
		}
		p.Posts = append(view.PostItems(c, []*posts.Post{original}), p.Posts...)
	}
	if next := listing.Next(); !next.IsZero() {
		p.NextURL = address + "&after=" + next.String()
	}
	if !q.After.IsZero() {
		p.FirstURL = address
	}
	p.Frame = c.Frame("Discussions", "", "")
	p.NoIndex = true
	return request.Show(c, http.StatusOK, pages.Discussions, p)
}
