package view

import (
	"slices"
	"strings"

	"plaza/data/accounts"
	"plaza/data/content/posts"
	"plaza/render/ui"
	"plaza/worker/request"
)

// Fill sets Items and LeftOut of a listing from the posts found. The fields of list that say what rows show must be set. community and
// tags are as in Filter.
func Fill(c *request.Call, list *ui.Listing, found []*posts.Post, community, tags string) {
	shown, out := Filter(c, found, community, tags)
	list.Items = rowItems(c, list, shown)
	for _, left := range out {
		list.LeftOut = append(list.LeftOut, ui.LeftOut{Kind: left.filter.Kind, Filter: left.filter.Value, Count: len(left.posts),
			Items: rowItems(c, list, left.posts)})
	}
}

// leftOut are the posts that a filter leaves out of a page.
type leftOut struct {
	filter accounts.Filter
	posts  []*posts.Post
}

// Filter divides the posts of a list. shown are those that match none of the viewer's filters. out has the others, by filter: the page
// shows them after a click. A filter of a community or tag does nothing on that community's or tag's own list, community and tags. What
// the viewer has written stays, and so do pinned posts.
func Filter(c *request.Call, list []*posts.Post, community, tags string) (shown []*posts.Post, out []leftOut) {
	filters := filtersOn(c, community, tags)
	if len(filters) == 0 {
		return list, nil
	}
	groups := map[int]int{} // index in out, by index of the filter
	for _, p := range list {
		i := -1
		if !p.Pinned && !c.IsViewer(p.AuthorID) {
			i = accounts.Matching(filters, &accounts.FilterSubject{Community: p.Community, Domain: p.Domain, Title: p.Title, Text: p.Excerpt,
				Tags: p.Tags}, c.At)
		}
		if i < 0 {
			shown = append(shown, p)
			continue
		}
		at, known := groups[i]
		if !known {
			at = len(out)
			groups[i], out = at, append(out, leftOut{filter: filters[i]})
		}
		out[at].posts = append(out[at].posts, p)
	}
	return shown, out
}

// Excludes reports whether a filter of the viewer leaves out a community or tag.
func Excludes(c *request.Call, kind, value string) bool {
	return c.Viewer != nil && slices.ContainsFunc(c.Viewer.Filters, func(f accounts.Filter) bool {
		return f.Kind == kind && strings.EqualFold(f.Value, value) && (f.Until == 0 || f.Until > c.At.UnixMilli())
	})
}

// filtersOn returns the viewer's filters that work on a list.
func filtersOn(c *request.Call, community, tags string) (list []accounts.Filter) {
	if c.Viewer == nil {
		return nil
	}
	for _, f := range c.Viewer.Filters {
		own := f.Kind == accounts.FilterCommunity && strings.EqualFold(f.Value, community)
		for _, tag := range strings.Fields(tags) {
			own = own || f.Kind == accounts.FilterTag && strings.EqualFold(f.Value, tag)
		}
		if !own {
			list = append(list, f)
		}
	}
	return list
}
