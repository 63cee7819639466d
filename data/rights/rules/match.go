package rules

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"plaza/data/rights/reputation"
	"plaza/protocol/weburl"
)

// Thing is a text for the rules to check.
type Thing struct {
	Kind          Kind // "" is the kind of the post Place.Target
	Title         string
	HTML          string   // of the text, from markdown.Render
	OriginalTitle string   // the title of a crosspost's original
	Addresses     []string // of link and image
	Pictures      int      // number of its pictures
	Descriptions  []string // the descriptions of its pictures
	Reports       int64
}

// Showing returns t with the title and the addresses of a crosspost's original.
func (t Thing) Showing(title string, addresses ...string) Thing {
	t.OriginalTitle, t.Addresses = title, append(slices.Clone(t.Addresses), addresses...)
	return t
}

// Author is the author of a Thing.
type Author struct {
	Karma      int64
	Hourly     int64 // posts and comments within the hour, on the whole site
	HourlyHere int64 // the ones in this community
	Here       reputation.Reputation
}

// patternReach is how many bytes of a text, and of the addresses of its links, are matched with patterns. Words, domains and links are
// searched in the whole text.
const patternReach = 5000

// sample is a thing, prepared for matching.
type sample struct {
	Thing
	text   string // the visible text, in lines: the title, the text, the title of a crosspost's original, and the descriptions of pictures
	hover  string // the addresses and titles of links, in lines
	raw    string // both, as patterns are matched with them; computed on demand
	folded string // raw, folded; computed on demand
	links  int
	hosts  []string        // of links
	under  map[string]bool // the hosts (true), and their parent domains
}

func prepare(t Thing) *sample {
	r := readHTML(t.HTML)
	lines := slices.DeleteFunc(append([]string{t.Title, r.text, t.OriginalTitle}, t.Descriptions...), func(s string) bool { return s == "" })
	s := &sample{Thing: t, text: strings.Join(lines, "\n"), hover: strings.Join(r.hover, "\n")}
	for _, address := range slices.Concat(t.Addresses, r.links, addressesIn(t.Title), addressesIn(t.OriginalTitle)) {
		if address != "" {
			s.link(address)
		}
	}
	return s
}

// forPatterns returns the text that patterns are matched with.
func (s *sample) forPatterns() string {
	if s.raw == "" {
		s.raw = visible(s.text, patternReach)
		if s.hover != "" {
			s.raw += "\n" + visible(s.hover, patternReach)
		}
	}
	return s.raw
}

// Hosts returns the hosts to which a thing links, without "www.".
func Hosts(t Thing) []string { return prepare(t).hosts }

// link counts a link, and records its host and the parent domains.
func (s *sample) link(address string) {
	s.links++
	host := weburl.Domain(address)
	if host == "" || s.under[host] {
		return
	}
	if s.under == nil {
		s.under = map[string]bool{}
	}
	s.hosts, s.under[host] = append(s.hosts, host), true
	for _, above, more := strings.Cut(host, "."); more; _, above, more = strings.Cut(above, ".") {
		if !s.under[above] {
			s.under[above] = false
		}
	}
}

// linksTo reports whether a link leads to a domain or a subdomain.
func (s *sample) linksTo(domain string) bool {
	_, ok := s.under[domain]
	return ok
}

// addressesIn returns the addresses in a title. The page does not link them.
func addressesIn(title string) (list []string) {
	for {
		_, after, found := strings.Cut(title, "://")
		if !found {
			return list
		}
		end := strings.IndexFunc(after, func(c rune) bool { return c <= ' ' || c < utf8.RuneSelf && strings.ContainsRune(`/?#"'<>()[]{}|,;`, c) })
		if end < 0 {
			end = len(after)
		}
		title = after[end:]
		list = append(list, "http://"+strings.TrimRightFunc(after[:end], unicode.IsPunct))
	}
}

// plain returns the words of a text with one space around each. Letters are folded: case, width and style make no difference.
func plain(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	b.WriteByte(' ')
	space, simple := true, false // simple: the last letter is ASCII, and marks on it only disguise it
	for _, c := range norm.NFKC.String(text) {
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			b.WriteByte(byte(c))
			space, simple = false, true
		case c == '\'' || c == '’' || invisible(c) || simple && unicode.IsMark(c): // belongs to the word, or is invisible
		case unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c):
			c = fold(c)
			b.WriteRune(c)
			space, simple = false, c < utf8.RuneSelf
		case !space:
			b.WriteByte(' ')
			space, simple = true, false
		}
	}
	if !space {
		b.WriteByte(' ')
	}
	return b.String()
}

// set are the active rules of a community, or of the site.
type set struct {
	rules  []*Rule
	words  *dictionary // of the rules
	stored []stored    // their stored form
	until  time.Time
}

// matching returns the rules whose conditions on the thing hold. It finds the words of all rules in one pass over the text.
func (s *set) matching(x *sample) (list []*Rule) {
	found := make([]bool, len(s.rules))
	if s.words != nil {
		s.words.find(plain(x.text+"\n"+x.hover), found)
	}
	for i, r := range s.rules {
		if (len(r.Words) == 0 || found[i]) && r.matches(x) {
			list = append(list, r)
		}
	}
	return list
}

// fits reports whether the conditions on the author hold.
func (r *Rule) fits(a Author) bool {
	hourly := a.HourlyHere
	if r.site {
		hourly = a.Hourly
	}
	return r.young(a.Here.Age) &&
		(r.Karma < 0 || a.Karma < int64(r.Karma)) &&
		(r.Accepted < 0 || a.Here.Accepted() < int64(r.Accepted)) &&
		(r.Hourly < 0 || hourly > int64(r.Hourly)) &&
		(len(r.Levels) == 0 || slices.Contains(r.Levels, a.Here.Level()))
}

// young reports whether the condition on the age of the author's account holds.
func (r *Rule) young(age time.Duration) bool {
	return r.Younger < 0 || age < time.Duration(r.Younger)*24*time.Hour
}

// matches reports whether the conditions on the thing hold, except its words.
func (r *Rule) matches(s *sample) bool {
	return (len(r.Kinds) == 0 || slices.Contains(r.Kinds, s.Kind)) &&
		(r.Reports < 0 || s.Reports >= int64(r.Reports)) &&
		(r.Links < 0 || s.links >= r.Links) &&
		(r.Pictures < 0 || s.Pictures >= r.Pictures) &&
		(len(r.domains) == 0 || slices.ContainsFunc(r.domains, s.linksTo)) &&
		(r.pattern == nil || r.may(s) && r.pattern.MatchString(s.forPatterns()))
}

// may reports whether the pattern could match.
func (r *Rule) may(s *sample) bool {
	if len(r.must) == 0 {
		return true
	}
	if s.folded == "" {
		s.folded = folded(s.forPatterns())
	}
	return slices.ContainsFunc(r.must, func(text string) bool { return strings.Contains(s.folded, text) })
}
