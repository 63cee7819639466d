package render

import (
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Tag is a tag, or a combination of tags, as lists of tags show it.
type Tag struct {
	Name  string
	URL   string
	Posts int64 // 0 where it isn't told
}

// TagPage lists the posts that have one tag, or two or three.
type TagPage struct {
	Frame
	Names               []string // of its tags
	Without             []Tag    // of several tags, each with the list without it
	CanFollow, Followed bool     // by the viewer: a list of one tag can be followed
	With                []Tag    // tags that posts of the page have besides: lists with one tag more
	Listing             Listing
}

// TagsPage is /tags: the tags that are used most these days, or those that begin with what was typed.
type TagsPage struct {
	Frame
	Typed    string
	Tags     []Tag
	Followed []Tag // by the viewer
}

// tags writes the tags of a post, each of which leads to its posts.
func (m *markup) tags(names []string) *markup {
	for _, name := range names {
		m.lit(`<a class="mark" href="/tag/`).segment(name).lit(`">#`).text(name).lit(`</a>`)
	}
	return m
}

// tagsField is the field of a post's tags. The script offers tags that begin like the last word (web/app.js).
func tagsField(f Form) g.Node {
	return g.Group{
		field(f, input{name: "tags", label: "Tags", hint: "At most 5, with spaces between them: go web-design", kind: "text",
			attrs: g.Group{h.AutoComplete("off"), g.Attr("autocapitalize", "none"), h.MaxLength("200"), h.List("tag-names")}}),
		h.DataList(h.ID("tag-names")),
	}
}

// TagView is the page of a TagPage.
func TagView(p TagPage) g.Node {
	return page(p.Frame, "", nil,
		h.Div(h.Class("head"), h.Div(h.H1(g.Text("#"+strings.Join(p.Names, " #"))),
			h.P(h.Class("muted"), h.A(h.Href("/tags"), g.Text("Tags")))),
			g.Iff(p.CanFollow, func() g.Node { return h.Div(h.Class("do"), FollowTagFragment(p.Names[0], p.Followed, p.Path)) })),
		tagLinks("Without", p.Without), tagLinks("Together with", p.With),
		listing(p.Listing, p.Frame),
	)
}

// FollowTagFragment is the button to follow a tag, or to stop. The script that has sent it gets it in its new state.
func FollowTagFragment(name string, on bool, ret string) g.Node {
	return toggle("/tags/follow", "tag", name, "#"+name, on, "Follow", "Following", ret)
}

// tagLinks is a line of links to lists of posts.
func tagLinks(label string, list []Tag) g.Node {
	if len(list) == 0 {
		return nil
	}
	return h.P(h.Class("by"), h.Span(g.Text(label)), g.Map(list, func(t Tag) g.Node {
		return h.A(h.Class("mark"), h.Href(t.URL), g.Text("#"+t.Name))
	}))
}

// Tags is the page of a TagsPage.
func Tags(p TagsPage) g.Node {
	return page(p.Frame, "", nil,
		h.Div(h.Class("head"), h.Div(h.H1(g.Text("Tags")), g.If(p.Typed == "", h.P(h.Class("muted"), g.Text("Those that are used most these days."))))),
		h.Form(h.Class("row"), h.Action("/tags"),
			h.Label(h.For("q"), g.Text("Begins with")),
			h.Input(h.Type("search"), h.ID("q"), h.Name("q"), h.Value(p.Typed), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), h.MaxLength("30")),
			submit("Find")),
		tagLinks("You follow", p.Followed),
		g.Iff(len(p.Tags) == 0, func() g.Node {
			says := "No post has a tag yet."
			if p.Typed != "" {
				says = "No post has a tag that begins like this."
			}
			return h.Div(h.Class("empty"), logo(), h.P(g.Text(says)))
		}),
		g.Iff(len(p.Tags) > 0, func() g.Node {
			return h.Ul(h.Class("crows"), g.Map(p.Tags, func(t Tag) g.Node {
				return h.Li(h.Div(h.H2(h.A(h.Href(t.URL), g.Text("#"+t.Name))), component(func(m *markup) {
					m.lit(`<p class="muted">`).counted(t.Posts, "post", "posts").lit(`</p>`)
				})))
			}))
		}),
	)
}

// TagOptions are the tags that the field of a post's tags offers.
func TagOptions(names []string) g.Node {
	return g.Map(names, func(name string) g.Node { return h.Option(h.Value(name)) })
}
