package markdown

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"plaza/data/names"
)

// linkMentions turns @name and u/name into links to people and c/name into links to communities, outside links and code.
func linkMentions(doc *ast.Document, source []byte) {
	var texts []*ast.Text
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch node.Kind() {
		case ast.KindLink, ast.KindImage, ast.KindAutoLink, kindAddress, ast.KindCodeSpan:
			return ast.WalkSkipChildren, nil
		}
		if t, ok := node.(*ast.Text); ok && entering && !t.IsRaw() {
			texts = append(texts, join(t))
		}
		return ast.WalkContinue, nil
	})
	for _, t := range texts {
		splitMentions(t, source)
	}
}

// join adds the text nodes that follow without a gap to t. The parser splits texts at marks, such as the _ in a name.
func join(t *ast.Text) *ast.Text {
	for !t.SoftLineBreak() && !t.HardLineBreak() {
		next, ok := t.NextSibling().(*ast.Text)
		if !ok || next.IsRaw() || next.Segment.Start != t.Segment.Stop || next.Segment.Padding != 0 {
			break
		}
		t.Segment.Stop = next.Segment.Stop
		t.SetSoftLineBreak(next.SoftLineBreak())
		t.SetHardLineBreak(next.HardLineBreak())
		next.Parent().RemoveChild(next.Parent(), next)
	}
	return t
}

func splitMentions(t *ast.Text, source []byte) {
	parent, from, stop := t.Parent(), t.Segment.Start, t.Segment.Stop
	last := from - 2 // where the last mention ended: @kim/@ada are two
	for at := from; at < stop; {
		sigil, kind := sigilAt(source[at:stop])
		if sigil == 0 || !startsMention(source[t.Segment.Start:at], sigil) && (at != last+1 || source[last] == '\\') {
			at++
			continue
		}
		name, end := nameAt(source[:stop], at+sigil, kind.rule)
		if name == "" || !endsMention(source[end:stop]) {
			at = max(end, at+1)
			continue
		}
		if at > from {
			parent.InsertBefore(parent, t, ast.NewTextSegment(text.NewSegment(from, at)))
		}
		link := ast.NewLink()
		link.Destination = []byte(kind.path + name)
		link.AppendChild(link, ast.NewTextSegment(text.NewSegment(at, end)))
		parent.InsertBefore(parent, t, link)
		at, from, last = end, end, end
	}
	t.Segment = t.Segment.WithStart(from)
}

// mentionable is a kind of what can be mentioned: the path of its pages, and the rule for its names.
type mentionable struct {
	path string
	rule names.Rule
}

var (
	toMember    = mentionable{"/u/", names.Member}
	toCommunity = mentionable{"/c/", names.Community}
)

// sigilAt returns the length of the sigil (such as @ or u/) that b begins with, 0 if it begins with none.
func sigilAt(b []byte) (n int, to mentionable) {
	switch {
	case b[0] == '@':
		return 1, toMember
	case bytes.HasPrefix(b, []byte("＠")): // as East Asian keyboards write it
		return len("＠"), toMember
	case bytes.HasPrefix(b, []byte("u/")), bytes.HasPrefix(b, []byte("/u/")):
		return bytes.IndexByte(b[1:], '/') + 2, toMember
	case bytes.HasPrefix(b, []byte("c/")), bytes.HasPrefix(b, []byte("/c/")):
		return bytes.IndexByte(b[1:], '/') + 2, toCommunity
	}
	return 0, mentionable{}
}

// startsMention reports whether a mention may begin behind a text: not within a word, a path or an address, and not behind a backslash.
func startsMention(before []byte, sigil int) bool {
	if endsWord(before) {
		return false
	}
	mark, size := utf8.DecodeLastRune(before)
	switch {
	case strings.ContainsRune(`@＠/\`, mark):
		return false
	case strings.ContainsRune(`.-_+=&#%~`, mark):
		word := bytes.TrimSuffix(before[:len(before)-size], []byte(`\`))
		return sigil == 1 && !endsWord(word) // .@kim is a habit, ~/u/kim a path
	}
	return true
}

// endsWord reports whether a text ends in a word to which letters behind it belong. This is never a word of a script without letter case:
// many such scripts have no spaces, so a name or an address may follow at once.
func endsWord(before []byte) bool {
	for len(before) > 0 {
		r, size := utf8.DecodeLastRune(before)
		if !unicode.IsMark(r) {
			return continuesWord(r)
		}
		before = before[:len(before)-size]
	}
	return false
}

// continuesWord reports whether a letter or digit belongs to the same word as the Latin letters beside it.
func continuesWord(r rune) bool {
	return unicode.IsDigit(r) || unicode.IsUpper(r) || unicode.IsLower(r)
}

// LinksTo reports whether HTML that was made of a text has a link to a member, as a mention makes one.
func LinksTo(html, member string) bool {
	const link = `"/u/`
	for {
		_, rest, found := strings.Cut(html, link)
		if !found {
			return false
		}
		if len(rest) > len(member) && rest[len(member)] == '"' && strings.EqualFold(rest[:len(member)], member) {
			return true
		}
		html = rest
	}
}

// nameAt returns the name that begins at start and where it ends; the name is "" if the rule does not allow it. There may be a backslash
// before an underscore, because some editors put it there.
func nameAt(source []byte, start int, rule names.Rule) (name string, end int) {
	end = start
	for end < len(source) {
		if bytes.HasPrefix(source[end:], []byte(`\_`)) {
			end++
		} else if !NameByte(source[end]) {
			break
		}
		end++
	}
	name = strings.ReplaceAll(string(source[start:end]), `\`, "")
	rest := name[rule.Prefix(name):]
	if strings.Trim(rest, "-") != "" { // @kim_ is not kim, and c/a-b is not a
		return "", end
	}
	return strings.TrimSuffix(name, rest), end - len(rest)
}

// endsMention reports whether a mention may end before rest. It may not end within a word or path, nor before the host of an account
// elsewhere (@kim@example.org).
func endsMention(rest []byte) bool {
	if len(rest) == 0 {
		return true
	}
	next, _ := utf8.DecodeRune(rest)
	return next != '@' && next != '＠' && !continuesWord(next) && !unicode.IsMark(next) && (next != '/' || len(rest) == 1 || !NameByte(rest[1]))
}

func NameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// Mentions returns the names of the members that a text mentions, in their order, each once, at most limit names. It skips mentions in
// quotes: the quoted text has notified these members.
func Mentions(src string, limit int) (list []string) {
	if len(src) > MaxMarkdown || !strings.ContainsAny(src, "@＠/") {
		return nil
	}
	source := clean(src)
	_ = ast.Walk(markdown().Parser().Parse(text.NewReader(source), parser.WithContext(newFrugalContext(len(source)))),
		func(node ast.Node, entering bool) (ast.WalkStatus, error) {
			if node.Kind() == ast.KindBlockquote {
				return ast.WalkSkipChildren, nil
			}
			link, ok := node.(*ast.Link)
			if !ok || !entering {
				return ast.WalkContinue, nil
			}
			name, ok := strings.CutPrefix(string(link.Destination), "/u/")
			shown, alone := link.FirstChild().(*ast.Text)
			if !ok || !alone || link.ChildCount() != 1 {
				return ast.WalkContinue, nil
			}
			says := strings.ReplaceAll(string(shown.Segment.Value(source)), `\`, "")
			if slices.Contains([]string{"@" + name, "＠" + name, "u/" + name, "/u/" + name}, says) &&
				!slices.ContainsFunc(list, func(n string) bool { return strings.EqualFold(n, name) }) {
				list = append(list, name)
			}
			if len(list) == limit {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	return list
}
