package community

import (
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// TagPage lists the posts that have one tag, or two or three.
type TagPage struct {
	ui.Frame
	Names []string `json:"tags"` // The tags that all of the posts have.
	// Whether the viewer follows the tag.
	//
	// A list of one tag can be followed.
	Followed  bool       `json:"followed"`
	Without   []ui.Tag   `json:"without"`  // Of several tags, each with the list without it.
	Filtered  bool       `json:"filtered"` // Whether the viewer's lists leave out the tag.
	CanFollow bool       `json:"-"`        // by the viewer: only one tag can be followed
	With      []ui.Tag   `json:"with"`     // Tags that posts of the page have besides, each with the list of posts that have it too.
	Listing   ui.Listing `as:"inline"`
}

// TagsPage is /tags: the tags that are used most these days, or those that begin with what was typed.
type TagsPage struct {
	ui.Frame
	Typed    string   `json:"q"`        // What they begin with; empty for those that are used most these days.
	Tags     []ui.Tag `json:"items"`    // The tags.
	Followed []ui.Tag `json:"followed"` // The tags that the viewer follows.
}

// TagView is the page of a TagPage.
func TagView(p TagPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Div(h.Class("head"), h.Div(h.H1(g.Text("#"+strings.Join(p.Names, " #"))),
			h.P(h.Class("muted"), h.A(h.Href("/tags"), ui.T("Tags")))),
			g.Iff(p.CanFollow, func() g.Node {
				return h.Div(h.Class("do"), ui.FollowTagFragment(p.Names[0], p.Followed, p.Path),
					g.If(p.Viewer != nil, ui.ExcludeMenu("tag", p.Names[0], p.Filtered, p.Path)))
			})),
		g.Iff(len(p.Names) == 1, func() g.Node { return ui.LeftOutNote("tag", p.Names[0], p.Filtered, p.Path) }),
		ui.TagLinks("Without", p.Without), ui.TagLinks("Together with", p.With),
		ui.PostList(p.Listing, p.Frame),
	)
}

// Tags is the page of a TagsPage.
func Tags(p TagsPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Div(h.Class("head"), h.Div(h.H1(ui.T("Tags")),
			g.If(p.Typed == "", h.P(h.Class("muted"), ui.T("Most used these days."))))),
		h.Form(h.Class("find"), h.Action("/tags"), h.Role("search"),
			h.Label(h.For("q"), ui.T("Begins with")),
			h.Input(h.Type("search"), h.ID("q"), h.Name("q"), h.Value(p.Typed), h.AutoComplete("off"), g.Attr("autocapitalize", "none"),
				h.MaxLength("30")),
			ui.Submit("Find")),
		ui.TagLinks("You follow", p.Followed),
		g.Iff(len(p.Tags) == 0, func() g.Node {
			if p.Typed != "" {
				return ui.EmptyState(ui.Nothing("No tag begins like this.", "All tags", "/tags"))
			}
			return ui.EmptyState(ui.Nothing("No tags yet.", "New post", "/submit"))
		}),
		ui.Rows(p.Tags, func(t ui.Tag) g.Node {
			return ui.Row(h.A(h.Href(t.URL), g.Text("#"+t.Name)), ui.Counted(t.Posts, "{} post|{} posts"), nil)
		}),
	)
}

// TagOptions are the tags that the field of a post's tags offers.
func TagOptions(names []string) g.Node {
	return g.Map(names, func(name string) g.Node { return h.Option(h.Value(name)) })
}
