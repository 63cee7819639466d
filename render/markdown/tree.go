package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// transform is a function as an AST transformer.
type transform func(doc *ast.Document, source []byte)

func (t transform) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	t(doc, reader.Source())
}

// trimBreaks removes the spaces before a hard line break. The parser leaves all but two of them in the text, because addressParser stops
// it at each space.
func trimBreaks(doc *ast.Document, source []byte) {
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := node.(*ast.Text); ok && entering && t.HardLineBreak() && t.Segment.IsEmpty() {
			if before, ok := t.PreviousSibling().(*ast.Text); ok && !before.IsRaw() {
				before.Segment = before.Segment.TrimRightSpace(source)
			}
		}
		return ast.WalkContinue, nil
	})
}

// flatten replaces nodes nested deeper than maxDepth by the text in them.
func flatten(doc *ast.Document, _ []byte) {
	var deep []ast.Node
	depth := 0
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			depth--
			return ast.WalkContinue, nil
		}
		depth++
		if depth == maxDepth && node.HasChildren() {
			deep = append(deep, node)
			depth--
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	for _, node := range deep {
		var leaves []ast.Node
		_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && n != node && !n.HasChildren() {
				leaves = append(leaves, n)
			}
			return ast.WalkContinue, nil
		})
		node.RemoveChildren(node)
		for _, leaf := range leaves {
			leaf.SetParent(nil)
			node.AppendChild(node, leaf)
		}
	}
}

// levelHeadings makes headings start at h3, below the headings of the page, and skip no level.
func levelHeadings(doc *ast.Document, _ []byte) {
	var headings []*ast.Heading
	top := 6
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			if heading, ok := node.(*ast.Heading); ok {
				headings = append(headings, heading)
				top = min(top, heading.Level)
			}
			if node.Type() == ast.TypeInline {
				return ast.WalkSkipChildren, nil
			}
		}
		return ast.WalkContinue, nil
	})
	last := 2
	for _, heading := range headings {
		heading.Level = min(3+heading.Level-top, last+1, 6)
		last = heading.Level
	}
}
