package markdown

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Footnotes: [^name] in a text leads to the paragraph that begins with [^name]:, and that leads back. gatherNotes numbers them in the order
// in which the text refers to them, and puts them at its end. Those that nothing refers to come last, so that nothing is lost.
//
// A page has many texts, so the ids of their notes have a random part for each text, which its author can't choose.

// note is a footnote: its paragraphs.
type note struct {
	ast.BaseBlock
	index int  // its number, from 1; 0 until a reference to it is found
	waits bool // its text begins on the next line
}

// notes are the footnotes at the end of a text.
type notes struct {
	ast.BaseBlock
	token string // the part of the ids that other texts don't have
}

// noteRef is a place that refers to a note.
type noteRef struct {
	ast.BaseInline
	note  *note
	token string
	first bool // reference to its note, which links back here
}

// noteBack links from the end of a note to the first place that refers to it.
type noteBack struct {
	ast.BaseInline
	note  *note
	token string
}

var (
	kindFootnote         = ast.NewNodeKind("Footnote")
	kindFootnoteList     = ast.NewNodeKind("FootnoteList")
	kindFootnoteRef      = ast.NewNodeKind("FootnoteRef")
	kindFootnoteBacklink = ast.NewNodeKind("FootnoteBacklink")
)

func (*note) Kind() ast.NodeKind     { return kindFootnote }
func (*notes) Kind() ast.NodeKind    { return kindFootnoteList }
func (*noteRef) Kind() ast.NodeKind  { return kindFootnoteRef }
func (*noteBack) Kind() ast.NodeKind { return kindFootnoteBacklink }

func (n *note) Dump(source []byte, level int)     { ast.DumpHelper(n, source, level, nil, nil) }
func (n *notes) Dump(source []byte, level int)    { ast.DumpHelper(n, source, level, nil, nil) }
func (n *noteRef) Dump(source []byte, level int)  { ast.DumpHelper(n, source, level, nil, nil) }
func (n *noteBack) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

const (
	maxNotes = 100 // in a text
	maxLabel = 50  // bytes of a name
)

// noteLabel is the name in the brackets that b begins with, [^name], and the length of the whole.
func noteLabel(b []byte) (label string, n int) {
	if !bytes.HasPrefix(b, []byte("[^")) {
		return "", 0
	}
	end := bytes.IndexByte(b[:min(len(b), maxLabel+3)], ']')
	if end < 3 || bytes.ContainsAny(b[2:end], " \t\n[") {
		return "", 0
	}
	return string(bytes.ToLower(b[2:end])), end + 1
}

var notesKey = parser.NewContextKey()

// notesOf are the notes of a text by their names.
func notesOf(pc parser.Context) map[string]*note {
	all, _ := pc.Get(notesKey).(map[string]*note)
	return all
}

// noteParser finds notes. They are at the top level of a text, in no quote or list. Of two with one name the first counts.
type noteParser struct{}

func (noteParser) Trigger() []byte { return []byte{'['} }

func (noteParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	at, all := pc.BlockOffset(), notesOf(pc)
	if at < 0 || parent.Kind() != ast.KindDocument || len(all) == maxNotes {
		return nil, parser.NoChildren
	}
	label, n := noteLabel(line[at:])
	if n == 0 || !bytes.HasPrefix(line[at+n:], []byte(":")) || all[label] != nil {
		return nil, parser.NoChildren
	}
	if all == nil {
		all = map[string]*note{}
		pc.Set(notesKey, all)
	}
	rest := bytes.TrimLeft(line[at+n+1:], " \t") // four blanks make no block of code here
	all[label] = &note{waits: util.IsBlank(rest)}
	reader.Advance(len(line) - len(rest))
	if len(rest) == 0 {
		return all[label], parser.NoChildren
	}
	return all[label], parser.HasChildren
}

// Continue accepts indented lines, which are further paragraphs of the note. The first line needs no indentation if its text begins there.
func (noteParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	n := node.(*note)
	waits := n.waits
	n.waits = false
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	at, padding := util.IndentPosition(line, reader.LineOffset(), 4)
	if at < 0 && waits && !bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("[^")) {
		return parser.Continue | parser.HasChildren
	}
	if at < 0 {
		return parser.Close
	}
	reader.AdvanceAndSetPadding(at, padding)
	return parser.Continue | parser.HasChildren
}

func (noteParser) Close(ast.Node, text.Reader, parser.Context) {}

func (noteParser) CanInterruptParagraph() bool { return true }

func (noteParser) CanAcceptIndentedLine() bool { return false }

// noteRefParser finds references to notes. All notes are known by then, because inlines are parsed after all blocks.
type noteRefParser struct{}

// Trigger includes !, with which the parser would begin an image.
func (noteRefParser) Trigger() []byte { return []byte{'[', '!'} }

func (noteRefParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	all := notesOf(pc)
	if all == nil {
		return nil
	}
	line, segment := block.PeekLine()
	reference := bytes.TrimPrefix(line, []byte("!"))
	label, n := noteLabel(reference)
	if n == 0 || all[label] == nil {
		return nil
	}
	if at := len(line) - len(reference); at > 0 {
		ast.MergeOrAppendTextSegment(parent, segment.WithStop(segment.Start+at))
		n += at
	}
	block.Advance(n)
	return &noteRef{note: all[label]}
}

// gatherNotes numbers the notes and moves them to the end of the text.
func gatherNotes(doc *ast.Document, _ []byte) {
	var loose []*note
	for node := doc.FirstChild(); node != nil; node = node.NextSibling() {
		if n, ok := node.(*note); ok {
			loose = append(loose, n)
		}
	}
	if len(loose) == 0 {
		return
	}
	var token [8]byte
	_, _ = rand.Read(token[:]) // never fails
	list := &notes{token: strconv.FormatUint(binary.LittleEndian.Uint64(token[:])>>20, 36)}
	for _, n := range loose {
		doc.RemoveChild(doc, n)
	}
	number := func(within ast.Node) {
		_ = ast.Walk(within, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
			ref, ok := node.(*noteRef)
			if !ok || !entering {
				return ast.WalkContinue, nil
			}
			ref.token = list.token
			if ref.note.index == 0 {
				ref.first = true
				list.AppendChild(list, ref.note)
				ref.note.index = list.ChildCount()
			}
			return ast.WalkContinue, nil
		})
	}
	number(doc)
	for node := list.FirstChild(); node != nil; node = node.NextSibling() { // a note may refer to another
		number(node)
	}
	for _, n := range loose {
		if n.index == 0 {
			list.AppendChild(list, n)
			continue
		}
		end := ast.Node(n)
		if last := n.LastChild(); last != nil && (last.Kind() == ast.KindParagraph || last.Kind() == kindSpoilerParagraph) {
			end = last
		}
		end.AppendChild(end, &noteBack{note: n, token: list.token})
	}
	doc.AppendChild(doc, list)
}

// writeID writes an id of a note (n) or of the place that refers to it (r).
func writeID(w util.BufWriter, kind byte, token string, index int) {
	_, _ = w.WriteString("f")
	_ = w.WriteByte(kind)
	_, _ = w.WriteString(token + "-" + strconv.Itoa(index))
}

func renderFootnoteRef(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	ref := node.(*noteRef)
	_, _ = w.WriteString("<sup>")
	if linked(node) {
		_, _ = w.WriteString(strconv.Itoa(ref.note.index) + "</sup>")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString(`<a href="#`)
	writeID(w, 'n', ref.token, ref.note.index)
	if ref.first {
		_, _ = w.WriteString(`" id="`)
		writeID(w, 'r', ref.token, ref.note.index)
	}
	_, _ = w.WriteString(`">` + strconv.Itoa(ref.note.index) + `</a></sup>`)
	return ast.WalkContinue, nil
}

func renderFootnoteList(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<ol class=\"fn\" dir=\"auto\">\n")
	} else {
		_, _ = w.WriteString("</ol>\n")
	}
	return ast.WalkContinue, nil
}

func renderFootnote(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*note)
	switch {
	case !entering:
		_, _ = w.WriteString("</li>\n")
	case n.index == 0:
		_, _ = w.WriteString("<li>\n")
	default:
		_, _ = w.WriteString(`<li id="`)
		writeID(w, 'n', n.Parent().(*notes).token, n.index)
		_, _ = w.WriteString("\">\n")
	}
	return ast.WalkContinue, nil
}

func renderFootnoteBacklink(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		back := node.(*noteBack)
		_, _ = w.WriteString(` <a href="#`)
		writeID(w, 'r', back.token, back.note.index)
		_, _ = w.WriteString("\">\u21a9\ufe0e</a>") // U+FE0E: as text, not as an emoji
	}
	return ast.WalkContinue, nil
}
