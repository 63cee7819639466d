package listing

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// SearchPage is a search form with its results.
type SearchPage struct {
	ui.Frame
	Form        ui.Form            `json:"-"`
	Type        string             `json:"-"` // what is searched for, as in the address; "" is posts
	Tabs        []ui.Tab           `json:"-"` // of the types
	Orders      []ui.Tab           `json:"-"`
	Posts       []ui.PostItem      `json:"posts"`       // Posts that were found.
	Comments    []FoundComment     `json:"comments"`    // Comments that were found, with the type `comments`.
	Communities []ui.CommunityItem `json:"communities"` // Communities that were found, with the type `communities`.
	People      []ui.Person        `json:"people"`      // Members that were found, with the type `people`.
	Kinds       []ui.Tab           `json:"-"`           // of posts; empty for other types
	Times       []ui.Tab           `json:"-"`           // empty where time does not matter
	Filters     []ui.Tab           `json:"-"`           // that are active, with the addresses that remove them
	Empty       ui.Empty           `json:"-"`           // what it says when nothing was found
	LeftOut     []string           `json:"left_out"`    // Words that were left out because they are nearly everywhere.
	Trending    []ui.Tag           `json:"-"`           // tags that are used most these days, for an empty search
	// The search that was probably meant. A word of the actual search differs by one letter, and has few matches.
	Meant    string `json:"-"`
	MeantURL string `json:"-"`
	Instead  bool   `json:"-"` // nothing was found, and the results are those of Meant
	Best     int    `json:"-"` // how many results were ranked, on page one
	// Whether there are more matches than were ranked: relevance and top list only the best of them.
	More     bool   `json:"more_than_ranked"`
	NextURL  string `as:"following"`
	FirstURL string `json:"-"` // "" on page one
}

// FoundComment is a comment that was found.
type FoundComment struct {
	ID        string     `json:"id" as:"id"` // Id of the comment.
	URL       string     `json:"permalink"`  // Address of the comment with its part of the thread.
	PostTitle string     `json:"post_title"` // Title of its post.
	Community string     `json:"community"`  // Name of its community.
	Colour    string     `json:"-"`
	Icon      string     `json:"-"`
	Author    string     `json:"author"`        // Username of its author; empty when deleted or nobody's.
	Avatar    ui.Avatar  `json:"author_avatar"` // The author's tile.
	CreatedAt time.Time  `json:"created_at"`    // When it was written.
	EditedAt  time.Time  `json:"edited_at"`     // When it was last edited; null when it is as written.
	Votes     ui.Votes   `as:"inline"`          // the page has no buttons
	Found     []ui.Piece `json:"found"`         // What was found in its text, in pieces.
	Blocked   bool       `json:"blocked"`       // Whether the viewer blocks its author.
	Warned    bool       `json:"-"`             // its post is NSFW, and the viewer's settings hide that behind a click
}

// Search is the page of a SearchPage.
func Search(p SearchPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.H1(h.Class("vh"), ui.T("Search")),
		searchForm(p),
		ui.Component(func(m *ui.Markup) { searchBar(m, &p) }),
		searchNotes(p),
		ui.TagLinks("Trending tags", p.Trending),
		found(p),
		notRanked(p),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

// searchNotes says how the search differs from what was typed: by another spelling, or by words that were left out.
func searchNotes(p SearchPage) g.Node {
	var notes g.Group
	if p.MeantURL != "" {
		meant := h.A(h.Href(p.MeantURL), g.Text(p.Meant))
		text := ui.T("Did you mean {}?", meant)
		if p.Instead {
			text = ui.T("Nothing found for {}. Showing results for {}.", p.Form.Values["q"], meant)
		}
		notes = append(notes, h.P(h.Class("meant"), text))
	}
	if len(p.LeftOut) > 0 {
		notes = append(notes, h.P(h.Class("muted"), ui.T("Ignored, because nearly everything has them: {}.", strings.Join(p.LeftOut, ", "))))
	}
	return notes
}

// notRanked says below the results that there are more than the best that were ranked.
func notRanked(p SearchPage) g.Node {
	if !p.More || len(p.Posts)+len(p.Comments) == 0 {
		return nil
	}
	text := locale.Text("There are more results. These are the best. New shows all.")
	if p.Best > 0 {
		text = locale.With("There are more results. These are the best {}. New shows all.", p.Best)
	}
	return h.P(h.Class("muted"), ui.T(text))
}

func found(p SearchPage) g.Node {
	switch {
	case len(p.Posts) > 0:
		return ui.Posts(p.Posts, p.Frame, true, ui.Empty{})
	case len(p.Comments) > 0:
		return ui.Component(func(m *ui.Markup) { foundComments(m, p.Comments, &p.Frame) })
	case len(p.Communities) > 0:
		return ui.CommunityRows(ui.CommunitiesPage{Frame: p.Frame, Items: p.Communities})
	case len(p.People) > 0:
		return ui.People(p.People, p.Frame)
	case p.Empty.Says != "":
		return ui.EmptyState(p.Empty)
	}
	return nil
}

// searchForm is the form with the search field. The fields of searchBar belong to it, too.
func searchForm(p SearchPage) g.Node {
	q, problem := p.Form.Values["q"], p.Form.Errors["q"]
	return g.Group{
		h.Form(h.ID("search"), h.Class("find"), h.Action("/search"), h.Role("search"),
			g.If(p.Type != "", ui.Hidden("type", p.Type)),
			g.If(p.Form.Values["t"] != "", ui.Hidden("t", p.Form.Values["t"])),
			g.If(p.Form.Values["kind"] != "", ui.Hidden("kind", p.Form.Values["kind"])),
			h.Input(h.Type("search"), h.Name("q"), h.Value(q), ui.Attr("aria-label", "Search"), h.MaxLength("2048"), h.AutoComplete("off"),
				h.Aria("controls", "suggestions"), g.If(problem != "", g.Group{h.Aria("invalid", "true"), h.Aria("describedby", "q-error")}),
				g.If(q == "" || problem != "", ui.AutoFocus())),
			h.Button(h.Class("button"), ui.T("Search¦verb"))),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID("q-error"), ui.T(problem))),
		h.Div(h.ID("suggestions"), h.Aria("live", "polite")),
	}
}

// searchBar writes the tabs of types, the filters and the order.
func searchBar(m *ui.Markup, p *SearchPage) {
	m.Lit(`<div class="order narrow">`).Tabs("Type", p.Tabs)
	if len(p.Times) > 0 {
		for _, f := range p.Filters {
			m.Lit(`<a class="chip" href="`).Text(f.URL).Lit(`"><span class="vh">`).Say("Without").Lit(` </span>`).Say(f.Label).
				Lit(`</a>`)
		}
		m.Choose("Kind", p.Kinds).Choose("Time", p.Times)
		m.Lit(`<details class="menu sort filters"><summary>`).Say("Filters").Lit(`</summary><div>`)
		for _, f := range [...]ui.Option{{Value: "community", Label: "Community"}, {Value: "author", Label: "Author"},
			{Value: "tag", Label: "Tag"}, {Value: "domain", Label: "Domain"}} {
			if len(p.Kinds) == 0 && (f.Value == "tag" || f.Value == "domain") {
				continue
			}
			m.Lit(`<label>`).Say(f.Label).Lit(`<input form="search" name="`).Text(f.Value).Lit(`" maxlength="253" value="`).
				Text(p.Form.Values[f.Value]).Lit(`"></label>`)
		}
		m.Lit(`<button class="button" form="search">`).Say("Apply").Lit(`</button><p class="muted">`).
			Say("You can also use \"exact words\", begin* and -without.").Lit(`</p></div></details>`)
		m.Choose("Order", p.Orders)
	}
	m.Lit(`</div>`)
}

func foundComments(m *ui.Markup, list []FoundComment, f *ui.Frame) {
	m.Lit(`<div class="posts">`)
	for i := range list {
		c := &list[i]
		if c.Blocked {
			m.Lit(`<details class="veil"><summary>`).Say("From somebody you block").Lit(`</summary>`)
		}
		m.Lit(`<article class="post" id="c`).Text(c.ID).Lit(`"><h2><a href="`).Text(c.URL).Lit(`">`).DisplayName(c.PostTitle).
			Lit(`</a></h2>`)
		m.Pieces(c.Found, c.Warned)
		m.Lit(`<p class="by">`)
		if !ui.IsProfile(c.Community) {
			m.Lit(`<a class="com" href="/c/`).Segment(c.Community).Lit(`">`).Icon(c.Community, c.Colour, c.Icon).Lit(`c/`).Text(c.Community).
				Lit(`</a>`)
		}
		m.Writer(c.Author, c.Avatar).TimeAgo(c.CreatedAt, f.Now)
		if !c.EditedAt.IsZero() {
			m.Lit(`<span>`).Say("edited").Lit(`</span>`)
		}
		m.Counted(c.Votes.Score, "{} point|{} points").Lit(`</p></article>`)
		m.When(c.Blocked, `</details>`)
	}
	m.Lit(`</div>`)
}

// Suggestion is a community or a member whose name begins with what was typed.
type Suggestion struct {
	Name, Colour string
	Icon         string // as in ui.Community
	Avatar       ui.Avatar
	Members      int64
	Person       bool
}

// SuggestionsFragment is the list below the search field while the reader types.
func SuggestionsFragment(list []Suggestion) g.Node {
	if len(list) == 0 {
		return g.Group{}
	}
	return ui.Component(func(m *ui.Markup) {
		m.Lit(`<ul class="clist">`)
		for _, s := range list {
			if s.Person {
				m.Lit(`<li><a href="/u/`).Segment(s.Name).Lit(`">`).Avatar(s.Name, s.Avatar).Lit(`<span>`).Lit(`u/`).Text(s.Name).
					Lit(`</span></a></li>`)
				continue
			}
			m.Lit(`<li><a href="/c/`).Segment(s.Name).Lit(`">`).Icon(s.Name, s.Colour, s.Icon).Lit(`<span>`).Lit(`c/`).Text(s.Name).
				Lit(`</span></a><span class="muted">`).Counted(s.Members, "{} member|{} members").Lit(`</span></li>`)
		}
		m.Lit(`</ul>`)
	})
}
