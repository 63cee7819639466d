package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// How deep and how often marks may be nested; beyond that they are plain text. The parser's time for a line grows with the open blocks
// around it, and its time for a block with the open marks in it. So these limits keep the time linear in the length of the text.
const (
	maxBlocks = 24  // block quotes, lists and list items around a line
	maxMarks  = 400 // of each kind in one block
	maxDepth  = 48  // of the tree
	maxLines  = 64  // of a paragraph in which definitions of links are looked for at once
)

// shallow opens block quotes or lists up to maxBlocks deep.
type shallow struct{ parser.BlockParser }

func (p shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	number, position := reader.Position()
	node, state := p.BlockParser.Open(parent, reader, pc)
	if node == nil {
		return nil, state
	}
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if depth > maxBlocks {
		reader.SetPosition(number, position)
		return nil, parser.NoChildren
	}
	return node, state
}

// few parses only the first maxMarks of each mark in a block, because every closing bracket and every asterisk may search all marks that
// were opened before.
type few struct{ parser.InlineParser }

var marksKey = parser.NewContextKey()

func (p few) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	seen, ok := pc.Get(marksKey).(*[256]int)
	if !ok {
		seen = new([256]int)
		pc.Set(marksKey, seen)
	}
	mark := block.Peek()
	if seen[mark]++; seen[mark] > maxMarks {
		return nil
	}
	return p.InlineParser.Parse(parent, block, pc)
}

func (p few) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	pc.Set(marksKey, nil)
	if closer, ok := p.InlineParser.(parser.CloseBlocker); ok {
		closer.CloseBlock(parent, block, pc)
	}
}

// closedCode begins a code span only where as many backticks follow, so that no run of backticks is searched for twice.
type closedCode struct{ parser.InlineParser }

var backticksKey = parser.NewContextKey()

// backticks maps the length of a run of backticks to where in the source the last such run begins.
type backticks map[int]int

func (p closedCode) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	last, ok := pc.Get(backticksKey).(backticks)
	if !ok {
		last = lastBackticks(block)
		pc.Set(backticksKey, last)
	}
	line, segment := block.PeekLine()
	n := run(line)
	if last[n] > segment.Start {
		return p.InlineParser.Parse(parent, block, pc)
	}
	block.Advance(n)
	return ast.NewTextSegment(segment.WithStop(segment.Start + n))
}

func (closedCode) CloseBlock(_ ast.Node, _ text.Reader, pc parser.Context) {
	pc.Set(backticksKey, nil)
}

// lastBackticks looks through the rest of a block, once.
func lastBackticks(block text.Reader) backticks {
	number, position := block.Position()
	last := backticks{}
	for {
		line, segment := block.PeekLine()
		if line == nil {
			break
		}
		for i := 0; i < len(line); i++ {
			if n := run(line[i:]); n > 0 {
				last[n] = segment.Start + i
				i += n
			}
		}
		block.AdvanceLine()
	}
	block.SetPosition(number, position)
	return last
}

// run is the number of backticks that b begins with.
func run(b []byte) int {
	n := 0
	for n < len(b) && b[n] == '`' {
		n++
	}
	return n
}

// definitions removes the definitions of links from a paragraph, a few lines at a time, because the parser moves all following lines for
// each definition.
type definitions struct{ parser.ParagraphTransformer }

func (p definitions) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	parent, lines := node.Parent(), node.Lines()
	for lines.Len() > maxLines {
		head := ast.NewParagraph()
		head.SetBlankPreviousLines(node.HasBlankPreviousLines())
		n := beforeBracket(lines, reader.Source())
		head.Lines().AppendAll(lines.Sliced(0, n))
		parent.InsertBefore(parent, node, head)
		p.ParagraphTransformer.Transform(head, reader, pc)
		if head.Parent() != nil { // it has text, after which there are no definitions
			left := head.Lines()
			left.AppendAll(lines.Sliced(n, lines.Len()))
			node.SetLines(left)
			parent.RemoveChild(parent, head)
			return
		}
		lines.SetSliced(n, lines.Len())
	}
	p.ParagraphTransformer.Transform(node, reader, pc)
}

// beforeBracket returns the number of lines, maxLines or a few less, after which a line begins with a bracket, so that no definition is cut
// in two.
func beforeBracket(lines *text.Segments, source []byte) int {
	for n := maxLines; n > maxLines/2; n-- {
		next := lines.At(n)
		if bytes.HasPrefix(bytes.TrimLeft(next.Value(source), " "), []byte("[")) {
			return n
		}
	}
	return maxLines
}
