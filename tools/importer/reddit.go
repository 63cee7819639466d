package importer

import (
	"fmt"
	"hash/fnv"
	"net/url"
	"path"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/names"
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

var communityName = regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9_]{%d,%d}$`, names.Community.Shortest, names.Community.Longest))

// clean returns a text that STRICT tables and pages accept.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

// readReddit checks a row and makes a post of it. at maps its times.
func readReddit(r row, fallback string, at func(time.Time) time.Time) (p *post, changed bool, err error) {
	item, changed, err := exchange.DecodeRedditRow(r.get)
	if err != nil {
		return nil, false, err
	}
	e, ok := item.(exchange.Post)
	if !ok {
		return nil, false, exchange.Badf("it has a link_id, which posts have not")
	}
	if !communityName.MatchString(e.Community) {
		if e.Community = fallback; fallback == "" {
			return nil, false, exchange.Badf("neither the permalink nor the file's name tells the community")
		}
	}
	p, err = postOf(e, exchange.RedditSite, at)
	return p, changed, err
}

// communityOfFile returns golang for dir/golang.csv.gz; "" for an invalid name.
func communityOfFile(name string) string {
	name, _, _ = strings.Cut(path.Base(name), ".")
	if communityName.MatchString(name) {
		return name
	}
	return ""
}

// webURL returns s as an absolute http or https address, as browsers open it. ok is false for an invalid one.
func webURL(s string) (address string, ok bool) {
	s = strings.TrimSpace(strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(s))
	switch {
	case strings.HasPrefix(s, "//"):
		s = "https:" + s
	case hostFirst.MatchString(s):
		s = "http://" + s
	}
	u, err := url.Parse(strings.ReplaceAll(s, "%", "%25")) // it need not begin an escape
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || !strings.Contains(u.Hostname(), ".") {
		return "", false
	}
	s = u.Scheme + unsafeInURL.Replace(s[len(u.Scheme):])
	return s, len(s) <= data.URLMax
}

// hostFirst matches an address without a scheme.
var hostFirst = regexp.MustCompile(`^(?i)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:[0-9]+)?([/?#]|$)`)

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
