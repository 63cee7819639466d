package ui

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/markdown"
)

// PostItem is a post in a listing, or on its own page.
type PostItem struct {
	ID          string   `json:"id" as:"id"`   // Id of the post.
	_           struct{} `made:"slug"`         // The post's name in its community's addresses.
	URL         string   `json:"permalink"`    // Address of the post with its thread.
	Title       string   `json:"title"`        // Title; empty when the post was removed.
	Kind        string   `json:"kind"`         // What leads: `link`, else `image`, else `text`.
	Link        string   `json:"link"`         // Outside address that the title leads to: the link, else the image; empty for text.
	Domain      string   `json:"domain"`       // Host of `link`.
	Image       string   `json:"image"`        // Address of its own image; empty for none.
	ImageDomain string   `json:"image_domain"` // Host of `image`.
	ImageWidth  int      `json:"image_width"`  // Width of the image in pixels; 0 where it isn't known.
	ImageHeight int      `json:"image_height"` // Height of the image in pixels; 0 where it isn't known.
	// Address on this site of a picture: its own image, or that of the page behind its link; null for none.
	//
	// The address is /img/ID. The page of a list shows the small one, /img/small/ID.
	Picture bool `made:"picture" as:"text"`
	// Pictures of the post that were uploaded to this site, in their order.
	//
	// A post can have an image elsewhere as well.
	Pictures []PostPicture `json:"pictures"`
	ThumbURL string        `json:"-"`       // address of the small picture beside its title in listings; "" for none
	Preview  *LinkPreview  `json:"preview"` // What the linked page says of itself; null where that isn't known.
	// The first characters of the text, without formatting; empty for a spoiler.
	//
	// Programs don't get it of what is deleted or removed, either.
	Excerpt string `made:"excerpt"`
	// What a search has found in the text, in pieces.
	//
	// It takes the place of Excerpt.
	Found       []Piece     `json:"found"`
	Community   string      `json:"community"`        // Name of its community; that of a profile begins with `u-`.
	Colour      string      `json:"community_colour"` // Colour of the community's icon.
	Author      string      `json:"author"`           // Username of its author; empty when deleted or nobody's.
	Avatar      Avatar      `json:"author_avatar"`    // The author's tile.
	AuthorFlair MemberFlair `json:"author_flair"`     // The author's flair in the community.
	CreatedAt   time.Time   `json:"created_at"`       // When it was posted.
	EditedAt    time.Time   `json:"edited_at"`        // When it was last edited; null when it is as posted.
	Comments    int64       `json:"comments"`         // How many comments it has.
	// When its last comment was written, to a minute; null without one.
	LastCommentAt time.Time   `json:"last_comment_at"`
	Views         int64       `json:"views"` // How many people have looked at it, each counted once a week.
	Votes         Votes       `as:"inline"`
	Tags          []string    `json:"tags"`                   // Its tags, in their order.
	Flair         Flair       `json:"flair"`                  // Its flair; the id is null for none.
	Pinned        bool        `json:"pinned"`                 // Whether moderators have pinned it.
	Locked        bool        `json:"locked"`                 // Whether moderators have locked it.
	NSFW          bool        `json:"nsfw"`                   // Whether it is not safe for work.
	Warned        bool        `json:"-"`                      // NSFW, and the viewer's settings hide it behind a click
	Spoiler       bool        `json:"spoiler"`                // Whether it is a spoiler.
	Deleted       bool        `json:"deleted"`                // Whether its author has deleted it.
	Removed       bool        `json:"removed"`                // Whether it was removed and the viewer does not see it any more.
	Removal       *Removal    `json:"removal"`                // Why it was removed; null for what was not.
	Unpublished   bool        `json:"unpublished"`            // Whether it is a draft, or scheduled. Only its author sees it.
	Mod           *Moderating `json:"-"`                      // for the community's moderators
	CrosspostOf   string      `json:"crosspost_of" as:"text"` // Address of the post that it shows again; null for none.
	Original      *Original   `json:"original"`               // The post that it shows again, on the post's own page.
	// How many other posts there are about the same, on the post's own page. More than 10 are counted as 11.
	Others       int64  `json:"other_discussions"`
	OthersURL    string `json:"discussions" as:"address"` // Address of the other posts about the same; null where there are none.
	Saved        bool   `json:"saved"`                    // Whether the viewer has saved it.
	Hidden       bool   `json:"hidden"`                   // Whether the viewer has hidden it.
	Seen         bool   `json:"seen"`                     // Whether the viewer has seen it within 90 days.
	Blocked      bool   `json:"blocked"`                  // Whether the viewer blocks its author.
	CanCrosspost bool   `json:"can_crosspost"`            // Whether the viewer can show it again elsewhere.
	CanEdit      bool   `json:"can_edit"`                 // Whether the viewer, who wrote it, can edit it.
	CanDelete    bool   `json:"can_delete"`               // Whether the viewer, who wrote it, can delete it.
	CanReport    bool   `json:"can_report"`               // Whether the viewer can report it.
	// Template is the HTML of its row that members share; nil if the row is written from the fields above. With it, only Votes.Mine,
	// Votes.Score, Saved, Hidden, Seen and Blocked are set.
	Template *RowTemplate `json:"-"`
}

// Tab is one order or window a listing can be shown in.
type Tab struct {
	Label  locale.Text
	URL    string
	Active bool
}

// Listing is a page of posts with its orders.
type Listing struct {
	Scopes  []Tab      `json:"-"` // whose posts: of the member's communities, of all, of followed members
	Orders  []Tab      `json:"-"`
	Windows []Tab      `json:"-"`     // of orders such as top; empty for others
	Items   []PostItem `json:"items"` // The posts, in the order of the listing.
	// What the viewer's filters have left out of this page.
	LeftOut       []LeftOut `json:"left_out"`
	NextURL       string    `as:"following"` // "" on the last page
	FirstPage     bool      `json:"-"`
	Empty         Empty     `json:"-"` // what it says without items
	ShowCommunity bool      `json:"-"` // on site-wide lists
	ShowViews     bool      `json:"-"` // on lists ordered by views
	ShowLast      bool      `json:"-"` // the time of the last comment, on lists ordered by it
	HidesSeen     bool      `json:"-"` // posts that the viewer has seen are left out
}

// LeftOut is what one of the viewer's filters has left out of a page.
type LeftOut struct {
	Kind   string     `json:"kind"`   // Of what the filter is: `community`, `tag`, `domain` or `words`.
	Filter string     `json:"filter"` // What it matches.
	Count  int        `json:"count"`  // How many posts it has left out.
	Items  []PostItem `json:"-"`      // these posts
}

// FilterName is how a filter is shown.
func FilterName(kind, value string) locale.Text {
	switch kind {
	case "community":
		return locale.Verbatim("c/" + value)
	case "tag":
		return locale.Verbatim("#" + value)
	case "domain":
		return locale.Verbatim(value)
	}
	return locale.With("“{}”", value)
}

// leftOut says how many posts the viewer's filters have left out, and which filters. A click shows the posts.
func leftOut(l Listing, f Frame) g.Node {
	if len(l.LeftOut) == 0 {
		return nil
	}
	n := 0
	var posts []PostItem
	for _, o := range l.LeftOut {
		n, posts = n+o.Count, append(posts, o.Items...)
	}
	return h.Details(h.Class("leftout"),
		h.Summary(Component(func(m *Markup) {
			m.Count(int64(n), "{} post left out|{} posts left out").Text(": ")
			for i, o := range l.LeftOut {
				if i > 0 {
					m.Text(", ")
				}
				m.Say(FilterName(o.Kind, o.Filter))
			}
		})),
		h.P(h.A(h.Href("/settings/filters"), T("Your filters"))),
		PostRows(Listing{Items: posts, ShowCommunity: l.ShowCommunity, ShowViews: l.ShowViews, ShowLast: l.ShowLast}, f),
	)
}

// PostList is a listing: the line above it, its posts and the links to other pages.
func PostList(l Listing, f Frame) g.Node {
	return g.Group{
		OrderBar(f, "Whose posts", l.Scopes, l.Orders, l.Windows),
		g.If(len(l.Items) > 0 || len(l.LeftOut) == 0, PostRows(l, f)),
		leftOut(l, f),
		SeenChoice(l, f),
		ListingPager(l),
	}
}

// Posts is a list of posts without an order.
func Posts(items []PostItem, f Frame, showCommunity bool, empty Empty) g.Node {
	return PostRows(Listing{Items: items, ShowCommunity: showCommunity, Empty: empty}, f)
}

// PostRows is the posts of a listing, or what it says when there are none.
func PostRows(l Listing, f Frame) g.Node {
	if len(l.Items) == 0 {
		return EmptyState(l.Empty)
	}
	return Component(func(m *Markup) {
		m.Lit(`<div class="posts">`)
		for i := range l.Items {
			blocked := l.Items[i].Blocked
			if blocked {
				m.Lit(`<details class="veil"><summary>`).Say("From somebody you block").Lit(`</summary>`)
			}
			if l.Items[i].Template != nil {
				m.row(&l.Items[i])
			} else {
				m.postRow(&l.Items[i], &f, &l)
			}
			m.When(blocked, `</details>`)
		}
		m.Lit(`</div>`)
	})
}

// Empty is what an empty list says: one sentence, and the next step.
type Empty struct {
	Says locale.Text
	Next Tab // none without a URL
}

// Nothing returns the Empty with a sentence, and the label and address of the next step.
func Nothing(says, next locale.Text, address string) Empty {
	return Empty{says, Tab{Label: next, URL: address}}
}

// EmptyState shows what an empty list says.
func EmptyState(e Empty) g.Node {
	return h.Div(h.Class("empty"), Logo(), h.P(T(e.Says)),
		g.If(e.Next.URL != "", h.P(h.A(h.Class("button quiet"), h.Href(e.Next.URL), T(e.Next.Label)))))
}

func ListingPager(l Listing) g.Node {
	first := ""
	for _, t := range append(l.Orders[:len(l.Orders):len(l.Orders)], l.Windows...) {
		if t.Active {
			first = t.URL
		}
	}
	if l.NextURL == "" && (l.FirstPage || first == "") {
		return nil
	}
	return h.Nav(h.Class("pager"), Attr("aria-label", "Pages"),
		g.If(!l.FirstPage && first != "", h.A(h.Href(first), T("First page"))),
		Next(l.NextURL),
	)
}

func Next(address string) g.Node {
	if address == "" {
		return nil
	}
	return h.A(h.Class("button"), h.Rel("next"), h.Href(address), T("Next page"))
}

// TitleLink writes a post's title. It leads to what the post links to, or else to its thread.
func (m *Markup) TitleLink(p *PostItem) *Markup {
	if gone := p.Gone(); gone != "" {
		return m.Lit(`<a class="gone" href="`).Text(p.URL).Lit(`">`).Say(gone).Lit(`</a>`)
	}
	if link := markdown.SafeURL(p.Link); link != "" {
		m.Lit(`<a href="`).Text(link).Lit(`"`).Lit(outside)
	} else {
		m.Lit(`<a href="`).Text(p.URL).Lit(`"`)
	}
	m.Lit(` title="`).Text(p.Title) // a row may show the first lines alone
	return m.Lit(`">`).DisplayName(p.Title).Lit(`</a>`)
}

// outside are the attributes of a link to an address that a person typed. It opens in the same tab, so it needs no noopener.
const outside Literal = ` rel="nofollow ugc"`

// untitled replaces a blank name or title, because nobody could click an empty link.
const untitled locale.Text = "[untitled]"

// removedTitle replaces the title of a removed post, in databases as well.
const removedTitle locale.Text = "[removed by a moderator]"

// DisplayName writes a name or title, or its replacement.
func (m *Markup) DisplayName(s string) *Markup {
	switch {
	case strings.TrimSpace(s) == "":
		return m.Say(untitled)
	case s == string(removedTitle):
		return m.Say(removedTitle)
	}
	return m.Text(s)
}

// NameText is Markup.DisplayName as a text.
func NameText(s string) locale.Text {
	switch {
	case strings.TrimSpace(s) == "":
		return untitled
	case s == string(removedTitle):
		return removedTitle
	}
	return locale.Verbatim(s)
}

// DisplayName is Markup.DisplayName as a node.
func DisplayName(s string) g.Node { return Component(func(m *Markup) { m.DisplayName(s) }) }

// Gone is the replacement of a title that is no longer shown; "" while it is shown.
func (p *PostItem) Gone() locale.Text {
	switch {
	case p.Removed:
		return removedTitle
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

// PostMarks writes what is special about a post: its flair, removed, pinned, NSFW, spoiler, locked, crosspost.
func (m *Markup) PostMarks(p *PostItem) *Markup {
	m.flair(&p.Flair)
	m.Mark(p.Removal != nil && !p.Removed && !p.Removal.Held, " hot", "removed").Mark(p.Removal != nil && p.Removal.Held, " hot", "waits").
		Mark(p.Pinned, " op", "pinned")
	m.Mark(p.NSFW, " hot", "NSFW").Mark(p.Spoiler, "", "spoiler").Mark(p.Locked, "", "locked")
	if p.CrosspostOf != "" {
		m.Lit(`<a class="mark" href="`).Text(p.CrosspostOf).Lit(`">`).Say(crosspostMark).Lit(`</a>`)
	}
	return m
}

func (m *Markup) Mark(on bool, class Literal, label locale.Text) *Markup {
	if !on {
		return m
	}
	return m.Lit(`<span class="mark`).Lit(class).Lit(`">`).Say(label).Lit(`</span>`)
}

func (m *Markup) author(name string) *Markup {
	if name == "" {
		return m
	}
	return m.Lit(`<a href="/u/`).Segment(name).Lit(`">`).DisplayName(name).Lit(`</a>`)
}

// Writer is author with the member's tile.
func (m *Markup) Writer(name string, a Avatar) *Markup {
	if name == "" {
		return m
	}
	return m.Lit(`<a href="/u/`).Segment(name).Lit(`">`).Avatar(name, a).DisplayName(name).Lit(`</a>`)
}

// CommentCount links to a post's thread.
func (m *Markup) CommentCount(address string, n int64) *Markup {
	m.Lit(`<a class="cc" href="`).Text(address).Lit(`"`)
	if n >= 1000 {
		m.Lit(` title="`).exact(n).Lit(`"`)
	}
	return m.Lit(`>`).Compact(n).Lit(` `).Noun(n, "comment|comments").Lit(`</a>`)
}

// Pager links to the first and the next page of a list; nil if there is only one page.
func Pager(first, nextURL string) g.Node {
	if first == "" && nextURL == "" {
		return nil
	}
	return h.Nav(h.Class("pager"), Attr("aria-label", "Pages"), g.If(first != "", h.A(h.Href(first), T("First page"))), Next(nextURL))
}

func Author(name string) g.Node { return Component(func(m *Markup) { m.author(name) }) }

// Held reports whether the post is held until a moderator has decided.
func (p *PostItem) Held() bool { return p.Removal != nil && p.Removal.Held }
