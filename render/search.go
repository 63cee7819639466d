package render

import (
	"fmt"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// SearchPage is what was found, with the form that asks.
type SearchPage struct {
	Frame
	Form        Form
	Type        string // what is looked for, as its address says; "" is posts
	Tabs        []Tab  // of what can be looked for
	Orders      []Tab
	Posts       []PostItem // with Found
	Comments    []FoundComment
	Communities []CommunityItem
	People      []Person
	Kinds       []Option // of posts; empty where nothing has one
	Times       []Option // empty where time does not matter
	Empty       string   // the sentence shown when nothing was found
	LeftOut     []string // words that were left out because they are nearly everywhere
	Best        int      // how much was ranked, on the first page
	More        bool     // there are more matches than were ranked
	NextURL     string
	FirstURL    string // on later pages
}

// Piece is a part of a text. A marked one is what was looked for.
type Piece struct {
	Text   string
	Marked bool
}

// FoundComment is a comment that was found.
type FoundComment struct {
	ID        string
	URL       string
	PostTitle string
	Community string
	Colour    string
	Author    string
	Avatar    Avatar
	CreatedAt time.Time
	EditedAt  time.Time
	Found     []Piece
	Votes     Votes // the page has no buttons
	Blocked   bool  // its author is blocked by the viewer
	Warned    bool  // it is on a post that is not safe for work, which the viewer has behind a click
}

// Search is the page of a SearchPage.
func Search(p SearchPage) g.Node {
	return page(p.Frame, "", nil,
		h.H1(g.Text("Search")),
		searchForm(p),
		tabs("What to look for", p.Tabs),
		tabs("Order", p.Orders),
		ofSearch(p),
		found(p),
		turning(p.FirstURL, p.NextURL),
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
		return posts(p.Posts, p.Frame, true, "")
	case len(p.Comments) > 0:
		return component(func(m *markup) { m.foundComments(p.Comments, &p.Frame) })
	case len(p.Communities) > 0:
		return communityRows(CommunitiesPage{Frame: p.Frame, Items: p.Communities})
	case len(p.People) > 0:
		return people(p.People, p.Frame)
	case p.Empty != "":
		return h.Div(h.Class("empty"), logo(), h.P(g.Text(p.Empty)))
	}
	return nil
}

func searchForm(p SearchPage) g.Node {
	f := p.Form
	return h.Form(h.Class("sheet settings"), h.Action("/search"), h.Role("search"),
		g.If(p.Type != "", h.Input(h.Type("hidden"), h.Name("type"), h.Value(p.Type))),
		field(f, input{name: "q", label: "Words to look for", kind: "search", hint: `"Exact words", begin* and -without work, too.`,
			attrs: g.Group{h.MaxLength("200"), h.AutoComplete("off"), h.Aria("controls", "suggestions"), g.If(f.Values["q"] == "", h.AutoFocus())}}),
		h.Div(h.ID("suggestions"), h.Aria("live", "polite")),
		g.Iff(len(p.Times) > 0, func() g.Node {
			label, n := "Filters", filtered(f)
			if n > 0 {
				label = fmt.Sprintf("Filters (%d)", n)
			}
			return h.Details(h.Class("later"), g.If(n > 0 && len(p.Posts)+len(p.Comments) == 0, g.Attr("open")), h.Summary(g.Text(label)),
				h.Div(h.Class("sheet settings"),
					field(f, input{name: "community", label: "In the community", kind: "text", attrs: g.Group{h.MaxLength("30")}}),
					field(f, input{name: "author", label: "By the member", kind: "text", attrs: g.Group{h.MaxLength("30")}}),
					g.Iff(len(p.Kinds) > 0, func() g.Node {
						return g.Group{choice(f, "kind", "Kind of post", "", p.Kinds), field(f, input{name: "tag", label: "With the tag", kind: "text", attrs: g.Group{h.MaxLength("30")}}), field(f, input{name: "domain", label: "Links to the domain", kind: "text", attrs: g.Group{h.MaxLength("253")}})}
					}),
					choice(f, "t", "Written in", "", p.Times),
				),
			)
		}),
		h.Button(h.Class("button"), g.Text("Search")),
	)
}

// filtered is by how many filters a search is narrowed.
func filtered(f Form) (n int) {
	for _, name := range []string{"community", "author", "kind", "tag", "domain", "t"} {
		if f.Values[name] != "" {
			n++
		}
	}
	return n
}

func (m *markup) foundComments(list []FoundComment, f *Frame) {
	m.lit(`<div class="posts">`)
	for i := range list {
		c := &list[i]
		m.when(c.Blocked, `<details class="veil"><summary>From somebody you block</summary>`)
		m.lit(`<article class="post" id="c`).text(c.ID).lit(`"><h2><a href="`).text(c.URL).lit(`">`).text(named(c.PostTitle)).lit(`</a></h2>`)
		m.pieces(c.Found, c.Warned)
		m.lit(`<p class="by">`)
		if !isProfile(c.Community) {
			m.lit(`<a class="com" href="/c/`).segment(c.Community).lit(`">`).icon(c.Community, c.Colour).lit(`c/`).text(c.Community).lit(`</a>`)
		}
		m.writer(c.Author, c.Avatar).timeAgo(c.CreatedAt, f.Now).when(!c.EditedAt.IsZero(), `<span>edited</span>`)
		m.counted(c.Votes.Score, "point", "points").lit(`</p></article>`)
		m.when(c.Blocked, `</details>`)
	}
	m.lit(`</div>`)
}

// pieces writes a part of a text, with what was looked for in it marked.
func (m *markup) pieces(list []Piece, veiled bool) {
	if len(list) == 0 {
		return
	}
	m.when(veiled, `<details class="veil ex"><summary>Show the text</summary>`)
	m.lit(`<p class="ex">`)
	for _, p := range list {
		m.when(p.Marked, `<mark>`).text(p.Text).when(p.Marked, `</mark>`)
	}
	m.lit(`</p>`).when(veiled, `</details>`)
}

// Suggestion is a community or a member whose name begins with what was typed.
type Suggestion struct {
	Name, Colour string
	Avatar       Avatar
	Members      int64
	Person       bool
}

// SuggestionsFragment is what appears below the search while somebody types.
func SuggestionsFragment(list []Suggestion) g.Node {
	if len(list) == 0 {
		return g.Group{}
	}
	return component(func(m *markup) {
		m.lit(`<ul class="clist">`)
		for _, s := range list {
			if s.Person {
				m.lit(`<li><a href="/u/`).segment(s.Name).lit(`">`).avatar(s.Name, s.Avatar).lit(`<span>u/`).text(s.Name).lit(`</span></a></li>`)
				continue
			}
			m.lit(`<li><a href="/c/`).segment(s.Name).lit(`">`).icon(s.Name, s.Colour).lit(`<span>c/`).text(s.Name).lit(`</span></a><span class="muted">`).counted(s.Members, "member", "members").lit(`</span></li>`)
		}
		m.lit(`</ul>`)
	})
}
