package render

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
)

// Feed is a list of posts or comments for feed readers. Its addresses are absolute.
type Feed struct {
	SiteURL  string // ends the addresses in texts that begin with a slash
	SiteName string
	Title    string
	Subtitle string
	SelfURL  string // the feed itself
	PageURL  string // the page that shows the same
	NextURL  string // what follows; "" where nothing does
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
	Content   HTML
	Link      string   // what a post leads to
	Terms     []string // its community and tags
}

// NewFeed begins the feed of a page. path is its address in the feed's format, next that of what follows.
func NewFeed(f *Frame, path, next string) Feed {
	feed := Feed{SiteURL: f.SiteURL, SiteName: f.SiteName, Title: f.SiteName, Subtitle: f.Description, SelfURL: f.SiteURL + path, PageURL: f.Canonical}
	if f.Title != "" {
		feed.Title = f.Title + " · " + f.SiteName
	}
	if next != "" {
		feed.NextURL = f.SiteURL + next
	}
	return feed
}

// AddPosts adds what everybody may read of a list of posts, with the first words of their texts.
func (f *Feed) AddPosts(posts []PostItem) {
	for i := range posts {
		f.AddPost(&posts[i], excerptHTML(&posts[i]))
	}
}

// AddPost adds a post with a text, unless it was removed or deleted or is not published.
func (f *Feed) AddPost(p *PostItem, text HTML) {
	if p.gone() != "" || p.Removal != nil || p.Unpublished || p.Blocked {
		return
	}
	if p.NSFW || p.Spoiler {
		text = ""
	}
	terms := p.Tags
	if !isProfile(p.Community) {
		terms = append([]string{"c/" + p.Community}, terms...)
	}
	f.add(Entry{URL: f.SiteURL + p.URL, Title: named(p.Title), Published: p.CreatedAt, Edited: p.EditedAt, Content: text, Link: safeURL(p.Link), Terms: terms}, p.Author)
}

// AddThread adds the comments of a thread that are shown, with their replies.
func (f *Feed) AddThread(title string, comments []*Comment) {
	for _, c := range comments {
		f.AddComment(title, c)
		f.AddThread(title, c.Replies)
	}
}

// AddComment adds a comment, unless it was removed or deleted.
func (f *Feed) AddComment(title string, c *Comment) {
	if c.Deleted || c.Removed || c.Waits || c.Blocked || c.BodyHTML == "" {
		return
	}
	who := c.Author
	if who == "" {
		who = nobody
	}
	f.add(Entry{URL: f.SiteURL + c.PostURL + "/" + c.ID, Title: who + " on " + named(title), Published: c.CreatedAt, Edited: c.EditedAt, Content: c.BodyHTML}, c.Author)
}

// nobody stands for an author without a name: RFC 4287 wants one of every entry.
const nobody = "[unknown]"

func (f *Feed) add(e Entry, author string) {
	e.Author = author
	if author == "" {
		e.Author = nobody
	} else {
		e.AuthorURL = f.SiteURL + profileURL(author)
	}
	f.Entries = append(f.Entries, e)
}

// excerptHTML is the first words of a post's text.
func excerptHTML(p *PostItem) HTML {
	if p.Excerpt == "" {
		return ""
	}
	return RenderPlain(p.Excerpt)
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

// FeedXML is the feed in Atom (RFC 4287), with RFC 5005's link to what follows.
func FeedXML(f Feed) g.Node {
	return component(func(m *markup) {
		m.lit(xmlDeclaration).lit(`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="`).xml(f.SiteURL).lit("/\">\n")
		m.element("id", f.SelfURL).element("title", f.Title)
		if f.Subtitle != "" {
			m.element("subtitle", f.Subtitle)
		}
		m.lit(`<updated>`).rfc3339(f.Updated()).lit("</updated>\n").element("generator", "Plaza")
		m.feedLink("self", "application/atom+xml", f.SelfURL).feedLink("alternate", "text/html", f.PageURL).feedLink("next", "application/atom+xml", f.NextURL)
		m.element("icon", f.SiteURL+"/favicon.svg")
		for i := range f.Entries {
			m.entry(&f.Entries[i])
		}
		m.lit("</feed>\n")
	})
}

func (m *markup) entry(e *Entry) {
	m.lit("<entry>\n").element("id", e.URL).element("title", e.Title)
	m.lit(`<author><name>`).xml(e.Author).lit(`</name>`)
	if e.AuthorURL != "" {
		m.lit(`<uri>`).xml(e.AuthorURL).lit(`</uri>`)
	}
	m.lit("</author>\n<published>").rfc3339(e.Published).lit("</published>\n<updated>").rfc3339(e.updated()).lit("</updated>\n")
	m.feedLink("alternate", "text/html", e.URL).feedLink("related", "", e.Link)
	for _, term := range e.Terms {
		m.lit(`<category term="`).xml(term).lit("\"/>\n")
	}
	m.lit(`<content type="html">`).xml(string(e.Content)).lit("</content>\n</entry>\n")
}

// feedLink writes a link; none where there is no address.
func (m *markup) feedLink(rel, kind literal, address string) *markup {
	if address == "" {
		return m
	}
	m.lit(`<link rel="`).lit(rel).lit(`"`)
	if kind != "" {
		m.lit(` type="`).lit(kind).lit(`"`)
	}
	return m.lit(` href="`).xml(strings.TrimSpace(address)).lit("\"/>\n")
}
