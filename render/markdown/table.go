package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxColumns is how many columns a table may have. A wider one is text.
const maxColumns = 32

// tables finds the tables of GitHub's Markdown (the GFM specification, "Tables (extension)") in paragraphs: a line of names, a line of
// dashes with as many cells, and rows until the paragraph ends. The parser's own extension takes quadratic time, fills short rows up
// to any width, and puts style attributes on cells. Here a short row is left short, so the HTML is in proportion to
// the text.
type tables struct{}

func (tables) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, source := node.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		dashes := lines.At(i)
		columns := alignments(dashes.Value(source))
		if columns == nil {
			continue
		}
		names := cells(lines.At(i-1), source, maxColumns+1)
		if len(names) != len(columns) {
			continue
		}
		table := extension.NewTable()
		table.AppendChild(table, extension.NewTableHeader(row(names, columns)))
		for j := i + 1; j < lines.Len(); j++ {
			table.AppendChild(table, row(cells(lines.At(j), source, len(columns)), columns))
		}
		parent := node.Parent()
		parent.InsertAfter(parent, node, table)
		if i == 1 {
			parent.RemoveChild(parent, node)
			return
		}
		lines.SetSliced(0, i-1) // text before the table
		last := lines.At(i - 2)
		lines.Set(i-2, last.TrimRightSpace(source))
		return
	}
}

// alignments reads the line of dashes, nil if it is none. It needs a pipe: dashes alone make a heading.
func alignments(line []byte) (columns []extension.Alignment) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || bytes.IndexByte(line, '|') < 0 || len(bytes.TrimLeft(line, "|-: \t")) > 0 {
		return nil
	}
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
	for cell := range bytes.SplitSeq(line, []byte("|")) {
		cell = bytes.TrimSpace(cell)
		left, right := bytes.HasPrefix(cell, []byte(":")), bytes.HasSuffix(cell, []byte(":"))
		cell = bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte(":")), []byte(":"))
		if len(cell) == 0 || len(bytes.Trim(cell, "-")) > 0 || len(columns) == maxColumns {
			return nil
		}
		switch {
		case left && right:
			columns = append(columns, extension.AlignCenter)
		case right:
			columns = append(columns, extension.AlignRight)
		default:
			columns = append(columns, extension.AlignNone)
		}
	}
	return columns
}

// cells cuts a line at its pipes, into at most limit cells: more have no column, and are left out.
func cells(line text.Segment, source []byte, limit int) (list []text.Segment) {
	line = line.TrimLeftSpace(source)
	line = line.TrimRightSpace(source)
	b, from := line.Value(source), 0
	if len(b) == 0 {
		return nil
	}
	start := line.Start - line.Padding
	if b[0] == '|' {
		from = 1
	}
	for at := from; at <= len(b) && len(list) < limit; at++ {
		switch {
		case at+1 < len(b) && b[at] == '\\' && b[at+1] == '|':
			at++ // an escaped pipe is text, even if the backslash is escaped
		case at == len(b) && from == len(b): // behind the last pipe there is nothing
		case at == len(b) || b[at] == '|':
			cell := text.NewSegment(start+from, start+at)
			cell = cell.TrimLeftSpace(source)
			list = append(list, cell.TrimRightSpace(source))
			from = at + 1
		}
	}
	return list
}

func row(segments []text.Segment, columns []extension.Alignment) *extension.TableRow {
	row := extension.NewTableRow(columns)
	for i, segment := range segments {
		cell := extension.NewTableCell()
		cell.Alignment = columns[i]
		if !segment.IsEmpty() {
			cell.Lines().Append(segment)
		}
		row.AppendChild(row, cell)
	}
	return row
}

// unescapePipes removes the backslash of an escaped pipe from code in tables. LinkToSource in a cell the parser does it.
func unescapePipes(doc *ast.Document, source []byte) {
	var escaped []*ast.Text
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case !entering || node.Type() != ast.TypeInline && node.Kind() != extension.KindTableCell:
			return ast.WalkContinue, nil
		case node.Kind() != extension.KindTableCell:
			return ast.WalkSkipChildren, nil
		}
		_ = ast.Walk(node, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
			if t, ok := node.(*ast.Text); ok && entering && t.Parent().Kind() == ast.KindCodeSpan {
				escaped = append(escaped, t)
			}
			return ast.WalkContinue, nil
		})
		return ast.WalkSkipChildren, nil
	})
	for _, t := range escaped {
		parent := t.Parent()
		for {
			n := bytes.Index(t.Segment.Value(source), []byte(`\|`))
			if n < 0 {
				break
			}
			at := t.Segment.Start + n
			parent.InsertBefore(parent, t, ast.NewRawTextSegment(t.Segment.WithStop(at)))
			t.Segment = text.NewSegment(at+1, t.Segment.Stop)
		}
	}
}

// renderTable writes a table that scrolls where it is too wide, by keyboard too.
func renderTable(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<div class=\"tb\" tabindex=\"0\" dir=\"auto\"><table>\n")
		return ast.WalkContinue, nil
	}
	if node.ChildCount() > 1 {
		_, _ = w.WriteString("</tbody>")
	}
	_, _ = w.WriteString("</table></div>\n")
	return ast.WalkContinue, nil
}

func renderTableHeader(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	switch {
	case entering:
		_, _ = w.WriteString("<thead><tr>")
	case node.NextSibling() != nil:
		_, _ = w.WriteString("</tr></thead>\n<tbody>")
	default:
		_, _ = w.WriteString("</tr></thead>\n")
	}
	return ast.WalkContinue, nil
}

func renderTableRow(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<tr>")
	} else {
		_, _ = w.WriteString("</tr>\n")
	}
	return ast.WalkContinue, nil
}

// renderTableCell writes an empty cell of the head as td: a th must have words.
func renderTableCell(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	name := "td"
	if node.Parent().Kind() == extension.KindTableHeader && node.HasChildren() {
		name = "th"
	}
	if !entering {
		_, _ = w.WriteString("</" + name + ">")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<" + name)
	if node.HasChildren() {
		switch node.(*extension.TableCell).Alignment {
		case extension.AlignRight:
			_, _ = w.WriteString(` class="r"`)
		case extension.AlignCenter:
			_, _ = w.WriteString(` class="m"`)
		}
	}
	_ = w.WriteByte('>')
	return ast.WalkContinue, nil
}
