package render

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// linkMentions turns @name and u/name into links to people and c/name into links to
// communities, outside links and code.
func linkMentions(doc *ast.Document, source []byte) {
	var texts []*ast.Text
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch node.Kind() {
		case ast.KindLink, ast.KindImage, ast.KindAutoLink, ast.KindCodeSpan:
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

// join takes in the texts that follow without a gap: the parser splits at marks such
// as the _ of a name.
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
	parent, from := t.Parent(), t.Segment.Start
	for at := from; at < t.Segment.Stop; {
		sigil, base := mentionAt(source, t.Segment.Start, at, t.Segment.Stop)
		if sigil == 0 {
			at++
			continue
		}
		end := at + sigil
		for end < t.Segment.Stop && nameByte(source[end]) {
			end++
		}
		// A name ends in a letter, a digit or _, so that "@kim-" and "@kim," read well.
		for end > at+sigil && source[end-1] == '-' {
			end--
		}
		if n := end - at - sigil; n < 2 || n > 32 {
			at = max(end, at+1)
			continue
		}
		if at > from {
			parent.InsertBefore(parent, t, ast.NewTextSegment(text.NewSegment(from, at)))
		}
		link := ast.NewLink()
		link.Destination = append([]byte(base), source[at+sigil:end]...)
		link.AppendChild(link, ast.NewTextSegment(text.NewSegment(at, end)))
		parent.InsertBefore(parent, t, link)
		at, from = end, end
	}
	t.Segment = t.Segment.WithStart(from)
}

// mentionAt gives the length of the sigil of a mention that starts at at, and the
// path its name is put behind.
func mentionAt(source []byte, start, at, stop int) (sigil int, base string) {
	if at > start {
		before := source[at-1]
		if nameByte(before) || before == '@' || before == '/' || before == '\\' || before == '.' || before >= 0x80 {
			return 0, ""
		}
	}
	switch {
	case source[at] == '@':
		return 1, "/u/"
	case bytes.HasPrefix(source[at:stop], []byte("u/")):
		return 2, "/u/"
	case bytes.HasPrefix(source[at:stop], []byte("c/")):
		return 2, "/c/"
	case bytes.HasPrefix(source[at:stop], []byte("/u/")):
		return 3, "/u/"
	case bytes.HasPrefix(source[at:stop], []byte("/c/")):
		return 3, "/c/"
	}
	return 0, ""
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}
