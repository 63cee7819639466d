package importer

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/flair"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/content/tags"
	"plaza/data/names"
	"plaza/ops/exchange"
	"plaza/protocol/weburl"
	"plaza/ranking"
	"plaza/render/markdown"
)

// entry has the fields that a post and a comment share, until they are inserted.
type entry struct {
	source          string
	created, edited time.Time
	text, html      string
	status          string
	ups, downs      int64
	cut             bool // the text was too long
	changed         bool // a number or an address was made valid
	author          account
	authorFlair     string
	pictures        wanted
	// Set by the writer.
	id, communityID data.ID
}

func (e *entry) base() *entry { return e }

// textSize returns about how many bytes of text a row has at most. Search words that are split into pairs take twice as much as the text.
func (e *entry) textSize() int { return 3*len(e.text) + len(e.html) + e.pictures.textSize() }

type post struct {
	entry
	community             string
	pinned                time.Time
	kind, title           string
	wantedSlug            string
	link, image, domain   string
	excerpt, flair, tags  string
	hot                   float64
	nsfw, spoiler, locked bool
	tagsLost              int
	// Set by the writer.
	place *community
	slug  string
	tries int // slugs that were taken
}

type comment struct {
	entry
	post, parent string // sources; parent is "" for a reply to the post
	// Set by the writer.
	postID, parentID data.ID
	path             string
	depth            int
	op               bool
}

// person is an author with more than a name.
type person struct {
	exchange.User
	account account
}

// account is an author: a name of another site, and its account here. The zero value is none.
type account struct {
	origin, name string // origin is the site's and the name
	id           data.ID
}

// sourceOf returns the source of a post or comment of another site, as tables store it.
func sourceOf(site, id string) string { return site + ":" + id }

// idMax is the longest id or name of another site, in bytes.
const idMax = 100

func accountOf(site, name string) (account, error) {
	if name = clean(name); name == "" {
		return account{}, nil
	}
	if len(name) > idMax {
		return account{}, exchange.LineErrorf("the author's name is longer than %d bytes", idMax)
	}
	return account{origin: site + ":" + name, name: name}, nil
}

// personOf checks the line of an author. at maps its times.
func personOf(e exchange.User, site string, at func(time.Time) time.Time) (p person, err error) {
	if p.account, err = accountOf(site, e.Name); err != nil {
		return p, err
	}
	e.CreatedAt, e.Bio = at(e.CreatedAt), relink(e.Bio, site)
	p.User = e
	return p, rejectFuture(e.CreatedAt)
}

// wrongCommunity returns an error if no community can have this name, not even by an import.
func wrongCommunity(name string) error {
	switch {
	case !communityName.MatchString(name) || strings.Trim(name, "_") == "":
		return exchange.LineErrorf("%.40q is not the name of a community", name)
	case names.IsReservedCommunity(name):
		return exchange.LineErrorf("%.40q is reserved: it would read as a part of the site, as its staff or as a profile", name)
	}
	return nil
}

// communityOf checks the line of a community. at maps its times.
func communityOf(e exchange.Community, site string, at func(time.Time) time.Time) (exchange.Community, error) {
	if err := wrongCommunity(e.Name); err != nil {
		return e, err
	}
	e.CreatedAt, e.Sidebar = at(e.CreatedAt), relink(e.Sidebar, site)
	for i := range e.Pages {
		e.Pages[i].Text = relink(e.Pages[i].Text, site)
	}
	return e, rejectFuture(e.CreatedAt)
}

// rejectFuture returns an error for a time that is more than a day in the future. Ids can't contain every such time, and lists would begin
// with the post for years.
func rejectFuture(at time.Time) error {
	if at.After(time.Now().Add(24 * time.Hour)) {
		return exchange.LineErrorf("created_at is in the future")
	}
	return nil
}

// begin sets the status, times and votes of an entry. at maps the times. Votes outside of the limits are set to the limit.
func (e *entry) begin(what string, created, edited time.Time, ups, downs int64, at func(time.Time) time.Time) error {
	if created.IsZero() {
		return exchange.LineErrorf("a %s has a created_at", what)
	}
	e.status, e.created, e.edited = "published", at(created), at(edited)
	e.ups, e.downs = min(max(ups, 0), math.MaxInt32), min(max(downs, 0), math.MaxInt32)
	e.changed = e.ups != ups || e.downs != downs
	return rejectFuture(e.created)
}

// postOf checks the line of a post, and returns the post to insert. at maps its times.
func postOf(e exchange.Post, site string, at func(time.Time) time.Time) (*post, error) {
	if e.ID == "" || len(e.ID) > idMax {
		return nil, exchange.LineErrorf("a post has an id of at most %d bytes", idMax)
	}
	if err := wrongCommunity(e.Community); err != nil {
		return nil, err
	}
	p := &post{entry: entry{source: sourceOf(site, e.ID)}, community: e.Community, title: data.Line(clean(e.Title)), kind: "text",
		pinned: at(e.PinnedAt), flair: data.Line(clean(e.Flair)), nsfw: e.NSFW, spoiler: e.Spoiler, locked: e.Locked}
	if err := p.begin("post", e.CreatedAt, e.EditedAt, e.Ups, e.Downs, at); err != nil {
		return nil, err
	}
	p.hot = ranking.Hot(p.ups, p.downs, p.created)
	if posts.IsSlug(e.Slug) {
		p.wantedSlug = e.Slug
	}
	if e.Deleted {
		p.status, p.title, p.flair = "deleted", "[deleted]", ""
		return p, nil
	}
	if p.title == "" {
		return nil, exchange.LineErrorf("the title is empty")
	}
	p.title = cut(p.title, posts.TitleMax)
	var err error
	if p.author, err = accountOf(site, e.Author); err != nil {
		return nil, err
	}
	p.authorFlair = storedFlair(e.AuthorFlair)
	text := relink(clean(e.Text), site)
	for _, a := range []struct {
		address, kind string
		into          *string
	}{{e.Link, "link", &p.link}, {e.Image, "image", &p.image}} {
		typed := strings.TrimSpace(clean(a.address))
		if typed == "" {
			continue
		}
		address, ok := webURL(typed)
		if p.changed = p.changed || !ok || address != unsafeInURL.Replace(typed); ok {
			*a.into, p.kind = address, a.kind
		} else { // an invalid link is shown as text
			text = strings.TrimSpace("`" + unsafeInURL.Replace(data.Line(typed)) + "`\n\n" + text)
		}
	}
	p.pictures.shown = shownOf(e.Pictures, pictures.MaxOfPost)
	p.tags, p.tagsLost = tagsOf(e.Tags)
	p.domain = weburl.Domain(cmp.Or(p.link, p.image))
	if !data.Blank(text) { // a post may have only a title
		p.write(text, posts.TextMax, data.PostHTMLMax)
		p.excerpt = markdown.PlainExcerpt(p.text, posts.ExcerptLen)
	}
	if p.text == "" && p.link == "" && p.image == "" && !e.TitleOnly && len(e.Pictures) == 0 {
		return nil, exchange.LineErrorf("a post has a text, a link or an image, or its title_only is true")
	}
	return p, nil
}

// tagsOf returns the first valid tags of a list, as posts.tags stores them, and how many were left out.
func tagsOf(list []string) (text string, lost int) {
	var kept []string
	for _, name := range list {
		name = strings.Trim(tags.Spell(strings.NewReplacer(" ", "-", "_", "-").Replace(name)), "-")
		switch {
		case slices.Contains(kept, name):
		case tags.IsName(name) && len(kept) < tags.Max:
			kept = append(kept, name)
		default:
			lost++
		}
	}
	text, _ = tags.Parse(strings.Join(kept, " ")) // each is valid
	return text, lost
}

// write sets the text of a post or comment. A text that is too long is shortened: without the row, its replies could not be imported.
func (e *entry) write(text string, maxRunes, maxHTML int) {
	e.text, e.cut = cut(text, maxRunes), utf8.RuneCountInString(text) > maxRunes
	e.html = htmlOf(e.text, maxHTML)
}

// storedFlair returns the text of an author's flair as it is stored.
func storedFlair(text string) string { return cut(data.Line(clean(text)), flair.MemberTextMax) }

// relink returns a text from another site in which mentions and paths lead to that site, or are plain text. Otherwise they would lead to
// members, communities and pages of this site.
func relink(text, site string) string {
	if len(text) > markdown.MaxMarkdown { // the rest is cut anyway
		text = data.FirstRunes(text, posts.TextMax+1)
	}
	base, addressOf := "", func(string) string { return "" }
	switch {
	case site == exchange.RedditSite:
		base, addressOf = exchange.RedditURL, func(mention string) string {
			if name, isUser := strings.CutPrefix(strings.TrimPrefix(mention, "/"), "u/"); isUser {
				return exchange.RedditURL + "/user/" + name
			}
			return ""
		}
	case strings.Contains(site, "."):
		base = "https://" + site
	}
	return markdown.LinkToSource(text, base, addressOf)
}

// htmlOf renders a text. If its HTML is too long, the source is shown.
func htmlOf(text string, longest int) string {
	markup, err := markdown.Render(text, longest)
	if err != nil {
		markup = markdown.Plain(text)
	}
	return string(markup)
}

// commentOf checks the line of a comment, and returns the comment to insert. at maps its times.
func commentOf(e exchange.Comment, site string, at func(time.Time) time.Time) (*comment, error) {
	switch {
	case e.ID == "" || len(e.ID) > idMax || len(e.Post) > idMax || len(e.Parent) > idMax:
		return nil, exchange.LineErrorf("a comment has an id of at most %d bytes, and so have its post and its parent", idMax)
	case e.Post == "":
		return nil, exchange.LineErrorf("a comment has a post")
	}
	c := &comment{entry: entry{source: sourceOf(site, e.ID)}, post: sourceOf(site, e.Post)}
	if e.Parent != "" {
		c.parent = sourceOf(site, e.Parent)
	}
	if err := c.begin("comment", e.CreatedAt, e.EditedAt, e.Ups, e.Downs, at); err != nil {
		return nil, err
	}
	switch e.Gone {
	case "":
	case "deleted", "removed":
		c.status = e.Gone
		return c, nil
	default:
		return nil, exchange.LineErrorf("gone is %.40q, not deleted or removed", e.Gone)
	}
	author, err := accountOf(site, e.Author)
	if err != nil {
		return nil, err
	}
	c.pictures.shown = shownOf(e.Pictures, pictures.MaxOfComment)
	c.write(relink(clean(e.Body), site), comments.CommentMax, data.CommentHTMLMax)
	if data.Blank(c.text) && len(c.pictures.shown) == 0 {
		c.status, c.text, c.html = "deleted", "", ""
		return c, nil
	}
	c.author, c.authorFlair = author, storedFlair(e.AuthorFlair)
	return c, nil
}

var communityName = regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9_]{%d,%d}$`, names.Community.Shortest, names.Community.Longest))

// clean removes NUL and invalid UTF-8, which STRICT tables and pages can't contain.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

func cut(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	return data.FirstRunes(s, runes-1) + "…"
}

// webURL returns s as an absolute http or https address, as browsers open it. ok is false if it can't be one.
func webURL(s string) (address string, ok bool) {
	s = strings.TrimSpace(strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(s))
	switch {
	case strings.HasPrefix(s, "//"):
		s = "https:" + s
	case hostFirst.MatchString(s):
		s = "http://" + s
	}
	u, err := url.Parse(strings.ReplaceAll(s, "%", "%25")) // a % may be no escape
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || !strings.Contains(u.Hostname(), ".") {
		return "", false
	}
	s = u.Scheme + unsafeInURL.Replace(s[len(u.Scheme):])
	return s, len(s) <= data.URLMax
}

// hostFirst matches an address without a scheme.
var hostFirst = regexp.MustCompile(`^(?i)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:[0-9]+)?([/?#]|$)`)

// unsafeInURL escapes the characters that the site's own form refuses in an address.
var unsafeInURL = strings.NewReplacer(" ", "%20", `"`, "%22", "<", "%3C", ">", "%3E", `\`, "%5C", "`", "%60")
