package ui

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/markdown"
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

// Listing is the tabs of a listing, its posts and the way to other pages.
func PostList(l Listing, f Frame) g.Node {
	return g.Group{
		Tabs("Order", l.Tabs),
		Tabs("Time", l.Windows),
		Posts(l.Items, f, l.ShowCommunity, l.Empty),
		SeenChoice(l, f),
		ListingPager(l),
	}
}

func Tabs(label Literal, ts []Tab) g.Node {
	return Component(func(m *Markup) {
		if len(ts) == 0 {
			return
		}
		m.Lit(`<nav class="tabs" aria-label="`).Lit(label).Lit(`">`)
		for _, t := range ts {
			m.Lit(`<a href="`).Text(t.URL).Lit(`"`).When(t.Active, ` aria-current="page"`).Lit(`>`).Text(t.Label).Lit(`</a>`)
		}
		m.Lit(`</nav>`)
	})
}

func Posts(items []PostItem, f Frame, showCommunity bool, empty string) g.Node {
	if len(items) == 0 {
		if empty == "" {
			empty = "Nothing here yet."
		}
		return h.Div(h.Class("empty"), Logo(), h.P(g.Text(empty)))
	}
	return Component(func(m *Markup) {
		m.Lit(`<div class="posts">`)
		for i := range items {
			m.When(items[i].Blocked, `<details class="veil"><summary>From somebody you block</summary>`)
			m.postRow(&items[i], &f, showCommunity)
			m.When(items[i].Blocked, `</details>`)
		}
		m.Lit(`</div>`)
	})
}

func ListingPager(l Listing) g.Node {
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
		Next(l.NextURL),
	)
}

func Next(address string) g.Node {
	if address == "" {
		return nil
	}
	return h.A(h.Class("button"), h.Rel("next"), h.Href(address), g.Text("Next page"))
}

func (m *Markup) postRow(p *PostItem, f *Frame, showCommunity bool) {
	m.Lit(`<article class="post`).When(p.Seen, ` seen`).Lit(`" id="p-`).Text(p.ID).Lit(`">`)
	m.Lit(`<h2>`).titleLink(p).Domain(p).Lit(`</h2>`)
	m.excerpt(p)
	m.byline(p, f.Now, showCommunity)
	m.votes(&p.Votes)
	m.CommentCount(p.URL, p.Comments)
	if f.Viewer != nil {
		m.Keep(&Keep{Target: p.ID, Saved: p.Saved, Hidden: p.Hidden})
	}
	m.Lit(`</article>`)
}

// titleLink writes a post's title. It leads to what the post links to, or else to its thread.
func (m *Markup) titleLink(p *PostItem) *Markup {
	if gone := p.Gone(); gone != "" {
		return m.Lit(`<a class="gone" href="`).Text(p.URL).Lit(`">`).Lit(gone).Lit(`</a>`)
	}
	if link := markdown.SafeURL(p.Link); link != "" {
		m.Lit(`<a href="`).Text(link).Lit(`"`).Lit(outside).Lit(`>`)
	} else {
		m.Lit(`<a href="`).Text(p.URL).Lit(`">`)
	}
	return m.Text(DisplayName(p.Title)).Lit(`</a>`)
}

// outside are the attributes of a link to an address that a person typed. It opens in the same tab, so it needs no noopener.
const outside Literal = ` rel="nofollow ugc"`

// DisplayName is a name or title, with a stand-in for one that shows nothing: an empty link could not be followed.
func DisplayName(s string) string {
	if strings.TrimSpace(s) == "" {
		return "[untitled]"
	}
	return s
}

// Gone is what stands in the place of a title that is not shown any more; "" while it is.
func (p *PostItem) Gone() Literal {
	switch {
	case p.Removed:
		return "[removed by a moderator]"
	case p.Deleted:
		return "[deleted]"
	}
	return ""
}

func (m *Markup) Domain(p *PostItem) *Markup {
	if p.Domain == "" || p.Gone() != "" {
		return m
	}
	m.Lit(` <span class="dom`).When(p.Kind == "image", ` img`).Lit(`">`).Text(p.Domain).Lit(`</span>`)
	if p.Image != "" && p.Kind != "image" {
		m.Lit(` <span class="dom img">`).Text(p.ImageDomain).Lit(`</span>`)
	}
	return m
}

func (m *Markup) excerpt(p *PostItem) {
	if p.Gone() != "" || p.Spoiler {
		return
	}
	if len(p.Found) > 0 {
		m.Pieces(p.Found, p.Warned)
		return
	}
	if p.Excerpt == "" {
		return
	}
	if p.Warned {
		m.Lit(`<details class="veil ex"><summary>Show the text</summary><p>`).Text(p.Excerpt).Lit(`</p></details>`)
		return
	}
	m.Lit(`<p class="ex">`).Text(p.Excerpt).Lit(`</p>`)
}

func (m *Markup) byline(p *PostItem, now time.Time, showCommunity bool) {
	m.Lit(`<p class="by">`).PostMarks(p)
	if showCommunity && !IsProfile(p.Community) {
		m.Lit(`<a class="com" href="/c/`).Segment(p.Community).Lit(`">`).Icon(p.Community, p.Colour).Lit(`c/`).Text(p.Community).Lit(`</a>`)
	}
	m.Writer(p.Author, p.Avatar).TimeAgo(p.CreatedAt, now).When(!p.EditedAt.IsZero(), `<span>edited</span>`).When(p.Seen, `<span>seen</span>`).
		Views(p.Views).Tags(p.Tags)
	m.Lit(`</p>`)
}

// PostMarks writes what is special about a post: its flair, removed, pinned, NSFW, spoiler, locked, crosspost.
func (m *Markup) PostMarks(p *PostItem) *Markup {
	m.flair(&p.Flair)
	m.Mark(p.Removal != nil && !p.Removed && !p.Removal.Waits, " hot", "removed").Mark(p.Removal != nil && p.Removal.Waits, " hot", "waits").
		Mark(p.Pinned, " op", "pinned")
	m.Mark(p.NSFW, " hot", "NSFW").Mark(p.Spoiler, "", "spoiler").Mark(p.Locked, "", "locked")
	if p.CrosspostOf != "" {
		m.Lit(`<a class="mark" href="`).Text(p.CrosspostOf).Lit(`">crosspost</a>`)
	}
	return m
}

func (m *Markup) Mark(on bool, class, label Literal) *Markup {
	if !on {
		return m
	}
	return m.Lit(`<span class="mark`).Lit(class).Lit(`">`).Lit(label).Lit(`</span>`)
}

func (m *Markup) author(name string) *Markup {
	if name == "" {
		return m
	}
	return m.Lit(`<a href="/u/`).Segment(name).Lit(`">`).Text(DisplayName(name)).Lit(`</a>`)
}

// Writer is author with the member's tile.
func (m *Markup) Writer(name string, a Avatar) *Markup {
	if name == "" {
		return m
	}
	return m.Lit(`<a href="/u/`).Segment(name).Lit(`">`).Avatar(name, a).Text(DisplayName(name)).Lit(`</a>`)
}

// CommentCount leads to a post's thread.
func (m *Markup) CommentCount(address string, n int64) {
	m.Lit(`<a class="cc" href="`).Text(address).Lit(`"`)
	if n >= 1000 {
		m.Lit(` title="`).exact(n).Lit(`"`)
	}
	m.Lit(`>`).Compact(n).Lit(` `).Noun(n, "comment", "comments").Lit(`</a>`)
}

// Pager leads to the first and the next page of a list; nil where there is one page only.
func Pager(first, nextURL string) g.Node {
	if first == "" && nextURL == "" {
		return nil
	}
	return h.Nav(h.Class("pager"), h.Aria("label", "Pages"), g.If(first != "", h.A(h.Href(first), g.Text("First page"))), Next(nextURL))
}

func Author(name string) g.Node { return Component(func(m *Markup) { m.author(name) }) }

// Waits tells whether the post is held until a moderator has decided.
func (p *PostItem) Waits() bool { return p.Removal != nil && p.Removal.Waits }
