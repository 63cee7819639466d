package feeds

import (
	"fmt"
	"html"
	"strings"
	"time"

	g "maragu.dev/gomponents"

	"plaza/render/markdown"
	"plaza/render/ui"
)

// Feed is a list of posts or comments for feed readers. Its addresses are absolute.
type Feed struct {
	SiteURL  string // base of the addresses in texts that begin with a slash
	SiteName string
	Title    string
	Subtitle string
	SelfURL  string // the feed itself
	PageURL  string // the page that shows the same
	NextURL  string // the next page of the feed; "" for none
	Entries  []Entry
}

// Entry is one post or comment of a feed.
type Entry struct {
	URL       string // never changes
	Title     string
	Author    string
	AuthorURL string
	Published time.Time
	Edited    time.Time // zero when it is as published
	Content   markdown.HTML
	Link      string   // what a post links to
	Terms     []string // its community and tags
	Pictures  []ui.PostPicture
}

// NewFeed begins the feed of a page. path is its address in the feed's format, next the address of the following page.
func NewFeed(f *ui.Frame, path, next string) Feed {
	feed := Feed{SiteURL: f.SiteURL, SiteName: f.SiteName, Title: f.SiteName, Subtitle: f.Description.String(), SelfURL: f.SiteURL + path,
		PageURL: f.Canonical}
	if f.Title != "" {
		feed.Title = f.Title.String() + " · " + f.SiteName
	}
	if next != "" {
		feed.NextURL = f.SiteURL + next
	}
	return feed
}

// AddPosts adds what everybody may read of a list of posts, with the first words of their texts.
func (f *Feed) AddPosts(posts []ui.PostItem) {
	for i := range posts {
		f.AddPost(&posts[i], excerptHTML(&posts[i]))
	}
}

// AddPost adds a post with a text, unless it was removed or deleted or is not published.
func (f *Feed) AddPost(p *ui.PostItem, text markdown.HTML) {
	if p.Gone() != "" || p.Removal != nil || p.Unpublished || p.Blocked {
		return
	}
	pictures := p.Pictures
	if p.NSFW || p.Spoiler {
		text, pictures = "", nil
	}
	terms := p.Tags
	if !ui.IsProfile(p.Community) {
		terms = append([]string{"c/" + p.Community}, terms...)
	}
	f.add(Entry{URL: f.SiteURL + p.URL, Title: ui.NameText(p.Title).String(), Published: p.CreatedAt, Edited: p.EditedAt, Content: text,
		Link: markdown.SafeURL(p.Link), Terms: terms, Pictures: pictures}, p.Author)
}

// AddThread adds the comments of a thread that are shown, with their replies.
func (f *Feed) AddThread(title string, comments []*ui.Comment) {
	for _, c := range comments {
		f.AddComment(title, c)
		f.AddThread(title, c.Replies)
	}
}

// AddComment adds a comment, unless it was removed or deleted.
func (f *Feed) AddComment(title string, c *ui.Comment) {
	if c.Deleted || c.Removed || c.Held || c.Blocked || c.BodyHTML == "" {
		return
	}
	who := c.Author
	if who == "" {
		who = ui.UnknownAuthor
	}
	f.add(Entry{URL: f.SiteURL + c.PostURL + "/" + c.ID, Title: who + " on " + ui.NameText(title).String(), Published: c.CreatedAt,
		Edited: c.EditedAt, Content: c.BodyHTML}, c.Author)
}

func (f *Feed) add(e Entry, author string) {
	e.Author, e.Content = author, e.Content.Public()
	if author == "" {
		e.Author = ui.UnknownAuthor
	} else {
		e.AuthorURL = f.SiteURL + ui.ProfileURL(author)
	}
	f.Entries = append(f.Entries, e)
}

// excerptHTML is the first words of a post's text.
func excerptHTML(p *ui.PostItem) markdown.HTML {
	if p.Excerpt == "" {
		return ""
	}
	return markdown.Plain(p.Excerpt)
}

// updated is when an entry changed last.
func (e *Entry) updated() time.Time {
	if e.Edited.IsZero() {
		return e.Published
	}
	return e.Edited
}

// Updated is when the feed changed last: with its newest entry. So it stays the same as long as the feed does.
func (f *Feed) Updated() time.Time {
	last := time.Unix(0, 0)
	for i := range f.Entries {
		if at := f.Entries[i].updated(); at.After(last) {
			last = at
		}
	}
	return last
}

// FeedXML is the feed in Atom (RFC 4287), with RFC 5005's link to the next page.
func FeedXML(f Feed) g.Node {
	return ui.Component(func(m *ui.Markup) {
		m.Lit(ui.XmlDeclaration).Lit(`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="`).XML(f.SiteURL).Lit("/\">\n")
		m.Element("id", f.SelfURL).Element("title", f.Title)
		if f.Subtitle != "" {
			m.Element("subtitle", f.Subtitle)
		}
		m.Lit(`<updated>`).RFC3339(f.Updated()).Lit("</updated>\n").Element("generator", "Plaza")
		feedLink(m, "self", "application/atom+xml", f.SelfURL)
		feedLink(m, "alternate", "text/html", f.PageURL)
		feedLink(m, "next", "application/atom+xml", f.NextURL)
		m.Element("icon", f.SiteURL+"/favicon.svg")
		for i := range f.Entries {
			entry(m, &f.Entries[i], f.SiteURL)
		}
		m.Lit("</feed>\n")
	})
}

// picturesHTML shows the pictures of a post by absolute addresses.
func picturesHTML(site string, list []ui.PostPicture) string {
	var b strings.Builder
	for _, p := range list {
		fmt.Fprintf(&b, `<p><img src="%s" alt="%s" width="%d" height="%d"></p>`, site+p.URL, html.EscapeString(p.Alt), p.Width, p.Height)
	}
	return b.String()
}

func entry(m *ui.Markup, e *Entry, site string) {
	m.Lit("<entry>\n").Element("id", e.URL).Element("title", e.Title)
	m.Lit(`<author><name>`).XML(e.Author).Lit(`</name>`)
	if e.AuthorURL != "" {
		m.Lit(`<uri>`).XML(e.AuthorURL).Lit(`</uri>`)
	}
	m.Lit("</author>\n<published>").RFC3339(e.Published).Lit("</published>\n<updated>").RFC3339(e.updated()).Lit("</updated>\n")
	feedLink(m, "alternate", "text/html", e.URL)
	feedLink(m, "related", "", e.Link)
	for _, term := range e.Terms {
		m.Lit(`<category term="`).XML(term).Lit("\"/>\n")
	}
	m.Lit(`<content type="html">`).XML(picturesHTML(site, e.Pictures) + string(e.Content)).Lit("</content>\n</entry>\n")
}

// feedLink writes a link, unless the address is empty.
func feedLink(m *ui.Markup, rel, kind ui.Literal, address string) *ui.Markup {
	if address == "" {
		return m
	}
	m.Lit(`<link rel="`).Lit(rel).Lit(`"`)
	if kind != "" {
		m.Lit(` type="`).Lit(kind).Lit(`"`)
	}
	return m.Lit(` href="`).XML(strings.TrimSpace(address)).Lit("\"/>\n")
}
