package render

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Depth and number of what people may nest; beyond it the marks are plain text. The
// parser's work per line grows with the open blocks and its work per paragraph with
// the open delimiters, so these bounds are what keeps it linear.
const (
	maxBlocks     = 12  // block quotes and list items opened by one line
	maxIndent     = 120 // columns of white space at the start of a line
	maxDelimiters = 400 // of each kind in one paragraph
	maxDepth      = 48  // of the tree
)

// bound cuts or escapes what exceeds the limits above and replaces NUL and invalid
// UTF-8. Fenced code at the left margin stays as it is.
func bound(src string) []byte {
	in := bytes.ToValidUTF8([]byte(src), []byte("\uFFFD"))
	in = bytes.ReplaceAll(in, []byte{0}, []byte("\uFFFD"))
	in = bytes.ReplaceAll(in, []byte("\r\n"), []byte("\n"))
	out := make([]byte, 0, len(in)+64)
	var seen delimiters
	var fence []byte
	for line := range bytes.Lines(in) {
		if wasIn := fence != nil; wasIn || opensFence(line) != nil {
			fence = nextFence(fence, line)
			out = append(out, line...)
			continue
		}
		line = dedent(line)
		if startsParagraph(line) {
			seen = delimiters{}
		}
		n := containers(line)
		out = append(out, line[:n]...)
		if line = line[n:]; n > 0 && opensContainer(line) > 0 {
			out = append(out, '\\')
		}
		out = seen.escape(out, line)
	}
	return out
}

// delimiters counts the delimiters of each kind in a paragraph.
type delimiters [256]int

// escape appends the line to out with the delimiters beyond the limit escaped.
func (seen *delimiters) escape(out, line []byte) []byte {
	for i, c := range line {
		run := i > 0 && line[i-1] == c
		switch c {
		case '[', ']':
			run = false
			fallthrough
		case '*', '_', '!', '<', '`':
			if !run {
				seen[c]++
			}
			if seen[c] > maxDelimiters && (i == 0 || line[i-1] != '\\') {
				out = append(out, '\\')
			}
		}
		out = append(out, c)
	}
	return out
}

// startsParagraph tells whether a line surely belongs to no earlier paragraph: it is
// blank or a bullet near the margin.
func startsParagraph(line []byte) bool {
	text := bytes.TrimLeft(line, " ")
	if len(bytes.TrimSpace(text)) == 0 {
		return true
	}
	return len(line)-len(text) < 4 && len(text) > 2 && text[1] == ' ' && text[2] > ' ' && bytes.IndexByte([]byte("-*+"), text[0]) >= 0
}

// dedent cuts white space at the start of a line down to maxIndent columns.
func dedent(line []byte) []byte {
	columns := 0
	for i, c := range line {
		switch c {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return line
		}
		if columns >= maxIndent {
			return append(line[:i+1:i+1], bytes.TrimLeft(line[i+1:], " \t")...)
		}
	}
	return line
}

// opensFence gives the mark of a code fence at the left margin, nil for other lines.
func opensFence(line []byte) []byte {
	if !bytes.HasPrefix(line, []byte("```")) && !bytes.HasPrefix(line, []byte("~~~")) {
		return nil
	}
	rest := bytes.TrimLeft(line, string(line[:1]))
	if line[0] == '`' && bytes.IndexByte(rest, '`') >= 0 {
		return nil
	}
	return line[:len(line)-len(rest)]
}

// nextFence gives the mark of the fence that is open after the line.
func nextFence(open, line []byte) []byte {
	if open == nil {
		return opensFence(line)
	}
	mark := bytes.TrimLeft(line, " ")
	rest := bytes.TrimLeft(mark, string(open[:1]))
	if len(line)-len(mark) < 4 && bytes.HasPrefix(mark, open) && len(bytes.TrimSpace(rest)) == 0 {
		return nil
	}
	return open
}

// containers gives the length of the first maxBlocks container marks of a line, 0
// when it has no more than that.
func containers(line []byte) int {
	at := 0
	for range maxBlocks {
		n := opensContainer(line[at:])
		if n == 0 {
			return 0
		}
		at += n
	}
	return at + len(line[at:]) - len(bytes.TrimLeft(line[at:], " \t"))
}

// opensContainer gives the length of the block quote or list mark a line starts
// with, with the space around it.
func opensContainer(line []byte) int {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	if i == len(line) {
		return 0
	}
	switch c := line[i]; {
	case c == '>':
		return i + 1
	case c == '-' || c == '*' || c == '+':
		i++
	case c >= '0' && c <= '9':
		for i < len(line) && line[i] >= '0' && line[i] <= '9' {
			i++
		}
		if i == len(line) || (line[i] != '.' && line[i] != ')') {
			return 0
		}
		i++
	default:
		return 0
	}
	if i == len(line) || line[i] == ' ' || line[i] == '\t' {
		return i
	}
	return 0
}

// transform makes an AST transformer of a function.
type transform func(doc *ast.Document, source []byte)

func (t transform) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	t(doc, reader.Source())
}

// flatten dissolves what is nested deeper than maxDepth into the text it holds.
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

// levelHeadings makes headings start at h3, below those of the page, and skip none.
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
