package exchange

import (
	"encoding/json"
	"html"
	"math"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// RedditSite is the Site of what dumps of reddit say.
const RedditSite = "reddit"

// redditLine are the fields of a submission or comment of reddit, as its API and the dumps of Pushshift and Arctic Shift have
// them (github.com/reddit-archive/reddit/wiki/JSON). Numbers may be texts.
type redditLine struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	Author    string      `json:"author"`
	Subreddit string      `json:"subreddit"`
	Created   json.Number `json:"created_utc"`
	Edited    any         `json:"edited"` // false, true, or a time
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

	AuthorFlair string `json:"author_flair_text"` // of a comment as well

	// Of a comment.
	LinkID string `json:"link_id"`
	Parent any    `json:"parent_id"` // t1_… or t3_…; of some dumps the number
	Body   string `json:"body"`
}

var redditID = regexp.MustCompile(`^[0-9a-z]{1,13}$`)

// DecodeReddit reads a line of a dump of reddit: a Post or Comment, or a *Bad.
func DecodeReddit(line []byte) (any, error) {
	var r redditLine
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, Badf("not a line of reddit's: %v", err)
	}
	id := r.ID
	if id == "" {
		_, id, _ = strings.Cut(r.Name, "_")
	}
	if !redditID.MatchString(id) {
		return nil, Badf("id %.40q is not an id of reddit's", id)
	}
	created, err := redditTime(string(r.Created))
	if err != nil {
		return nil, err
	}
	ups, downs, err := r.votes()
	if err != nil {
		return nil, err
	}
	var edited time.Time
	switch at := r.Edited.(type) { // true means at a time that was not kept
	case float64:
		edited, _ = redditTime(strconv.FormatFloat(at, 'f', -1, 64))
	case string:
		edited, _ = redditTime(at)
	}
	author := r.Author
	if author == "[deleted]" {
		author = ""
	}
	if r.LinkID != "" {
		c := Comment{ID: "t1_" + id, Post: r.LinkID, Author: author, AuthorFlair: Unescape(r.AuthorFlair), Ups: ups,
			Downs: downs, CreatedAt: created, EditedAt: edited}
		if parent, ok := r.Parent.(string); ok && strings.HasPrefix(parent, "t1_") {
			c.Parent = parent
		} else if number, ok := r.Parent.(float64); ok {
			c.Parent = "t1_" + strconv.FormatInt(int64(number), 36)
		}
		if c.Gone = redditGone(r.Body); c.Gone == "" {
			c.Body = strings.TrimSpace(Unescape(r.Body))
		} else {
			c.Author, c.AuthorFlair = "", ""
		}
		return c, nil
	}
	p := Post{ID: "t3_" + id, Community: r.Subreddit, Author: author, AuthorFlair: Unescape(r.AuthorFlair),
		Title: Unescape(r.Title), Flair: Unescape(r.Flair), NSFW: r.Over18,
		Spoiler: r.Spoiler,
		Locked:  r.Locked, Ups: ups, Downs: downs, CreatedAt: created, EditedAt: edited}
	if p.Community == "" {
		if _, after, ok := strings.Cut(r.Permalink, "/r/"); ok {
			p.Community, _, _ = strings.Cut(after, "/")
		}
	}
	if redditGone(r.Selftext) != "" {
		p.Deleted, p.Author, p.AuthorFlair = true, "", ""
		return p, nil
	}
	p.Text = strings.TrimSpace(Unescape(r.Selftext))
	p.TitleOnly = r.IsSelf && p.Text == ""
	if !r.IsSelf {
		// Links to Reddit itself have no host.
		if p.Link = strings.ReplaceAll(r.URL, "&amp;", "&"); strings.HasPrefix(p.Link, "/") && !strings.HasPrefix(p.Link, "//") {
			p.Link = "https://www.reddit.com" + p.Link
		}
		if IsImage(p.Link) {
			p.Link, p.Image = "", p.Link
		}
	}
	return p, nil
}

// redditGone tells what became of a text: deleted, removed, or "" for one that is there.
func redditGone(text string) string {
	switch text {
	case "[deleted]":
		return "deleted"
	case "[removed]":
		return "removed"
	}
	return ""
}

// votes are the votes up and down. Newer dumps have the score alone.
func (r *redditLine) votes() (ups, downs int64, err error) {
	score, err := number(r.Score)
	if err != nil {
		return 0, 0, err
	}
	if ups, err = number(r.Ups); err != nil {
		return 0, 0, err
	}
	if downs, err = number(r.Downs); err != nil {
		return 0, 0, err
	}
	if r.Score != "" && ups-downs != score || r.Ups == "" || ups < 0 || downs < 0 {
		ups, downs = max(score, 0), max(-score, 0)
	}
	return ups, downs, nil
}

func number(n json.Number) (int64, error) {
	if n == "" {
		return 0, nil
	}
	v, err := n.Int64()
	if err != nil || v > math.MaxInt32 || v < -math.MaxInt32 {
		return 0, Badf("%.40q is not a count", string(n))
	}
	return v, nil
}

// The first posts of the web and the end of the four-digit years.
const minSeconds, maxSeconds = 631152000, 253402300799

func redditTime(s string) (time.Time, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= minSeconds && f <= maxSeconds) {
		return time.Time{}, Badf("created_utc: %.40q is not a time in seconds since 1970", s)
	}
	return time.UnixMilli(int64(math.Round(f * 1000))).UTC(), nil
}

// IsImage tells whether an address is that of a picture, by its ending.
func IsImage(link string) bool {
	u, err := url.Parse(link)
	if err != nil {
		return false
	}
	switch strings.ToLower(path.Ext(u.Path)) {
	case ".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif":
		return true
	}
	return false
}

var entity = regexp.MustCompile(`&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});`)

// Unescape undoes the entities that a dump's text carries, once. Only those that end in a semicolon: html's own
// reading of "&copy=1" in prose or an address would be a copyright sign.
func Unescape(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return entity.ReplaceAllStringFunc(s, html.UnescapeString)
}
