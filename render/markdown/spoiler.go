package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A spoiler, >!such as this!<, is a disclosure of HTML: it opens without a script, by keyboard too, and is announced. The parser only marks
// where one begins and ends. hideSpoilers pairs the marks that have the same parent, when links and emphasis are known, so that elements
// are nested whatever the marks cross.
type spoiler struct{ ast.BaseInline }

// spoilerMark is >! or !<.
type spoilerMark struct {
	ast.BaseInline
	segment text.Segment
	opens   bool
}

// disclosing is a paragraph with a spoiler. The p of HTML can't hold one.
type disclosing struct{ ast.BaseBlock }

var (
	kindSpoiler          = ast.NewNodeKind("Spoiler")
	kindSpoilerMark      = ast.NewNodeKind("SpoilerMark")
	kindSpoilerParagraph = ast.NewNodeKind("SpoilerParagraph")
)

func (*spoiler) Kind() ast.NodeKind     { return kindSpoiler }
func (*spoilerMark) Kind() ast.NodeKind { return kindSpoilerMark }
func (*disclosing) Kind() ast.NodeKind  { return kindSpoilerParagraph }

func (n *spoiler) Dump(source []byte, level int)     { ast.DumpHelper(n, source, level, nil, nil) }
func (n *spoilerMark) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }
func (n *disclosing) Dump(source []byte, level int)  { ast.DumpHelper(n, source, level, nil, nil) }

// spoilerParser finds the marks. One that ends a spoiler counts only behind one that begins one, because what follows the exclamation mark
// may be an address: wow!<https://…>.
type spoilerParser struct{}

// begunKey keeps whether the last mark of a block begins a spoiler.
var begunKey = parser.NewContextKey()

func (spoilerParser) Trigger() []byte { return []byte{'>', '!'} }

func (spoilerParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	open, begun := pc.Get(begunKey).(bool)
	opens := bytes.HasPrefix(line, []byte(">!")) && !(open && bytes.HasPrefix(line, []byte(">!<"))) // hidden text may end in >
	if !opens && (!begun || !bytes.HasPrefix(line, []byte("!<"))) {
		return nil
	}
	pc.Set(begunKey, opens)
	block.Advance(2)
	return &spoilerMark{segment: segment.WithStop(segment.Start + 2), opens: opens}
}

func (spoilerParser) CloseBlock(_ ast.Node, _ text.Reader, pc parser.Context) { pc.Set(begunKey, nil) }

// quotes opens block quotes, but not where a line begins with a spoiler or is within one.
type quotes struct{ parser.BlockParser }

// maxSpoiler is how many bytes the end of a spoiler is searched in, to distinguish it from a quote.
const maxSpoiler = 4 << 10

func (p quotes) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, segment := reader.PeekLine()
	if at := pc.BlockOffset(); at >= 0 {
		rest, begins := bytes.CutPrefix(reader.Source()[min(segment.Start+at, segment.Stop):], []byte(">!"))
		if (begins || hiding(reader.Source(), segment.Start, pc)) && hidingEnds(rest) {
			return nil, parser.NoChildren
		}
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// hidingEnds reports whether a spoiler that has begun ends in a text, before the paragraph does.
func hidingEnds(rest []byte) bool {
	rest = rest[:min(len(rest), maxSpoiler)]
	for _, end := range []string{"\n\n", "\n>\n", "\n> \n"} {
		rest, _, _ = bytes.Cut(rest, []byte(end))
	}
	return bytes.Contains(rest, []byte("!<"))
}

// hidden is how far a paragraph was searched for the marks of spoilers, and whether the last mark begins a spoiler.
type hidden struct {
	paragraph ast.Node
	to        int
	open      bool
}

var hiddenKey = parser.NewContextKey()

// hiding reports whether the paragraph that is open where a line begins has a spoiler that has not ended.
func hiding(source []byte, line int, pc parser.Context) bool {
	paragraph, ok := pc.LastOpenedBlock().Node.(*ast.Paragraph)
	if !ok || paragraph.Lines().Len() == 0 {
		return false
	}
	h, ok := pc.Get(hiddenKey).(*hidden)
	if !ok || h.paragraph != ast.Node(paragraph) {
		h = &hidden{paragraph: paragraph, to: paragraph.Lines().At(0).Start}
		pc.Set(hiddenKey, h)
	}
	text := source[h.to:line]
	if begin, end := bytes.LastIndex(text, []byte(">!")), bytes.LastIndex(text, []byte("!<")); begin != end {
		h.open = begin > end
	}
	h.to = line
	return h.open
}

// hideSpoilers turns pairs of marks into spoilers. A mark becomes text again if it has no counterpart, if there is nothing to hide, or
// within a link, because a link can't contain a disclosure.
func hideSpoilers(doc *ast.Document, source []byte) {
	var marks []*spoilerMark
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if mark, ok := node.(*spoilerMark); ok && entering {
			marks = append(marks, mark)
		}
		return ast.WalkContinue, nil
	})
	begun := map[ast.Node]*spoilerMark{} // by parent, since the last end
	var found []*spoiler
	for _, mark := range marks {
		parent := mark.Parent()
		begin := begun[parent]
		switch {
		case linked(mark) || mark.opens == (begin != nil):
			markToText(mark)
		case mark.opens:
			begun[parent] = mark
		case begin.NextSibling() == ast.Node(mark):
			delete(begun, parent)
			markToText(begin)
			markToText(mark)
		default:
			delete(begun, parent)
			found = append(found, hide(begin, mark))
		}
	}
	for _, mark := range begun {
		markToText(mark)
	}
	for _, hidden := range found { // last, because the marks are paired by their parents
		disclose(hidden)
	}
}

// markToText turns a mark into text.
func markToText(mark *spoilerMark) {
	mark.Parent().ReplaceChild(mark.Parent(), mark, ast.NewTextSegment(mark.segment))
}

// hide puts the nodes between two marks into a spoiler.
func hide(begin, end *spoilerMark) *spoiler {
	parent := begin.Parent()
	hidden := &spoiler{}
	for node := begin.NextSibling(); node != ast.Node(end); node = begin.NextSibling() {
		hidden.AppendChild(hidden, node) // also removes it from its parent
	}
	parent.RemoveChild(parent, end)
	parent.ReplaceChild(parent, begin, hidden)
	return hidden
}

// disclose replaces the paragraph around a spoiler by a disclosing block.
func disclose(hidden *spoiler) {
	for node := hidden.Parent(); node != nil && node.Kind() != kindSpoilerParagraph; node = node.Parent() {
		if node.Kind() == ast.KindParagraph {
			block := &disclosing{}
			for child := node.FirstChild(); child != nil; child = node.FirstChild() {
				block.AppendChild(block, child)
			}
			node.Parent().ReplaceChild(node.Parent(), node, block)
			return
		}
	}
}

func renderSpoiler(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<details class="sp"><summary>Spoiler</summary> `)
	} else {
		_, _ = w.WriteString("</details>")
	}
	return ast.WalkContinue, nil
}

func renderSpoilerParagraph(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<div class="p">`)
	} else {
		_, _ = w.WriteString("</div>\n")
	}
	return ast.WalkContinue, nil
}
