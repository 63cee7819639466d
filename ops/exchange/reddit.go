package exchange

import (
	"encoding/json"
	"html"
	"math"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// RedditSite is the Site of dumps of reddit.
const RedditSite = "reddit"

// RedditURL is the address of reddit.
const RedditURL = "https://www.reddit.com"

// redditLine has the fields of a submission or comment of reddit, as in its API and the dumps of Pushshift and Arctic Shift
// (github.com/reddit-archive/reddit/wiki/JSON). Numbers and booleans may be texts.
type redditLine struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	Author    string      `json:"author"`
	Subreddit string      `json:"subreddit"`
	Created   json.Number `json:"created_utc"`
	Local     json.Number `json:"created"` // off by the hours of a time zone
	Edited    any         `json:"edited"`  // false, true, or a time
	Score     json.Number `json:"score"`
	Ups       json.Number `json:"ups"`
	Downs     json.Number `json:"downs"`

	// Of a submission.
	Title     string `json:"title"`
	Selftext  string `json:"selftext"`
	URL       string `json:"url"`
	IsSelf    bool   `json:"is_self"`
	Over18    bool   `json:"over_18"`
	Spoiler   bool   `json:"spoiler"`
	Locked    bool   `json:"locked"`
	Permalink string `json:"permalink"`
	Flair     string `json:"link_flair_text"`

	AuthorFlair string `json:"author_flair_text"` // of comments, too

	// Of a comment.
	LinkID string `json:"link_id"`
	Parent any    `json:"parent_id"` // t1_… or t3_…; in some dumps the number
	Body   string `json:"body"`
}

var redditID = regexp.MustCompile(`^[0-9a-z]{1,13}$`)

// DecodeReddit parses a line of a dump of reddit: a Post or Comment, or a *Bad. changed reports whether a number or time was changed or
// left out.
func DecodeReddit(line []byte) (item any, changed bool, err error) {
	var r redditLine
	if changed, err = unmarshal(line, &r); err != nil {
		return nil, false, LineErrorf("not a line of reddit's: %v", err)
	}
	return r.decode(changed)
}

// DecodeRedditRow parses the columns of a submission's row, as DecodeReddit parses a line.
func DecodeRedditRow(column func(name string) string) (item any, changed bool, err error) {
	var r redditLine
	v := reflect.ValueOf(&r).Elem()
	for i := range v.NumField() {
		if text := column(nameOf(v.Type().Field(i))); text != "" {
			changed = !setText(v.Field(i), text) || changed
		}
	}
	return r.decode(changed)
}

func (r *redditLine) decode(changed bool) (item any, _ bool, err error) {
	id := r.ID
	if id == "" {
		_, id, _ = strings.Cut(r.Name, "_")
	}
	if !redditID.MatchString(id) {
		return nil, false, LineErrorf("id %.40q is not an id of reddit's", id)
	}
	created, ok := parseTime(string(r.Created))
	if !ok {
		changed = true
		if created, ok = parseTime(string(r.Local)); !ok {
			return nil, false, LineErrorf("created_utc: %.40q is not a time", string(r.Created))
		}
	}
	ups, downs, exact := r.votes()
	changed = changed || !exact
	var edited time.Time
	switch at := r.Edited.(type) { // true means at an unknown time
	case float64:
		edited, ok = parseTime(strconv.FormatFloat(at, 'f', -1, 64))
	case string:
		edited, ok = parseTime(at)
	}
	if !ok {
		edited = time.Time{}
	}
	author, flair := r.Author, unescape(r.AuthorFlair)
	if redditGone(author) != "" {
		author = ""
	}
	if r.LinkID != "" {
		c := Comment{ID: "t1_" + id, Post: redditName("t3_", r.LinkID), Ups: ups, Downs: downs, CreatedAt: created, EditedAt: edited}
		if parent, ok := r.Parent.(string); ok && strings.HasPrefix(parent, "t1_") {
			c.Parent = parent
		} else if number, ok := r.Parent.(float64); ok {
			c.Parent = "t1_" + strconv.FormatInt(int64(number), 36)
		}
		if c.Gone = redditGone(r.Body); c.Gone == "" {
			c.Author, c.AuthorFlair, c.Body = author, flair, strings.TrimSpace(unescape(r.Body))
		}
		return c, changed, nil
	}
	p := Post{ID: "t3_" + id, Community: r.Subreddit, Title: unescape(r.Title), Flair: unescape(r.Flair), NSFW: r.Over18, Spoiler: r.Spoiler,
		Locked: r.Locked, Ups: ups, Downs: downs, CreatedAt: created, EditedAt: edited}
	if _, after, ok := strings.Cut(r.Permalink, "/r/"); ok && p.Community == "" {
		p.Community, _, _ = strings.Cut(after, "/")
	}
	if redditGone(r.Selftext) != "" || redditGone(p.Title) != "" {
		p.Deleted = true
		return p, changed, nil
	}
	p.Author, p.AuthorFlair, p.Text = author, flair, strings.TrimSpace(unescape(r.Selftext))
	if !r.IsSelf {
		// Links to Reddit itself have no host.
		if p.Link = strings.ReplaceAll(r.URL, "&amp;", "&"); strings.HasPrefix(p.Link, "/") && !strings.HasPrefix(p.Link, "//") {
			p.Link = RedditURL + p.Link
		}
		if isImage(p.Link) {
			p.Link, p.Image = "", p.Link
		}
	}
	p.TitleOnly = p.Text == "" && p.Link == "" && p.Image == ""
	return p, changed, nil
}

// redditName returns the fullname of a thing, such as t3_87gd. Some dumps have its id as a decimal number instead.
func redditName(kind, text string) string {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return kind + strconv.FormatInt(n, 36)
	}
	return text
}

// goneText matches the texts that replace a deleted one, such as [deleted], [removed], [deleted by user] and [ Removed by Reddit ].
var goneText = regexp.MustCompile(`^(?i)\s*\[\s*(deleted|removed)(\s+by\s+[^\[\]]{1,200})?\s*\]\s*$`)

// redditGone returns the state of a text: deleted, removed, or "" if it exists.
func redditGone(text string) string {
	if m := goneText.FindStringSubmatch(text); m != nil {
		return strings.ToLower(m[1])
	}
	return ""
}

// votes returns the votes up and down. Newer dumps only have the score. ok is false if a number is invalid, or higher than a site can
// have.
func (r *redditLine) votes() (ups, downs int64, ok bool) {
	ok = true
	number := func(n json.Number) int64 {
		v, exact := parseCount(string(n))
		kept := min(max(v, -math.MaxInt32), math.MaxInt32)
		ok = ok && exact && kept == v
		return kept
	}
	score := number(r.Score)
	ups, downs = number(r.Ups), number(r.Downs)
	ok = ok && ups >= 0 && downs >= 0
	if r.Score != "" && ups-downs != score || r.Ups == "" || ups < 0 || downs < 0 {
		ups, downs = max(score, 0), max(-score, 0)
	}
	return ups, downs, ok
}

// isImage reports whether an address has the extension of a picture.
func isImage(link string) bool {
	u, err := url.Parse(link)
	return err == nil && slices.Contains([]string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"}, strings.ToLower(path.Ext(u.Path)))
}

var entity = regexp.MustCompile(`&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});`)

// unescape replaces the HTML entities of a dump's text, once, and only those that end in a semicolon: html.UnescapeString would also
// replace &copy in "&copy=1", as an address may have it.
func unescape(s string) string { return entity.ReplaceAllStringFunc(s, html.UnescapeString) }
