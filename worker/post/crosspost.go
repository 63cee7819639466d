package post

import (
	"plaza/data"
	"plaza/data/content/posts"
	"plaza/protocol/weburl"
	"plaza/render/ui"
	"plaza/worker/request"
)

var errNoOriginal = &data.Error{Code: data.NotFound,
	Message: "The post you want to crosspost is gone. It may have been deleted."}

// crosspostOf returns the post that the form of a new post crossposts; 0 for none.
func crosspostOf(c *request.Call) (data.ID, error) {
	text := c.Value("crosspost")
	if text == "" {
		return 0, nil
	}
	id, err := data.ParseID(text)
	if err != nil || id.IsComment() {
		return 0, errNoOriginal
	}
	return id, nil
}

// findOriginal reads the post that is to be crossposted along with a page; nil for none.
func (h *Handlers) findOriginal(c *request.Call, r *data.Read, id data.ID) *posts.Post {
	if id == 0 {
		return nil
	}
	return h.Posts.FindByID(r, id, c.ViewerID())
}

// originalOf is what a crosspost of a post shows: that post, or if that is a crosspost, its original. It is nil if there
// is no such post, or it is not published.
func originalOf(p *posts.Post) *ui.Original {
	switch {
	case p == nil || p.ID == 0 || p.Status != "published" && p.Status != "archived":
		return nil
	case p.Original != nil:
		return originalView(p.Original)
	}
	return &ui.Original{URL: p.URL(), Community: p.Community, Title: p.Title, Author: p.Author, Domain: p.Domain}
}

func originalView(o *posts.Original) *ui.Original {
	if o == nil {
		return nil
	}
	if o.Removed {
		return &ui.Original{URL: o.URL(), Community: o.Community, Removed: true}
	}
	return &ui.Original{URL: o.URL(), Community: o.Community, Title: o.Title, Author: o.Author, Domain: weburl.Domain(o.Link)}
}
