package worker

import (
	"plaza/data"
	"plaza/data/posts"
	"plaza/render"
	"plaza/unfurl"
)

var errNoOriginal = &data.Error{Code: data.NotFound, Message: "The post that you want to show again is not there. It may have been deleted."}

// crosspostOf is the post that the form of a new post is to show again; 0 for none.
func crosspostOf(c *call) (data.ID, error) {
	text := c.value("crosspost")
	if text == "" {
		return 0, nil
	}
	id, err := data.ParseID(text)
	if err != nil || id.IsComment() {
		return 0, errNoOriginal
	}
	return id, nil
}

// findOriginal reads along what a crosspost is to show. view is nil, after the Read
// ran, where that is not there to be shown.
func (a *App) findOriginal(c *call, r *data.Read, id data.ID) (view func() *render.Original, err error) {
	if id == 0 {
		return noOriginal, nil
	}
	shard, err := a.DB.ShardOfID(id)
	if err != nil {
		return nil, errNoOriginal
	}
	p := a.posts.FindByID(r, shard, id, c.viewerID())
	return func() *render.Original {
		switch {
		case p.ID == 0 || p.Status != "published" && p.Status != "archived":
			return nil
		case p.Original != nil:
			o := originalView(p.Original)
			o.NSFW, o.Spoiler = p.NSFW, p.Spoiler
			return o
		}
		return &render.Original{URL: p.URL(), Community: p.Community, Title: p.Title, Author: p.Author, Domain: unfurl.PlainHost(p.Domain), NSFW: p.NSFW, Spoiler: p.Spoiler}
	}, nil
}

func noOriginal() *render.Original { return nil }

func originalView(o *posts.Original) *render.Original {
	if o == nil {
		return nil
	}
	return &render.Original{URL: o.URL(), Community: o.Community, Title: o.Title, Author: o.Author, Domain: unfurl.PlainHost(posts.Domain(o.Link))}
}
