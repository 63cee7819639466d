package rules

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"plaza/data/moderation/reputation"
)

// Thing is a text that the rules check.
type Thing struct {
	Kind      Kind // "" is that of the post which the place names
	Title     string
	Text      string   // Markdown
	Addresses []string // of link and image
	Pictures  int      // that it shows
	Reports   int64
}

// Showing adds the title and the addresses of a post that is shown again.
func (t Thing) Showing(title string, addresses ...string) Thing {
	if t.Text != "" {
		t.Text += "\n"
	}
	t.Text += title
	t.Addresses = append(slices.Clone(t.Addresses), addresses...)
	return t
}

// Author is the author of a Thing.
type Author struct {
	Karma      int64
	Hourly     int64 // posts and comments within the hour, on the whole site
	HourlyHere int64 // those of them that are in this community
	Here       reputation.Reputation
}

// patternReach is how much of a text patterns look at, in bytes. Words, domains and links are looked for everywhere.
const patternReach = 5000

// sample is a thing, prepared for matching.
type sample struct {
	Thing
	raw    string // the title, and in the next line the text, for patterns
	folded string // raw, made when it is asked for
	hosts  []string
	links  int
}

func prepare(t Thing) *sample {
	s := &sample{Thing: t, raw: t.Title}
	if t.Title == "" || t.Text == "" {
		s.raw += t.Text
	} else {
		s.raw += "\n" + t.Text
	}
	for _, address := range t.Addresses {
		s.look(address)
	}
	s.look(t.Text)
	s.look(t.Title)
	if len(s.raw) > patternReach {
		end := patternReach
		for end > 0 && !utf8.RuneStart(s.raw[end]) {
			end--
		}
		s.raw = s.raw[:end]
	}
	return s
}

// Hosts are the hosts of the addresses in some texts, in lower case.
func Hosts(texts ...string) []string {
	s := &sample{}
	for _, text := range texts {
		s.look(text)
	}
	return s.hosts
}

// look notes the hosts of the addresses in a text.
func (s *sample) look(text string) {
	if !strings.Contains(text, "://") {
		return
	}
	text = strings.ToLower(text)
	for {
		i := strings.Index(text, "://")
		if i < 0 {
			return
		}
		text = text[i+3:]
		end := strings.IndexFunc(text, func(c rune) bool {
			return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '.' && c != '-' && c != '_' && c != '@'
		})
		host := text
		if end >= 0 {
			host = text[:end]
		}
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			host = host[at+1:]
		}
		if host = strings.Trim(host, "."); host != "" {
			s.links++
			if !slices.Contains(s.hosts, host) && len(s.hosts) < 200 {
				s.hosts = append(s.hosts, host)
			}
		}
	}
}

// plain is a text as its words in lower case, with one space around each.
func plain(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	b.WriteByte(' ')
	space := true
	for _, c := range text {
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			b.WriteByte(byte(c))
			space = false
		case unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c):
			b.WriteRune(unicode.ToLower(c))
			space = false
		case c == '\'' || c == '’' || unicode.Is(unicode.Cf, c): // belongs to the word, or can't be seen
		case !space:
			b.WriteByte(' ')
			space = true
		}
	}
	if !space {
		b.WriteByte(' ')
	}
	return b.String()
}

// set are the rules of a community that are on, or those of the site.
type set struct {
	rules  []*Rule
	words  *dictionary // of the rules
	stored []stored    // that they were made from
	until  time.Time
}

// matching returns the rules whose conditions on the thing hold. Their words are found in one walk over the text.
func (s *set) matching(x *sample) (list []*Rule) {
	found := make([]bool, len(s.rules))
	if s.words != nil {
		s.words.find(plain(x.Title+"\n"+x.Text), found)
	}
	for i, r := range s.rules {
		if (len(r.Words) == 0 || found[i]) && r.matches(x) {
			list = append(list, r)
		}
	}
	return list
}

// fits tells whether the conditions on the author hold.
func (r *Rule) fits(a Author) bool {
	hourly := a.HourlyHere
	if r.site {
		hourly = a.Hourly
	}
	return r.young(a.Here.Age) &&
		(r.Karma < 0 || a.Karma < int64(r.Karma)) &&
		(r.Accepted < 0 || a.Here.Accepted() < int64(r.Accepted)) &&
		(r.Hourly < 0 || hourly > int64(r.Hourly)) &&
		(len(r.Standing) == 0 || slices.Contains(r.Standing, a.Here.Level()))
}

// young tells whether the condition on the age of the author's account holds.
func (r *Rule) young(age time.Duration) bool {
	return r.Younger < 0 || age < time.Duration(r.Younger)*24*time.Hour
}

// matches tells whether the conditions on the thing hold, but for its words.
func (r *Rule) matches(s *sample) bool {
	return (len(r.Kinds) == 0 || slices.Contains(r.Kinds, s.Kind)) &&
		(r.Reports < 0 || s.Reports >= int64(r.Reports)) &&
		(r.Links < 0 || s.links >= r.Links) &&
		(r.Pictures < 0 || s.Pictures >= r.Pictures) &&
		(len(r.domains) == 0 || slices.ContainsFunc(s.hosts, r.blocks)) &&
		(r.pattern == nil || r.may(s) && r.pattern.MatchString(s.raw))
}

// may tells whether the pattern could match.
func (r *Rule) may(s *sample) bool {
	if len(r.must) == 0 {
		return true
	}
	if s.folded == "" {
		s.folded = folded(s.raw)
	}
	return slices.ContainsFunc(r.must, func(text string) bool { return strings.Contains(s.folded, text) })
}

// blocks tells whether a host is one of the rule's domains, or below one.
func (r *Rule) blocks(host string) bool {
	return slices.ContainsFunc(r.domains, func(domain string) bool {
		below, ok := strings.CutSuffix(host, domain)
		return ok && (below == "" || strings.HasSuffix(below, "."))
	})
}
