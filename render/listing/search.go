package listing

import (
	"fmt"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// SearchPage is what was found, with the form that asks.
type SearchPage struct {
	ui.Frame
	Form        ui.Form            `json:"-"`
	Type        string             `json:"-"` // what is looked for, as its address says; "" is posts
	Tabs        []ui.Tab           `json:"-"` // of what can be looked for
	Orders      []ui.Tab           `json:"-"`
	Posts       []ui.PostItem      `json:"posts"`       // Posts that were found.
	Comments    []FoundComment     `json:"comments"`    // Comments that were found, with the type `comments`.
	Communities []ui.CommunityItem `json:"communities"` // Communities that were found, with the type `communities`.
	People      []ui.Person        `json:"people"`      // Members that were found, with the type `people`.
	Kinds       []ui.Option        `json:"-"`           // of posts; empty where nothing has one
	Times       []ui.Option        `json:"-"`           // empty where time does not matter
	Empty       string             `json:"-"`           // the sentence shown when nothing was found
	LeftOut     []string           `json:"left_out"`    // Words that were left out because they are nearly everywhere.
	Best        int                `json:"-"`           // how much was ranked, on the first page
	// Whether there are more matches than were ranked: relevance and top list only the best of them.
	More     bool   `json:"more_than_ranked"`
	NextURL  string `as:"following"`
	FirstURL string `json:"-"` // on later pages
}

// FoundComment is a comment that was found.
type FoundComment struct {
	ID        string     `json:"id" as:"id"` // Id of the comment.
	URL       string     `json:"permalink"`  // Address of the comment with its part of the thread.
	PostTitle string     `json:"post_title"` // Title of its post.
	Community string     `json:"community"`  // Name of its community.
	Colour    string     `json:"-"`
	Author    string     `json:"author"`        // Username of its author; empty when deleted or nobody's.
	Avatar    ui.Avatar  `json:"author_avatar"` // The author's tile.
	CreatedAt time.Time  `json:"created_at"`    // When it was written.
	EditedAt  time.Time  `json:"edited_at"`     // When it was last edited; null when it is as written.
	Votes     ui.Votes   `as:"inline"`          // the page has no buttons
	Found     []ui.Piece `json:"found"`         // What was found in its text, in pieces.
	Blocked   bool       `json:"blocked"`       // Whether the viewer blocks its author.
	Warned    bool       `json:"-"`             // it is on a post that is not safe for work, which the viewer has behind a click
}

// Search is the page of a SearchPage.
func Search(p SearchPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.H1(g.Text("Search")),
		searchForm(p),
		ui.Tabs("What to look for", p.Tabs),
		ui.Tabs("Order", p.Orders),
		ofSearch(p),
		found(p),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

// ofSearch says what the page lacks: words that were not looked for, and what was not ranked.
func ofSearch(p SearchPage) g.Node {
	var said g.Group
	if len(p.LeftOut) > 0 {
		said = append(said, h.P(h.Class("muted"), g.Text("Left out, because they are nearly everywhere: "+strings.Join(p.LeftOut, ", ")+".")))
	}
	if p.More && len(p.Posts)+len(p.Comments) > 0 {
		text := "There are more results. These are the best."
		if p.Best > 0 {
			text = fmt.Sprintf("There are more results. These are the best %d.", p.Best)
		}
		said = append(said, h.P(h.Class("muted"), g.Text(text+" New shows all.")))
	}
	return said
}

func found(p SearchPage) g.Node {
	switch {
	case len(p.Posts) > 0:
		return ui.Posts(p.Posts, p.Frame, true, "")
	case len(p.Comments) > 0:
		return ui.Component(func(m *ui.Markup) { foundComments(m, p.Comments, &p.Frame) })
	case len(p.Communities) > 0:
		return ui.CommunityRows(ui.CommunitiesPage{Frame: p.Frame, Items: p.Communities})
	case len(p.People) > 0:
		return ui.People(p.People, p.Frame)
	case p.Empty != "":
		return h.Div(h.Class("empty"), ui.Logo(), h.P(g.Text(p.Empty)))
	}
	return nil
}

func searchForm(p SearchPage) g.Node {
	f := p.Form
	return h.Form(h.Class("sheet settings"), h.Action("/search"), h.Role("search"),
		g.If(p.Type != "", h.Input(h.Type("hidden"), h.Name("type"), h.Value(p.Type))),
		ui.FormField(f, ui.Input{Name: "q", Label: "Words to look for", Kind: "search", Hint: `"Exact words", begin* and -without work, too.`,
			Attrs: g.Group{h.MaxLength("200"), h.AutoComplete("off"), h.Aria("controls", "suggestions"),
				g.If(f.Values["q"] == "", ui.AutoFocus())}}),
		h.Div(h.ID("suggestions"), h.Aria("live", "polite")),
		g.Iff(len(p.Times) > 0, func() g.Node {
			label, n := "Filters", filtered(f)
			if n > 0 {
				label = fmt.Sprintf("Filters (%d)", n)
			}
			return h.Details(h.Class("later"), g.If(n > 0 && len(p.Posts)+len(p.Comments) == 0, g.Attr("open")), h.Summary(g.Text(label)),
				h.Div(h.Class("sheet settings"),
					ui.FormField(f, ui.Input{Name: "community", Label: "In the community", Kind: "text", Attrs: g.Group{h.MaxLength("30")}}),
					ui.FormField(f, ui.Input{Name: "author", Label: "By the member", Kind: "text", Attrs: g.Group{h.MaxLength("30")}}),
					g.Iff(len(p.Kinds) > 0, func() g.Node {
						return g.Group{ui.Choice(f, "kind", "Kind of post", "", p.Kinds),
							ui.FormField(f, ui.Input{Name: "tag", Label: "With the tag", Kind: "text", Attrs: g.Group{h.MaxLength("30")}}),
							ui.FormField(f, ui.Input{Name: "domain", Label: "Links to the domain", Kind: "text", Attrs: g.Group{h.MaxLength("253")}})}
					}),
					ui.Choice(f, "t", "Written in", "", p.Times),
				),
			)
		}),
		h.Button(h.Class("button"), g.Text("Search")),
	)
}

// filtered is by how many filters a search is narrowed.
func filtered(f ui.Form) (n int) {
	for _, name := range []string{"community", "author", "kind", "tag", "domain", "t"} {
		if f.Values[name] != "" {
			n++
		}
	}
	return n
}

func foundComments(m *ui.Markup, list []FoundComment, f *ui.Frame) {
	m.Lit(`<div class="posts">`)
	for i := range list {
		c := &list[i]
		m.When(c.Blocked, `<details class="veil"><summary>From somebody you block</summary>`)
		m.Lit(`<article class="post" id="c`).Text(c.ID).Lit(`"><h2><a href="`).Text(c.URL).Lit(`">`).Text(ui.DisplayName(c.PostTitle)).
			Lit(`</a></h2>`)
		m.Pieces(c.Found, c.Warned)
		m.Lit(`<p class="by">`)
		if !ui.IsProfile(c.Community) {
			m.Lit(`<a class="com" href="/c/`).Segment(c.Community).Lit(`">`).Icon(c.Community, c.Colour).Lit(`c/`).Text(c.Community).Lit(`</a>`)
		}
		m.Writer(c.Author, c.Avatar).TimeAgo(c.CreatedAt, f.Now).When(!c.EditedAt.IsZero(), `<span>edited</span>`)
		m.Counted(c.Votes.Score, "point", "points").Lit(`</p></article>`)
		m.When(c.Blocked, `</details>`)
	}
	m.Lit(`</div>`)
}

// Suggestion is a community or a member whose name begins with what was typed.
type Suggestion struct {
	Name, Colour string
	Avatar       ui.Avatar
	Members      int64
	Person       bool
}

// SuggestionsFragment is what appears below the search while somebody types.
func SuggestionsFragment(list []Suggestion) g.Node {
	if len(list) == 0 {
		return g.Group{}
	}
	return ui.Component(func(m *ui.Markup) {
		m.Lit(`<ul class="clist">`)
		for _, s := range list {
			if s.Person {
				m.Lit(`<li><a href="/u/`).Segment(s.Name).Lit(`">`).Avatar(s.Name, s.Avatar).Lit(`<span>u/`).Text(s.Name).Lit(`</span></a></li>`)
				continue
			}
			m.Lit(`<li><a href="/c/`).Segment(s.Name).Lit(`">`).Icon(s.Name, s.Colour).Lit(`<span>c/`).Text(s.Name).
				Lit(`</span></a><span class="muted">`).Counted(s.Members, "member", "members").Lit(`</span></li>`)
		}
		m.Lit(`</ul>`)
	})
}
