package importer

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/posts"
	"plaza/protocol/weburl"
	"plaza/ranking"
	"plaza/tools/exchange"
)

var needed = []string{"id", "title", "created_utc", "ups", "downs"}

func needColumns(column map[string]int) error {
	for _, name := range needed {
		if _, ok := column[name]; !ok {
			return fmt.Errorf("the first line is not the header of this format: it has no column %q", name)
		}
	}
	return nil
}

var (
	redditID      = regexp.MustCompile(`^[0-9a-z]{1,13}$`)
	communityName = regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9_]{%d,%d}$`, communities.NameMin, communities.NameMax))
)

// clean makes text that STRICT tables and pages can hold.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

// readReddit checks a row and turns it into a post. at maps its times.
func readReddit(r row, fallback string, at func(time.Time) time.Time) (*post, error) {
	id := r.get("id")
	if !redditID.MatchString(id) {
		return nil, r.badf("id %.40q is not an id of reddit's", id)
	}
	p := &post{status: "published", source: sourceOf(exchange.RedditSite, "t3_"+id), nsfw: r.get("over_18") == "True"}
	if p.community = communityOf(r.get("permalink"), fallback); p.community == "" {
		return nil, r.badf("neither the permalink nor the file's name tells the community")
	}
	if wrong := wrongCommunity(p.community); wrong != "" {
		return nil, r.badf("%.40q %s", p.community, wrong)
	}
	p.title = data.Line(exchange.Unescape(clean(r.get("title"))))
	if p.title == "" {
		return nil, r.badf("the title is empty")
	}
	p.title = cut(p.title, posts.TitleMax)

	created, err := seconds(r.get("created_utc"))
	if err != nil {
		return nil, r.badf("created_utc: %v", err)
	}
	if p.created = at(created); isLate(p.created) {
		return nil, r.badf("created_utc: %s is in the future", r.get("created_utc"))
	}
	// "True" means edited at a time reddit did not keep then.
	if edited, err := seconds(r.get("edited")); err == nil && edited.After(created) {
		p.edited = at(edited)
	}
	if p.ups, err = count(r.get("ups")); err != nil {
		return nil, r.badf("ups: %v", err)
	}
	if p.downs, err = count(r.get("downs")); err != nil {
		return nil, r.badf("downs: %v", err)
	}
	p.hot = ranking.Hot(p.ups, p.downs, p.created)

	if err := p.readBody(r); err != nil {
		return nil, err
	}
	return p, nil
}

// readBody fills in what the post is: text, link or image.
func (p *post) readBody(r row) error {
	p.kind = "text"
	if r.get("is_self") != "True" {
		link, err := webURL(strings.ReplaceAll(clean(r.get("url")), "&amp;", "&"))
		if err != nil {
			return r.badf("url: %v", err)
		}
		p.kind, p.link, p.domain = "link", link, weburl.Domain(link)
		if exchange.IsImage(link) {
			p.kind, p.link, p.image = "image", "", link
		}
	}
	p.write(strings.TrimSpace(exchange.Unescape(clean(r.get("selftext")))))
	return nil
}

// communityOf finds golang in http://www.reddit.com/r/golang/comments/….
func communityOf(permalink, fallback string) string {
	if _, after, ok := strings.Cut(permalink, "/r/"); ok {
		name, _, _ := strings.Cut(after, "/")
		if communityName.MatchString(name) {
			return name
		}
	}
	return fallback
}

// communityOfFile finds golang in dir/golang.csv.gz; "" when that is no name.
func communityOfFile(name string) string {
	name, _, _ = strings.Cut(path.Base(name), ".")
	if communityName.MatchString(name) {
		return name
	}
	return ""
}

// The first posts of the web and the end of the four-digit years.
const minSeconds, maxSeconds = 631152000, 253402300799

func seconds(s string) (time.Time, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("%.40q is not a number", s)
	}
	if !(f >= minSeconds && f <= maxSeconds) {
		return time.Time{}, fmt.Errorf("%.40q is not a time in seconds since 1970", s)
	}
	return time.UnixMilli(int64(math.Round(f * 1000))).UTC(), nil
}

func count(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return 0, fmt.Errorf("%.40q is not a count", s)
	}
	return n, nil
}

// webURL is s as an absolute http or https address.
func webURL(s string) (string, error) {
	s = strings.TrimSpace(s)
	u, err := url.Parse(s)
	switch {
	case s == "":
		return "", errors.New("is empty")
	case err != nil:
		return "", fmt.Errorf("%.80q is not a web address", s)
	case u.Scheme != "http" && u.Scheme != "https", u.User != nil, !strings.Contains(u.Hostname(), "."):
		return "", fmt.Errorf("%.80q is not a web address", s)
	}
	if s = u.Scheme + unsafeInURL.Replace(s[len(u.Scheme):]); len(s) > data.URLMax {
		return "", fmt.Errorf("is longer than %d bytes", data.URLMax)
	}
	return s, nil
}

// unsafeInURL are the characters that the site's own form refuses in an address.
var unsafeInURL = strings.NewReplacer(" ", "%20", `"`, "%22", "<", "%3C", ">", "%3E", `\`, "%5C", "`", "%60")

func cut(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	return string([]rune(s)[:runes-1]) + "…"
}

func hash(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return h.Sum32()
}
