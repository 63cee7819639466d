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
)

// linkMentions turns @name and u/name into links to people and c/name into links to
// communities, outside links and code.
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
	for at := from; at < stop; {
		sigil, base := mentionAt(source[:stop], t.Segment.Start, at)
		if sigil == 0 {
			at++
			continue
		}
		end := nameEnd(source[:stop], at+sigil)
		name := bytes.ReplaceAll(source[at+sigil:end], []byte(`\`), nil)
		if len(name) < 2 || len(name) > 32 || !endsMention(source[end:stop]) {
			at = max(end, at+1)
			continue
		}
		if at > from {
			parent.InsertBefore(parent, t, ast.NewTextSegment(text.NewSegment(from, at)))
		}
		link := ast.NewLink()
		link.Destination = append([]byte(base), name...)
		link.AppendChild(link, ast.NewTextSegment(text.NewSegment(at, end)))
		parent.InsertBefore(parent, t, link)
		at, from = end, end
	}
	t.Segment = t.Segment.WithStart(from)
}

// mentionAt returns the length of the sigil (such as @ or u/) of a mention that starts at at, 0 where there is none, and the path that its
// name is appended to.
func mentionAt(source []byte, start, at int) (sigil int, base string) {
	switch rest := source[at:]; {
	case rest[0] == '@':
		sigil, base = 1, "/u/"
	case bytes.HasPrefix(rest, []byte("u/")):
		sigil, base = 2, "/u/"
	case bytes.HasPrefix(rest, []byte("c/")):
		sigil, base = 2, "/c/"
	case bytes.HasPrefix(rest, []byte("/u/")):
		sigil, base = 3, "/u/"
	case bytes.HasPrefix(rest, []byte("/c/")):
		sigil, base = 3, "/c/"
	default:
		return 0, ""
	}
	if at == start {
		return sigil, base
	}
	// Within a word, a path or an address, and behind a backslash, it is no mention.
	if before, _ := utf8.DecodeLastRune(source[start:at]); wordRune(before) || strings.ContainsRune(`@/\.-_+=&#%~`, before) {
		return 0, ""
	}
	return sigil, base
}

// LinksTo tells whether HTML that was made of a text has a link to a member, as a mention makes one.
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

// nameEnd returns where a name ends. Its last character is a letter, a digit or _, so that "@kim-" and "@kim," mention kim. A backslash may
// stand before an underscore, because some editors put it there.
func nameEnd(source []byte, start int) int {
	end := start
	for end < len(source) {
		if bytes.HasPrefix(source[end:], []byte(`\_`)) {
			end++
		} else if !NameByte(source[end]) {
			break
		}
		end++
	}
	for end > start && source[end-1] == '-' {
		end--
	}
	return end
}

// endsMention tells whether a mention may end before rest. It may not end within a word or path, nor before the host of an account
// elsewhere (@kim@example.org).
func endsMention(rest []byte) bool {
	if len(rest) == 0 {
		return true
	}
	next, _ := utf8.DecodeRune(rest)
	return next != '@' && !wordRune(next) && (next != '/' || len(rest) == 1 || !NameByte(rest[1]))
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func NameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// Mentions returns the names of the members that a text mentions, in their order, each once, at most so many. Whom a quoted
// text mentions was told by the text that is quoted.
func Mentions(src string, most int) (names []string) {
	if len(src) > MaxMarkdown || !strings.ContainsAny(src, "@/") {
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
			if (says == "@"+name || strings.TrimPrefix(says, "/") == "u/"+name) &&
				!slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
				names = append(names, name)
			}
			if len(names) == most {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	return names
}
