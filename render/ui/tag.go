package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// Tag is a tag, or a combination of tags, as lists of tags show it.
type Tag struct {
	Name string `json:"name"` // The tag.
	// Address of the posts that have it; on the page of other tags, of those that have it too, or of those that need not have it.
	URL   string `json:"posts" as:"address"`
	Posts int64  `json:"count"` // How many posts have it; 0 where it isn't told.
}

// Tags writes the tags of a post, each with a link to its posts.
func (m *Markup) Tags(names []string) *Markup {
	for _, name := range names {
		m.Lit(`<a class="mark" href="/tag/`).Segment(name).Lit(`">#`).Text(name).Lit(`</a>`)
	}
	return m
}

// TagsField is the field of a post's tags. The script offers tags that begin like the last word (web/app/suggest.js).
func TagsField(f Form) g.Node {
	return g.Group{
		FormField(f, Input{Name: "tags", Label: "Tags", Hint: "At most 5, with spaces between them: go web-design", Kind: "text",
			Attrs: g.Group{h.AutoComplete("off"), g.Attr("autocapitalize", "none"), h.MaxLength("200"), h.List("tag-names")}}),
		h.DataList(h.ID("tag-names")),
	}
}

// FollowTagFragment is the button to follow or unfollow a tag. The script gets it in its new state as the response.
func FollowTagFragment(name string, on bool, ret string) g.Node {
	return Toggle("/tags/follow", "tag", name, "#"+name, on, "Follow¦verb", "Following¦button", ret)
}

// TagLinks is a line of links to lists of posts.
func TagLinks(label locale.Text, list []Tag) g.Node {
	if len(list) == 0 {
		return nil
	}
	return h.P(h.Class("by"), h.Span(T(label)), g.Map(list, func(t Tag) g.Node {
		return h.A(h.Class("mark"), h.Href(t.URL), g.Text("#"+t.Name))
	}))
}
