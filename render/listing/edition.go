package listing

import (
	"slices"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// EditionPage is an edition of the front page, at /edition or at its own address. A member's own is at /edition/yours.
type EditionPage struct {
	ui.Frame
	Scopes      []ui.Tab      `json:"-"`                    // the viewer's own edition and the site's; none for a visitor
	Name        locale.Text   `json:"-"`                    // such as Morning edition
	Note        locale.Text   `json:"-"`                    // why it is not the viewer's own, if they asked for that
	Own         bool          `json:"own"`                  // Whether it was made for the viewer.
	PublishedAt time.Time     `json:"published_at"`         // When the edition came out.
	Items       []ui.PostItem `json:"items"`                // The posts that are still there, in the order of the edition.
	Front       int           `json:"front"`                // How many of them stand above the sections of communities.
	Quote       *EditionQuote `json:"quote"`                // A comment on the first post; null for none.
	EarlierURL  string        `json:"earlier" as:"address"` // Address of the edition before this one; null for the first.
	LaterURL    string        `json:"later" as:"address"`   // Address of the edition after this one; null for the last.
	ListURL     string        `json:"-"`                    // all posts, as a list
	Empty       ui.Empty      `json:"-"`                    // what it says without items
	Unread      int           `json:"-"`                    // how many posts the viewer has not seen; 0 for a visitor

	// Joined are the posts' communities that the viewer has joined, Joinable those that they have not. A community is in neither if the page
	// does not know.
	Joined, Joinable []string `json:"-"`
}

// EditionQuote is a comment that an edition quotes.
type EditionQuote struct {
	Author string `json:"author"` // Username of its author.
	Score  int64  `json:"score"`  // Its net score.
	Text   string `json:"text"`   // The beginning of its text, without formatting.
	URL    string `json:"url"`    // Its address.
}

// Edition is the page of an EditionPage.
func Edition(p EditionPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Link(h.Rel("stylesheet"), h.Href(ui.EditionCSS)),
		ui.Component(func(m *ui.Markup) { masthead(m, &p) }),
		g.If(len(p.Items) == 0, ui.EmptyState(p.Empty)),
		g.If(len(p.Items) > 0, ui.Component(func(m *ui.Markup) { stories(m, &p) })),
		h.P(h.Class("ends"), ui.T("You have reached the end of this edition."), g.Text(" "), h.A(h.Href(p.ListURL), ui.T("All posts as a list"))),
	)
}

// masthead writes the name of the site, the day, the size of the edition, and the way to others.
func masthead(m *ui.Markup, p *EditionPage) {
	m.Lit(`<header class="mast"><p>`).Date(p.PublishedAt).Lit(`</p><h1>`).Text(p.SiteName).Lit(`</h1><p>`).Say(p.Name).Lit(`<br>`)
	m.Count(int64(len(p.Items)), "{} post|{} posts")
	if p.Unread > 0 {
		m.Dot().Lit(`<b class="new">`).Say("{} unread", p.Unread).Lit(`</b>`)
	}
	m.Lit(`</p></header><nav class="mastnav" aria-label="`).Say("Editions").Lit(`">`)
	if len(p.Scopes) > 0 {
		m.Lit(`<div class="tabs">`).Links(p.Scopes).Lit(`</div>`)
	}
	m.Lit(`<a href="`).Text(p.ListURL).Lit(`">`).Say("All posts as a list").Lit(`</a>`)
	if p.EarlierURL != "" {
		m.Lit(`<a rel="prev" href="`).Text(p.EarlierURL).Lit(`">`).Say("Previous edition").Lit(`</a>`)
	}
	if p.LaterURL != "" {
		m.Lit(`<a rel="next" href="`).Text(p.LaterURL).Lit(`">`).Say("Next edition").Lit(`</a>`)
	}
	m.Lit(`</nav>`)
	if p.Note != "" {
		m.Lit(`<p class="muted">`).Say(p.Note).Lit(`</p>`)
	}
}

// stories writes the posts of an edition.
func stories(m *ui.Markup, p *EditionPage) {
	front := p.Items[:min(p.Front, len(p.Items))]
	m.Lit(`<div class="edition">`)
	writeFront(m, p, front)
	writeSections(m, p, p.Items[len(front):])
	m.Lit(`</div>`)
}

// writeJoined marks a community that the viewer has joined. In their own edition that says nothing new.
func writeJoined(m *ui.Markup, p *EditionPage, community string) {
	if !p.Own && slices.Contains(p.Joined, community) {
		m.Lit(`<span class="joined">`).Say("Joined").Lit(`</span>`)
	}
}

// writeFront writes the posts above the sections: the lead, four beside it, and the others below.
func writeFront(m *ui.Markup, p *EditionPage, items []ui.PostItem) {
	const beside = 4
	for i := range items {
		switch i {
		case 0:
			m.Lit(`<div class="first">`)
			leadPicture(m, &items[0])
			story(m, p, &items[0], "2", true)
			if quote := p.Quote; quote != nil {
				m.Lit(`<blockquote><p>`).Text(quote.Text).Lit(`</p><footer><a href="`).Text(quote.URL).Lit(`">`).Text(quote.Author).Lit(`</a>`).
					Dot().Count(quote.Score, "{} point|{} points").Lit(`</footer></blockquote>`)
			}
			m.Lit(`</div>`)
			continue
		case 1:
			m.Lit(`<div class="side">`)
		case 1 + beside:
			m.Lit(`</div><div class="three">`)
		}
		story(m, p, &items[i], "2", true)
	}
	if len(items) > 1 {
		m.Lit(`</div>`)
	}
}

// writeSections writes the other posts, with a section for each community. Who has not joined it gets a button.
func writeSections(m *ui.Markup, p *EditionPage, items []ui.PostItem) {
	if len(items) == 0 {
		return
	}
	m.Lit(`<div class="sections">`)
	for i := range items {
		item := &items[i]
		if i == 0 || items[i-1].Community != item.Community {
			if i > 0 {
				m.Lit(`</section>`)
			}
			m.Lit(`<section><header><h2><a href="/c/`).Segment(item.Community).Lit(`">`).Icon(item.Community, item.Colour, "").
				DisplayName(item.Community).Lit(`</a></h2>`)
			writeJoined(m, p, item.Community)
			if slices.Contains(p.Joinable, item.Community) {
				m.Node(ui.Subscribe(item.Community, false, p.Path))
			}
			m.Lit(`</header>`)
		}
		story(m, p, item, "3", false)
	}
	m.Lit(`</section></div>`)
}
