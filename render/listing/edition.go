package listing

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// EditionPage is an edition of the front page, at /edition or at its own address.
type EditionPage struct {
	ui.Frame
	Name        locale.Text   `json:"-"`                    // such as Morning edition
	PublishedAt time.Time     `json:"published_at"`         // When the edition came out.
	Items       []ui.PostItem `json:"items"`                // The posts that are still there, in the order of the edition.
	Front       int           `json:"front"`                // How many of them stand above the sections of communities.
	Quote       *EditionQuote `json:"quote"`                // A comment on the first post; null for none.
	EarlierURL  string        `json:"earlier" as:"address"` // Address of the edition before this one; null for the first.
	LaterURL    string        `json:"later" as:"address"`   // Address of the edition after this one; null for the last.
	ListURL     string        `json:"-"`                    // all posts, as a list
	Empty       ui.Empty      `json:"-"`                    // what it says without items
	Unread      int           `json:"-"`                    // how many posts the viewer has not seen; 0 for a visitor
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
	m.Lit(`</p></header><nav class="mastnav" aria-label="`).Say("Editions").Lit(`"><a href="`).Text(p.ListURL).Lit(`">`).
		Say("All posts as a list").Lit(`</a>`)
	if p.EarlierURL != "" {
		m.Lit(`<a rel="prev" href="`).Text(p.EarlierURL).Lit(`">`).Say("Previous edition").Lit(`</a>`)
	}
	if p.LaterURL != "" {
		m.Lit(`<a rel="next" href="`).Text(p.LaterURL).Lit(`">`).Say("Next edition").Lit(`</a>`)
	}
	m.Lit(`</nav>`)
}

// stories writes the posts of an edition.
func stories(m *ui.Markup, p *EditionPage) {
	front := p.Items[:min(p.Front, len(p.Items))]
	m.Lit(`<div class="edition">`)
	writeFront(m, front, p.Quote, p.Now)
	writeSections(m, p.Items[len(front):], p.Now)
	m.Lit(`</div>`)
}

// writeFront writes the posts above the sections: the lead, four beside it, and the others below.
func writeFront(m *ui.Markup, items []ui.PostItem, quote *EditionQuote, now time.Time) {
	const beside = 4
	for i := range items {
		switch i {
		case 0:
			m.Lit(`<div class="first">`)
			leadPicture(m, &items[0])
			story(m, &items[0], now, "2", true)
			if quote != nil {
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
		story(m, &items[i], now, "2", true)
	}
	if len(items) > 1 {
		m.Lit(`</div>`)
	}
}

// writeSections writes the other posts, with a section for each community.
func writeSections(m *ui.Markup, items []ui.PostItem, now time.Time) {
	if len(items) == 0 {
		return
	}
	m.Lit(`<div class="sections">`)
	for i := range items {
		p := &items[i]
		if i == 0 || items[i-1].Community != p.Community {
			if i > 0 {
				m.Lit(`</section>`)
			}
			m.Lit(`<section><h2><a href="/c/`).Segment(p.Community).Lit(`">`).Icon(p.Community, p.Colour, "").
				DisplayName(p.Community).Lit(`</a></h2>`)
		}
		story(m, p, now, "3", false)
	}
	m.Lit(`</section></div>`)
}
