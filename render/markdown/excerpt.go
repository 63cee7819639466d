package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// spoilerPlace replaces a spoiler where it can't be opened.
const spoilerPlace = "[spoiler]"

// Public is HTML for readers who may not be able to open a spoiler: feeds and search engines. It has spoilerPlace in place of each.
func (h HTML) Public() HTML {
	const opens, closes = "<details", "</details>"
	var b strings.Builder
	rest := string(h)
	for {
		before, spoiler, found := strings.Cut(rest, opens)
		b.WriteString(before)
		if !found {
			return HTML(b.String())
		}
		b.WriteString(spoilerPlace)
		for depth := 1; depth > 0; { // a spoiler may have others in it
			open, end := strings.Index(spoiler, opens), strings.Index(spoiler, closes)
			switch {
			case end < 0:
				return HTML(b.String())
			case open >= 0 && open < end:
				depth, spoiler = depth+1, spoiler[open+len(opens):]
			default:
				depth, spoiler = depth-1, spoiler[end+len(closes):]
			}
		}
		rest = spoiler
	}
}

// PlainExcerpt returns the first n characters (runes) of the text without its markup, cut at a word and ended by an ellipsis when there is
// more. It reads only as much of src as it needs. It leaves out what spoilers hide. src may be cut within a spoiler, so one without an
// end hides the rest of its paragraph.
func PlainExcerpt(src string, n int) string {
	head, more := src, false
	if limit := 4*n + 512; len(head) > limit {
		for limit > 0 && !utf8.RuneStart(head[limit]) {
			limit--
		}
		head, more = head[:limit], true
	}
	source := clean(head)
	var b strings.Builder
	doc := markdown().Parser().Parse(text.NewReader(source))
	veil(doc, source)
	plainText(&b, doc, source)
	runes := []rune(strings.Join(strings.Fields(b.String()), " "))
	if len(runes) <= n {
		if more && len(runes) > 0 {
			return string(runes) + "…"
		}
		return string(runes)
	}
	cut := n
	for i := n; i > n-20 && i > 0; i-- {
		if runes[i] == ' ' {
			cut = i
			break
		}
	}
	return strings.TrimRight(string(runes[:cut]), " ,;:") + "…"
}

// veil hides what follows the beginning of a spoiler without an end: the rest of its block or, at the beginning of a line, where it looks
// like a quote, all of that quote.
func veil(doc ast.Node, source []byte) {
	var texts []*ast.Text
	var quotes []*ast.Blockquote
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch node := node.(type) {
		case *ast.Text:
			if entering && opening(node, source) >= 0 {
				texts = append(texts, node)
			}
		case *ast.Blockquote:
			if entering && opensQuote(node, source) {
				quotes = append(quotes, node)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, t := range texts {
		t.Segment = t.Segment.WithStop(opening(t, source))
		t.SetSoftLineBreak(false)
		t.SetHardLineBreak(false)
		for n := ast.Node(t); n != nil && n.Type() == ast.TypeInline; n = n.Parent() {
			for n.NextSibling() != nil {
				n.Parent().RemoveChild(n.Parent(), n.NextSibling())
			}
		}
		if parent := t.Parent(); parent != nil { // nil if it was removed behind another spoiler
			parent.AppendChild(parent, &spoiler{})
		}
	}
	for _, quote := range quotes {
		quote.RemoveChildren(quote)
		quote.AppendChild(quote, &spoiler{})
	}
}

// opening returns the position of >! in a text, -1 for none. It is text because hideSpoilers has found no end. In a link it begins no
// spoiler.
func opening(t *ast.Text, source []byte) int {
	if t.IsRaw() || linked(t) {
		return -1
	}
	for at := t.Segment.Start; at+1 < t.Segment.Stop; at++ {
		switch {
		case source[at] == '\\':
			at++ // what follows is escaped
		case source[at] == '>' && source[at+1] == '!':
			return at
		}
	}
	return -1
}

// opensQuote reports whether a quote begins with >!.
func opensQuote(quote *ast.Blockquote, source []byte) bool {
	first := quote.FirstChild()
	if first == nil || first.Type() != ast.TypeBlock || first.Lines().Len() == 0 {
		return false
	}
	at := first.Lines().At(0).Start
	return at > 0 && source[at-1] == '>' && source[at] == '!'
}

// plainText writes the text of a node and its descendants, without markup.
func plainText(b *strings.Builder, node ast.Node, source []byte) {
	_ = ast.Walk(node, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			if node.Kind() == kindSpoiler {
				b.WriteString(spoilerPlace)
				return ast.WalkSkipChildren, nil
			}
			plain(b, node, source)
		}
		return ast.WalkContinue, nil
	})
}

// plain writes the text of one node.
func plain(b *strings.Builder, node ast.Node, source []byte) {
	switch node := node.(type) {
	case *ast.Text:
		if node.IsRaw() {
			b.Write(node.Segment.Value(source))
		} else {
			b.WriteString(unescape(node.Segment.Value(source)))
		}
		if node.SoftLineBreak() || node.HardLineBreak() {
			b.WriteByte('\n')
		}
	case *ast.String:
		b.Write(node.Value)
	case *ast.AutoLink:
		b.Write(node.Label(source))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		b.WriteByte(' ')
		b.Write(node.Lines().Value(source))
	default:
		if node.Type() == ast.TypeBlock {
			b.WriteByte(' ')
		}
	}
}
