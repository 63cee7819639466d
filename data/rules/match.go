package rules

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Thing is what is judged.
type Thing struct {
	Kind      Kind // "" is that of the post which the place names
	Title     string
	Text      string   // Markdown
	Addresses []string // of link and image
}

// Showing adds the title and the addresses of a post that is shown again.
func (t Thing) Showing(title string, addresses ...string) Thing {
	t.Text += "\n" + title
	t.Addresses = append(slices.Clone(t.Addresses), addresses...)
	return t
}

// Author is who has written a thing.
type Author struct {
	Age      time.Duration // of the account
	Karma    int64
	Accepted int64 // posts and comments that are shown, as Rule.Accepted counts them
	Hourly   int64 // posts and comments within the hour
}

// patternReach is how much of a text patterns look at, in bytes. Words, domains and links are looked for everywhere.
const patternReach = 5000

// sample is a thing, prepared for matching.
type sample struct {
	kind  Kind
	plain string // plain of title and text
	raw   string // title and text, for patterns
	hosts []string
	links int
}

func prepare(t Thing) *sample {
	s := &sample{kind: t.Kind, raw: t.Title + "\n" + t.Text}
	s.plain = plain(s.raw)
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

// look notes the hosts of the addresses in a text.
func (s *sample) look(text string) {
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

// matches tells whether all conditions of a rule hold.
func (r *Rule) matches(s *sample, a Author) bool {
	return (len(r.Kinds) == 0 || slices.Contains(r.Kinds, s.kind)) &&
		(r.Younger < 0 || a.Age < time.Duration(r.Younger)*24*time.Hour) &&
		(r.Karma < 0 || a.Karma < int64(r.Karma)) &&
		(r.Accepted < 0 || a.Accepted < int64(r.Accepted)) &&
		(r.Hourly < 0 || a.Hourly > int64(r.Hourly)) &&
		(r.Links < 0 || s.links >= r.Links) &&
		(len(r.domains) == 0 || slices.ContainsFunc(s.hosts, r.blocks)) &&
		(len(r.words) == 0 || slices.ContainsFunc(r.words, func(word string) bool { return strings.Contains(s.plain, word) })) &&
		(r.pattern == nil || r.pattern.MatchString(s.raw))
}

// blocks tells whether a host is one of the rule's domains, or below one.
func (r *Rule) blocks(host string) bool {
	return slices.ContainsFunc(r.domains, func(domain string) bool {
		below, ok := strings.CutSuffix(host, domain)
		return ok && (below == "" || strings.HasSuffix(below, "."))
	})
}
