package community

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// CommunityPage is /c/{name} and its orders.
type CommunityPage struct {
	ui.Frame
	Community ui.Community      `json:"community"` // The community.
	Flair     ui.Flair          `json:"flair"`     // The items are the posts of this flair alone; its id is null for all.
	Listing   ui.Listing        `as:"inline"`
	Own       ui.OwnCommunities `json:"own_communities"` // Communities of the member who asks.
	Filtered  bool              `json:"filtered"`        // Whether the viewer's lists leave out the community.
}

// NewCommunityPage is /communities/new. Fields: name, title, description, token.
type NewCommunityPage struct {
	ui.Frame
	Form ui.Form
}

// CommunityView is the page of a CommunityPage.
func CommunityView(p CommunityPage) g.Node {
	c := p.Community
	label := locale.With("About c/{}", c.Name)
	if len(p.Own.Items) > 0 {
		label = locale.With("About c/{}, and your communities", c.Name)
	}
	return ui.Page(p.Frame, label, g.Group{ui.CommunitySide(c), ui.OwnCommunityList(p.Own)},
		ui.Component(func(m *ui.Markup) {
			m.Banner(c.Name, c.Colour, c.Banner)
			m.Lit(`<div class="head">`).Emblem(c.Name, c.Colour, c.Icon).Lit(`<div><h1>`).DisplayName(ui.CommunityTitle(c))
			m.Lit(`</h1><p class="muted">c/`).Text(c.Name).Dot().CommunitySize(c.Members, c.Posts).
				Lit(` <a class="aside-link" href="#about">`).Say("About¦community").Lit(`</a></p></div><div class="do">`)
			m.Node(ui.Subscribe(c.Name, c.Subscribed, p.Path))
			m.Lit(`<a class="button" href="/c/`).Segment(c.Name).Lit(`/submit">`).Say("Post¦verb").Lit(`</a>`)
			if p.Viewer != nil {
				m.Node(ui.ExcludeMenu("community", c.Name, p.Filtered, p.Path))
			}
			m.Lit(`</div></div>`)
		}),
		ui.LeftOutNote("community", c.Name, p.Filtered, p.Path),
		ui.FlairFilter(p.Flair, ui.CommunityURL(c.Name)),
		ui.PostList(p.Listing, p.Frame),
	)
}

// NewCommunity is the form that founds a community.
func NewCommunity(p NewCommunityPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Form(h.Class("sheet form-rows"), ui.PostTo("/communities"),
			h.H1(ui.T("New community")),
			ui.FormError(p.Form), ui.FormToken(p.Form),
			ui.FormField(p.Form, ui.Input{Name: "name", Label: "Name", Hint: "Its address will be /c/name. Letters, digits and _; it cannot be " +
				"changed later.", Kind: "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			ui.FormField(p.Form, ui.Input{Name: "title", Label: "Title", Hint: "What people see, such as “Bread baking”.", Kind: "text",
				Attrs: g.Group{h.AutoComplete("off")}}),
			ui.FormField(p.Form, ui.Input{Name: "description", Label: "Description", Hint: "One line: what belongs here?", Kind: "textarea",
				Attrs: g.Group{h.Rows("3")}}),
			ui.Submit("Create the community"),
		),
	)
}
