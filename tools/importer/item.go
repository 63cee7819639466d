package importer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/content/tags"
	"plaza/protocol/weburl"
	"plaza/ranking"
	"plaza/render/markdown"
	"plaza/tools/exchange"
)

// post is a row to write.
type post struct {
	source, community       string
	created, edited, pinned time.Time
	kind, title             string
	wanted                  string // slug
	link, image, domain     string
	text, html, excerpt     string
	cut                     bool // the text was too long
	status, flair, tags     string
	worn                    string // the author's flair
	ups, downs              int64
	hot                     float64
	nsfw, spoiler, locked   bool
	changed                 bool // a number or an address was changed to be valid here
	tagsLost                int
	author                  account
	pictures                wanted
	// What the writer adds.
	id    data.ID
	place *community
	slug  string
	tries int // slugs that were taken
}

// comment is a row to write.
type comment struct {
	source, post, parent string // sources; parent is "" for a reply to the post
	created, edited      time.Time
	body, html, status   string
	ups, downs           int64
	author               account
	cut                  bool // the text was too long
	changed              bool // as a post's
	pictures             wanted
	worn                 string // the author's flair
	// What the writer adds.
	id, postID, parentID data.ID
	community            data.ID
	path                 string
	depth                int
	op                   bool
}

// person is an author with more than a name.
type person struct {
	exchange.User
	site string
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
		return account{}, fmt.Errorf("the author's name is longer than %d bytes", idMax)
	}
	return account{origin: site + ":" + name, name: name}, nil
}

// personOf checks the line of an author. at maps its times.
func personOf(e exchange.User, site string, at func(time.Time) time.Time) (person, error) {
	if _, err := accountOf(site, e.Name); err != nil {
		return person{}, exchange.Badf("%v", err)
	}
	if e.CreatedAt = at(e.CreatedAt); isLate(e.CreatedAt) {
		return person{}, errLate
	}
	e.Bio = relink(e.Bio, site)
	return person{User: e, site: site}, nil
}

// wrongCommunity returns why a name is invalid for a community, also in an import; "" if it is valid.
func wrongCommunity(name string) string {
	switch {
	case !communityName.MatchString(name) || strings.Trim(name, "_") == "":
		return "is not the name of a community"
	case data.IsReservedCommunity(name):
		return "is reserved: it would read as a part of the site, as its staff or as a profile"
	}
	return ""
}

// communityLine checks the line of a community. at maps its times.
func communityLine(e exchange.Community, site string, at func(time.Time) time.Time) (exchange.Community, error) {
	if wrong := wrongCommunity(e.Name); wrong != "" {
		return e, exchange.Badf("%.40q %s", e.Name, wrong)
	}
	if e.CreatedAt = at(e.CreatedAt); isLate(e.CreatedAt) {
		return e, errLate
	}
	e.Sidebar = relink(e.Sidebar, site)
	e.Pages = slices.Clone(e.Pages)
	for i := range e.Pages {
		e.Pages[i].Text = relink(e.Pages[i].Text, site)
	}
	return e, nil
}

var errLate = exchange.Badf("created_at is in the future")

// isLate reports whether a time is in the future by more than clocks differ. Ids can't contain every such time, and lists would begin
// with such a post for years.
func isLate(at time.Time) bool { return at.After(time.Now().Add(24 * time.Hour)) }

// votesOf limits numbers of votes to a site's range. changed reports whether they were outside.
func votesOf(ups, downs int64) (_, _ int64, changed bool) {
	u, d := min(max(ups, 0), math.MaxInt32), min(max(downs, 0), math.MaxInt32)
	return u, d, u != ups || d != downs
}

// postOf checks a post and makes a row of it. at maps its times.
func postOf(e exchange.Post, site string, at func(time.Time) time.Time) (*post, error) {
	p := &post{source: sourceOf(site, e.ID), community: e.Community, title: data.Line(clean(e.Title)), wanted: e.Slug, kind: "text",
		status: "published",
		flair:  data.Line(clean(e.Flair)), nsfw: e.NSFW, spoiler: e.Spoiler, locked: e.Locked}
	var err error
	switch {
	case e.ID == "" || len(e.ID) > idMax:
		return nil, exchange.Badf("a post has an id of at most %d bytes", idMax)
	case wrongCommunity(e.Community) != "":
		return nil, exchange.Badf("%.40q %s", e.Community, wrongCommunity(e.Community))
	case e.CreatedAt.IsZero():
		return nil, exchange.Badf("a post has a created_at")
	}
	p.ups, p.downs, p.changed = votesOf(e.Ups, e.Downs)
	if p.created, p.edited, p.pinned = at(e.CreatedAt), at(e.EditedAt), at(e.PinnedAt); isLate(p.created) {
		return nil, errLate
	}
	p.hot = ranking.Hot(p.ups, p.downs, p.created)
	if !posts.IsSlug(p.wanted) {
		p.wanted = ""
	}
	if e.Deleted {
		p.status, p.title, p.flair = "deleted", "[deleted]", ""
		return p, nil
	}
	if p.title == "" {
		return nil, exchange.Badf("the title is empty")
	}
	p.title = cut(p.title, posts.TitleMax)
	if p.author, err = accountOf(site, e.Author); err != nil {
		return nil, exchange.Badf("%v", err)
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
	if p.write(text); p.text == "" && p.link == "" && p.image == "" && !e.TitleOnly && len(e.Pictures) == 0 {
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

// write sets a post's text. A text that is too long is cut, because without the post its thread would be missing.
func (p *post) write(text string) {
	if data.Blank(text) {
		return // a question can be all title
	}
	p.cut = utf8.RuneCountInString(text) > posts.TextMax
	p.text = cut(text, posts.TextMax)
	p.html, p.excerpt = htmlOf(p.text, data.PostHTMLMax), markdown.PlainExcerpt(p.text, posts.ExcerptLen)
}

// relink returns a text from another site with its mentions and paths changed. They would lead to members, communities and pages of this
// site. Now they lead to the other one, or are plain text.
func relink(text, site string) string {
	if len(text) > markdown.MaxMarkdown { // the rest is cut anyway
		text = data.FirstRunes(text, posts.TextMax+1)
	}
	if site == exchange.RedditSite {
		return markdown.Elsewhere(text, exchange.RedditURL, func(says string) string {
			name, is := strings.CutPrefix(strings.TrimPrefix(says, "/"), "u/")
			if !is {
				return ""
			}
			return exchange.RedditURL + "/user/" + name
		})
	}
	base := ""
	if strings.Contains(site, ".") {
		base = "https://" + site
	}
	return markdown.Elsewhere(text, base, func(string) string { return "" })
}

// htmlOf renders a text. If its HTML is too long, the source is shown.
func htmlOf(text string, longest int) string {
	markup, err := markdown.Render(text, longest)
	if err != nil {
		markup = markdown.Plain(text)
	}
	return string(markup)
}

// commentOf checks a comment and makes a row of it. at maps its times. A text that is too long is cut, because without the comment all
// replies to it would be missing.
func commentOf(e exchange.Comment, site string, at func(time.Time) time.Time) (*comment, error) {
	c := &comment{source: sourceOf(site, e.ID), post: sourceOf(site, e.Post), status: "published"}
	switch {
	case e.ID == "" || len(e.ID) > idMax || len(e.Post) > idMax || len(e.Parent) > idMax:
		return nil, exchange.Badf("a comment has an id of at most %d bytes, and so have its post and its parent", idMax)
	case e.Post == "":
		return nil, exchange.Badf("a comment has a post")
	case e.CreatedAt.IsZero():
		return nil, exchange.Badf("a comment has a created_at")
	}
	c.ups, c.downs, c.changed = votesOf(e.Ups, e.Downs)
	if c.created, c.edited = at(e.CreatedAt), at(e.EditedAt); isLate(c.created) {
		return nil, errLate
	}
	if e.Parent != "" {
		c.parent = sourceOf(site, e.Parent)
	}
	switch e.Gone {
	case "":
	case "deleted", "removed":
		c.status = e.Gone
		return c, nil
	default:
		return nil, exchange.Badf("gone is %.40q, not deleted or removed", e.Gone)
	}
	var err error
	if c.author, err = accountOf(site, e.Author); err != nil {
		return nil, exchange.Badf("%v", err)
	}
	c.pictures.shown = shownOf(e.Pictures, pictures.MostOfComment)
	body := relink(clean(e.Body), site)
	c.cut = utf8.RuneCountInString(body) > comments.CommentMax
	if c.body = cut(body, comments.CommentMax); data.Blank(c.body) && len(c.pictures.shown) == 0 {
		c.status, c.body, c.author = "deleted", "", account{}
		return c, nil
	}
	c.html, c.worn = htmlOf(c.body, data.CommentHTMLMax), wornOf(e.AuthorFlair)
	return c, nil
}
