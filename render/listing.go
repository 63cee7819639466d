package render

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// PostItem is a post in a listing, or on its own page.
type PostItem struct {
	ID           string
	Title        string
	URL          string // Plaza's address of the post
	Link         string // outside address that the title leads to: of the link, else of the image; "" for text
	Domain       string // of Link
	Kind         string // what leads: "link", else "image", else "text"
	Image        string // address of its own picture
	ImageDomain  string // of Image
	ImageWidth   int    // of Image, in pixels; 0 where it isn't known
	ImageHeight  int
	Excerpt      string  // first characters of the text, plain
	Found        []Piece // what a search has found in the text; it takes the place of Excerpt
	Community    string
	Colour       string
	Author       string // "" when deleted or unknown (imported)
	Avatar       Avatar // the author's
	CreatedAt    time.Time
	EditedAt     time.Time // zero when it is as posted
	Comments     int64
	Views        int64
	Votes        Votes
	Locked       bool
	NSFW         bool
	Warned       bool // NSFW, and the viewer has it behind a click
	Spoiler      bool
	Deleted      bool
	Removed      bool     // and the viewer does not see it any more
	Removal      *Removal // nil for what was not removed
	Pinned       bool
	Flair        Flair
	Tags         []string    // in their order
	Mod          *Moderating // for the community's moderators
	Saved        bool
	Hidden       bool
	Seen         bool   // the viewer has opened it
	CrosspostOf  string // URL of the original
	Original     *Original
	Others       int64  // other discussions of the same
	OthersURL    string // "" where there are none
	CanCrosspost bool
	Unpublished  bool // a draft, or scheduled
	CanEdit      bool // by the viewer, who wrote it
	CanDelete    bool
	CanReport    bool // on its own page
	Blocked      bool // its author is blocked by the viewer
	Preview      *LinkPreview
	Picture      bool // /img/ID is its own picture, or else that of the page behind its link
}

// Tab is one order or window a listing can be shown in.
type Tab struct {
	Label  string
	URL    string
	Active bool
}

// Listing is a page of posts with its orders.
type Listing struct {
	Tabs          []Tab
	Windows       []Tab // of "top"; empty for other orders
	Items         []PostItem
	NextURL       string // "" on the last page
	FirstPage     bool
	Empty         string // the sentence shown when there is nothing
	ShowCommunity bool   // on site-wide lists
	HidesSeen     bool   // what the viewer has seen is left out
}

// listing is the tabs of a listing, its posts and the way to other pages.
func listing(l Listing, f Frame) g.Node {
	return g.Group{
		tabs("Order", l.Tabs),
		tabs("Time", l.Windows),
		posts(l.Items, f, l.ShowCommunity, l.Empty),
		seenChoice(l, f),
		pager(l),
	}
}

func tabs(label literal, ts []Tab) g.Node {
	return component(func(m *markup) {
		if len(ts) == 0 {
			return
		}
		m.lit(`<nav class="tabs" aria-label="`).lit(label).lit(`">`)
		for _, t := range ts {
			m.lit(`<a href="`).text(t.URL).lit(`"`).when(t.Active, ` aria-current="page"`).lit(`>`).text(t.Label).lit(`</a>`)
		}
		m.lit(`</nav>`)
	})
}

func posts(items []PostItem, f Frame, showCommunity bool, empty string) g.Node {
	if len(items) == 0 {
		if empty == "" {
			empty = "Nothing here yet."
		}
		return h.Div(h.Class("empty"), logo(), h.P(g.Text(empty)))
	}
	return component(func(m *markup) {
		m.lit(`<div class="posts">`)
		for i := range items {
			m.when(items[i].Blocked, `<details class="veil"><summary>From somebody you block</summary>`)
			m.postRow(&items[i], &f, showCommunity)
			m.when(items[i].Blocked, `</details>`)
		}
		m.lit(`</div>`)
	})
}

func pager(l Listing) g.Node {
	first := ""
	for _, t := range append(l.Tabs[:len(l.Tabs):len(l.Tabs)], l.Windows...) {
		if t.Active {
			first = t.URL
		}
	}
	if l.NextURL == "" && (l.FirstPage || first == "") {
		return nil
	}
	return h.Nav(h.Class("pager"), h.Aria("label", "Pages"),
		g.If(!l.FirstPage && first != "", h.A(h.Href(first), g.Text("First page"))),
		next(l.NextURL),
	)
}

func next(address string) g.Node {
	if address == "" {
		return nil
	}
	return h.A(h.Class("button"), h.Rel("next"), h.Href(address), g.Text("Next page"))
}

func (m *markup) postRow(p *PostItem, f *Frame, showCommunity bool) {
	m.lit(`<article class="post`).when(p.Seen, ` seen`).lit(`" id="p-`).text(p.ID).lit(`">`)
	m.lit(`<h2>`).titleLink(p).domain(p).lit(`</h2>`)
	m.excerpt(p)
	m.byline(p, f.Now, showCommunity)
	m.votes(&p.Votes)
	m.commentCount(p.URL, p.Comments)
	if f.Viewer != nil {
		m.keep(&Keep{Target: p.ID, Saved: p.Saved, Hidden: p.Hidden})
	}
	m.lit(`</article>`)
}

// titleLink writes a post's title. It leads to what the post links to, or else to its thread.
func (m *markup) titleLink(p *PostItem) *markup {
	if gone := p.gone(); gone != "" {
		return m.lit(`<a class="gone" href="`).text(p.URL).lit(`">`).lit(gone).lit(`</a>`)
	}
	if link := safeURL(p.Link); link != "" {
		m.lit(`<a href="`).text(link).lit(`"`).lit(outside).lit(`>`)
	} else {
		m.lit(`<a href="`).text(p.URL).lit(`">`)
	}
	return m.text(named(p.Title)).lit(`</a>`)
}

// outside are the attributes of a link to an address that a person typed. It opens in the same tab, so it needs no noopener.
const outside literal = ` rel="nofollow ugc"`

// named is a name or title, with a stand-in for one that shows nothing: an empty link could not be followed.
func named(s string) string {
	if strings.TrimSpace(s) == "" {
		return "[untitled]"
	}
	return s
}

// gone is what stands in the place of a title that is not shown any more; "" while it is.
func (p *PostItem) gone() literal {
	switch {
	case p.Removed:
		return "[removed by a moderator]"
	case p.Deleted:
		return "[deleted]"
	}
	return ""
}

func (m *markup) domain(p *PostItem) *markup {
	if p.Domain == "" || p.gone() != "" {
		return m
	}
	m.lit(` <span class="dom`).when(p.Kind == "image", ` img`).lit(`">`).text(p.Domain).lit(`</span>`)
	if p.Image != "" && p.Kind != "image" {
		m.lit(` <span class="dom img">`).text(p.ImageDomain).lit(`</span>`)
	}
	return m
}

func (m *markup) excerpt(p *PostItem) {
	if p.gone() != "" || p.Spoiler {
		return
	}
	if len(p.Found) > 0 {
		m.pieces(p.Found, p.Warned)
		return
	}
	if p.Excerpt == "" {
		return
	}
	if p.Warned {
		m.lit(`<details class="veil ex"><summary>Show the text</summary><p>`).text(p.Excerpt).lit(`</p></details>`)
		return
	}
	m.lit(`<p class="ex">`).text(p.Excerpt).lit(`</p>`)
}

func (m *markup) byline(p *PostItem, now time.Time, showCommunity bool) {
	m.lit(`<p class="by">`).postMarks(p)
	if showCommunity && !isProfile(p.Community) {
		m.lit(`<a class="com" href="/c/`).segment(p.Community).lit(`">`).icon(p.Community, p.Colour).lit(`c/`).text(p.Community).lit(`</a>`)
	}
	m.writer(p.Author, p.Avatar).timeAgo(p.CreatedAt, now).when(!p.EditedAt.IsZero(), `<span>edited</span>`).when(p.Seen, `<span>seen</span>`).views(p.Views).tags(p.Tags)
	m.lit(`</p>`)
}

// postMarks writes what is special about a post: its flair, removed, pinned, NSFW, spoiler, locked, crosspost.
func (m *markup) postMarks(p *PostItem) *markup {
	m.flair(&p.Flair)
	m.mark(p.Removal != nil && !p.Removed && !p.Removal.Waits, " hot", "removed").mark(p.Removal != nil && p.Removal.Waits, " hot", "waits").mark(p.Pinned, " op", "pinned")
	m.mark(p.NSFW, " hot", "NSFW").mark(p.Spoiler, "", "spoiler").mark(p.Locked, "", "locked")
	if p.CrosspostOf != "" {
		m.lit(`<a class="mark" href="`).text(p.CrosspostOf).lit(`">crosspost</a>`)
	}
	return m
}

func (m *markup) mark(on bool, class, label literal) *markup {
	if !on {
		return m
	}
	return m.lit(`<span class="mark`).lit(class).lit(`">`).lit(label).lit(`</span>`)
}

func (m *markup) author(name string) *markup {
	if name == "" {
		return m
	}
	return m.lit(`<a href="/u/`).segment(name).lit(`">`).text(named(name)).lit(`</a>`)
}

// writer is author with the member's tile.
func (m *markup) writer(name string, a Avatar) *markup {
	if name == "" {
		return m
	}
	return m.lit(`<a href="/u/`).segment(name).lit(`">`).avatar(name, a).text(named(name)).lit(`</a>`)
}

// commentCount leads to a post's thread.
func (m *markup) commentCount(address string, n int64) {
	m.lit(`<a class="cc" href="`).text(address).lit(`"`)
	if n >= 1000 {
		m.lit(` title="`).exact(n).lit(`"`)
	}
	m.lit(`>`).compact(n).lit(` `).noun(n, "comment", "comments").lit(`</a>`)
}

// turning leads to the first and the next page of a list; nil where there is one page only.
func turning(first, nextURL string) g.Node {
	if first == "" && nextURL == "" {
		return nil
	}
	return h.Nav(h.Class("pager"), h.Aria("label", "Pages"), g.If(first != "", h.A(h.Href(first), g.Text("First page"))), next(nextURL))
}

func author(name string) g.Node { return component(func(m *markup) { m.author(name) }) }
