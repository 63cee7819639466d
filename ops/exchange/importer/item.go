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

// entry is what a post and a comment have alike on their way into the tables.
type entry struct {
	source          string
	created, edited time.Time
	text, html      string
	status          string
	ups, downs      int64
	cut             bool // the text was too long
	changed         bool // a number or an address was not as it can be here
	author          account
	worn            string // the author's flair
	pictures        wanted
	// What the writer adds.
	id, communityID data.ID
}

func (e *entry) base() *entry { return e }

// textSize is at most about how many bytes of text a row has. Where words are cut into pairs, they take twice as much as the text.
func (e *entry) textSize() int { return 3*len(e.text) + len(e.html) + e.pictures.textSize() }

type post struct {
	entry
	community             string
	pinned                time.Time
	kind, title           string
	wanted                string // slug
	link, image, domain   string
	excerpt, flair, tags  string
	hot                   float64
	nsfw, spoiler, locked bool
	tagsLost              int
	// What the writer adds.
	place *community
	slug  string
	tries int // slugs that were taken
}

type comment struct {
	entry
	post, parent string // sources; parent is "" for what answers the post
	// What the writer adds.
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
		return account{}, exchange.Badf("the author's name is longer than %d bytes", idMax)
	}
	return account{origin: site + ":" + name, name: name}, nil
}

// personOf checks what a line tells of an author. at maps its times.
func personOf(e exchange.User, site string, at func(time.Time) time.Time) (p person, err error) {
	if p.account, err = accountOf(site, e.Name); err != nil {
		return p, err
	}
	e.CreatedAt, e.Bio = at(e.CreatedAt), relink(e.Bio, site)
	p.User = e
	return p, late(e.CreatedAt)
}

// wrongCommunity says why no community can have a name, not even by an import; nil if one can.
func wrongCommunity(name string) error {
	switch {
	case !communityName.MatchString(name) || strings.Trim(name, "_") == "":
		return exchange.Badf("%.40q is not the name of a community", name)
	case names.IsReservedCommunity(name):
		return exchange.Badf("%.40q is reserved: it would read as a part of the site, as its staff or as a profile", name)
	}
	return nil
}

// communityOf checks what a line tells of a community. at maps its times.
func communityOf(e exchange.Community, site string, at func(time.Time) time.Time) (exchange.Community, error) {
	if err := wrongCommunity(e.Name); err != nil {
		return e, err
	}
	e.CreatedAt, e.Sidebar = at(e.CreatedAt), relink(e.Sidebar, site)
	for i := range e.Pages {
		e.Pages[i].Text = relink(e.Pages[i].Text, site)
	}
	return e, late(e.CreatedAt)
}

// late refuses a time that is in the future by more than clocks differ. Ids can't tell every such time, and lists would begin with such a
// post for years.
func late(at time.Time) error {
	if at.After(time.Now().Add(24 * time.Hour)) {
		return exchange.Badf("created_at is in the future")
	}
	return nil
}

// begin checks what a line tells of times and votes. at maps the times. Votes are brought into the bounds of a site.
func (e *entry) begin(what string, created, edited time.Time, ups, downs int64, at func(time.Time) time.Time) error {
	if created.IsZero() {
		return exchange.Badf("a %s has a created_at", what)
	}
	e.status, e.created, e.edited = "published", at(created), at(edited)
	e.ups, e.downs = min(max(ups, 0), math.MaxInt32), min(max(downs, 0), math.MaxInt32)
	e.changed = e.ups != ups || e.downs != downs
	return late(e.created)
}

// postOf checks a post and makes a row of it. at maps its times.
func postOf(e exchange.Post, site string, at func(time.Time) time.Time) (*post, error) {
	if e.ID == "" || len(e.ID) > idMax {
		return nil, exchange.Badf("a post has an id of at most %d bytes", idMax)
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
		p.wanted = e.Slug
	}
	if e.Deleted {
		p.status, p.title, p.flair = "deleted", "[deleted]", ""
		return p, nil
	}
	if p.title == "" {
		return nil, exchange.Badf("the title is empty")
	}
	p.title = cut(p.title, posts.TitleMax)
	var err error
	if p.author, err = accountOf(site, e.Author); err != nil {
		return nil, err
	}
	p.worn = wornOf(e.AuthorFlair)
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
		} else { // readers still see an invalid link
			text = strings.TrimSpace("`" + unsafeInURL.Replace(data.Line(typed)) + "`\n\n" + text)
		}
	}
	p.pictures.shown = shownOf(e.Pictures, pictures.Most)
	p.tags, p.tagsLost = tagsOf(e.Tags)
	p.domain = weburl.Domain(cmp.Or(p.link, p.image))
	if !data.Blank(text) { // a question can be all title
		p.write(text, posts.TextMax, data.PostHTMLMax)
		p.excerpt = markdown.PlainExcerpt(p.text, posts.ExcerptLen)
	}
	if p.text == "" && p.link == "" && p.image == "" && !e.TitleOnly && len(e.Pictures) == 0 {
		return nil, exchange.Badf("a post has a text, a link or an image, or its title_only is true")
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
	text, _ = tags.Parse(strings.Join(kept, " ")) // each of them is one
	return text, lost
}

// write gives a post or a comment its text. One that is too long is cut: what was left out would take along all that answers it.
func (e *entry) write(text string, most, html int) {
	e.text, e.cut = cut(text, most), utf8.RuneCountInString(text) > most
	e.html = htmlOf(e.text, html)
}

// wornOf returns the text of an author's flair as it is stored.
func wornOf(text string) string { return cut(data.Line(clean(text)), flair.MemberTextMax) }

// relink returns a text from another site with its mentions and paths changed. They would lead to members, communities and pages of this
// site. Now they lead to the other one, or are plain text.
func relink(text, site string) string {
	if len(text) > markdown.MaxMarkdown { // the rest is cut anyway
		text = data.FirstRunes(text, posts.TextMax+1)
	}
	base, addressOf := "", func(string) string { return "" }
	switch {
	case site == exchange.RedditSite:
		base, addressOf = exchange.RedditURL, func(says string) string {
			if name, is := strings.CutPrefix(strings.TrimPrefix(says, "/"), "u/"); is {
				return exchange.RedditURL + "/user/" + name
			}
			return ""
		}
	case strings.Contains(site, "."):
		base = "https://" + site
	}
	return markdown.Elsewhere(text, base, addressOf)
}

// htmlOf renders a text. If its HTML is too long, the source is shown.
func htmlOf(text string, longest int) string {
	markup, err := markdown.Render(text, longest)
	if err != nil {
		markup = markdown.Plain(text)
	}
	return string(markup)
}

// commentOf checks a comment and makes a row of it. at maps its times.
func commentOf(e exchange.Comment, site string, at func(time.Time) time.Time) (*comment, error) {
	switch {
	case e.ID == "" || len(e.ID) > idMax || len(e.Post) > idMax || len(e.Parent) > idMax:
		return nil, exchange.Badf("a comment has an id of at most %d bytes, and so have its post and its parent", idMax)
	case e.Post == "":
		return nil, exchange.Badf("a comment has a post")
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
		return nil, exchange.Badf("gone is %.40q, not deleted or removed", e.Gone)
	}
	author, err := accountOf(site, e.Author)
	if err != nil {
		return nil, err
	}
	c.pictures.shown = shownOf(e.Pictures, pictures.MostOfComment)
	c.write(relink(clean(e.Body), site), comments.CommentMax, data.CommentHTMLMax)
	if data.Blank(c.text) && len(c.pictures.shown) == 0 {
		c.status, c.text, c.html = "deleted", "", ""
		return c, nil
	}
	c.author, c.worn = author, wornOf(e.AuthorFlair)
	return c, nil
}

var communityName = regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9_]{%d,%d}$`, names.Community.Shortest, names.Community.Longest))

// clean makes text that STRICT tables and pages can hold.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

func cut(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	return data.FirstRunes(s, runes-1) + "…"
}

// webURL is s as an absolute http or https address, as browsers open it. ok is false for what is none.
func webURL(s string) (address string, ok bool) {
	s = strings.TrimSpace(strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(s))
	switch {
	case strings.HasPrefix(s, "//"):
		s = "https:" + s
	case hostFirst.MatchString(s):
		s = "http://" + s
	}
	u, err := url.Parse(strings.ReplaceAll(s, "%", "%25")) // which need not begin an escape
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || !strings.Contains(u.Hostname(), ".") {
		return "", false
	}
	s = u.Scheme + unsafeInURL.Replace(s[len(u.Scheme):])
	return s, len(s) <= data.URLMax
}

// hostFirst is an address without a scheme.
var hostFirst = regexp.MustCompile(`^(?i)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:[0-9]+)?([/?#]|$)`)

// unsafeInURL are the characters that the site's own form refuses in an address.
var unsafeInURL = strings.NewReplacer(" ", "%20", `"`, "%22", "<", "%3C", ">", "%3E", `\`, "%5C", "`", "%60")
