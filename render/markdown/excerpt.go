package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// PlainExcerpt gives the first n characters (runes) of the text without its markup,
// cut at a word and ended by an ellipsis when there is more. It reads only as much
// of src as that takes.
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
	plainText(&b, markdown().Parser().Parse(text.NewReader(source)), source)
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

// plainText writes what a node and those in it say, without markup.
func plainText(b *strings.Builder, node ast.Node, source []byte) {
	_ = ast.Walk(node, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			if node.Kind() == kindSpoiler {
				b.WriteString("[spoiler]")
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
