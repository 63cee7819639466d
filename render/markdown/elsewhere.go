package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// edit is a replacement of a part of a text.
type edit struct {
	start, stop int
	by          string
}

// Elsewhere returns a text that was written for another site, with links that lead there: Render would make its mentions and paths links to
// members, communities and pages of this site. mention returns the address there of a mention, such as @kim or c/gophers; "" makes it plain
// text. base, such as https://example.org, is put before paths; "" leaves them.
func Elsewhere(src, base string, mention func(says string) (address string)) string {
	if len(src) > MaxMarkdown || !strings.ContainsAny(src, "@＠/") {
		return src
	}
	source := clean(src)
	var edits []edit
	var code []text.Segment
	paths := map[string]bool{}
	_ = ast.Walk(markdown().Parser().Parse(text.NewReader(source), parser.WithContext(newFrugalContext(len(source)))),
		func(node ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			switch n := node.(type) {
			case *ast.CodeBlock, *ast.FencedCodeBlock:
				code = append(code, n.Lines().Sliced(0, n.Lines().Len())...)
			case *ast.CodeSpan:
				for child := n.FirstChild(); child != nil; child = child.NextSibling() {
					if t, ok := child.(*ast.Text); ok {
						code = append(code, t.Segment)
					}
				}
			case *ast.Image:
				paths[string(n.Destination)] = true
			case *ast.Link:
				shown, alone := n.FirstChild().(*ast.Text)
				if alone && n.ChildCount() == 1 && isMention(string(n.Destination), shown.Segment, source) {
					edits = append(edits, edit{shown.Segment.Start, shown.Segment.Stop, mentionElsewhere(string(shown.Segment.Value(source)), mention)})
				} else {
					paths[string(n.Destination)] = true
				}
			}
			return ast.WalkContinue, nil
		})
	for path := range paths {
		if base == "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
			continue
		}
		for _, before := range []string{"](", "](<", "]: ", "]: <", "]:"} {
			for at := 0; ; {
				i := bytes.Index(source[at:], []byte(before+path))
				if i < 0 {
					break
				}
				at += i + len(before)
				within := func(s text.Segment) bool { return s.Start <= at && at < s.Stop }
				if !slices.ContainsFunc(code, within) && !slices.Contains(edits, edit{at, at, base}) {
					edits = append(edits, edit{at, at, base})
				}
			}
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	last := 0
	for _, e := range edits {
		b.Write(source[last:e.start])
		b.WriteString(e.by)
		last = e.stop
	}
	b.Write(source[last:])
	return b.String()
}

// isMention tells whether linkMentions has made a link, and not the author of the text.
func isMention(destination string, shown text.Segment, source []byte) bool {
	says := strings.ReplaceAll(string(shown.Value(source)), `\`, "")
	name := strings.TrimLeft(says[strings.LastIndex(says, "/")+1:], "@＠")
	if destination != "/u/"+name && destination != "/c/"+name || says == name {
		return false
	}
	after := source[shown.Stop:]
	return shown.Start == 0 || source[shown.Start-1] != '[' || !bytes.HasPrefix(after, []byte("](")) && !bytes.HasPrefix(after, []byte("]["))
}

// mentionElsewhere returns what stands in place of a mention.
func mentionElsewhere(says string, mention func(string) string) string {
	says = strings.ReplaceAll(says, `\`, "")
	if address := mention(says); address != "" {
		return "[" + strings.ReplaceAll(says, "_", `\_`) + "](" + address + ")"
	}
	if name, ok := strings.CutPrefix(says, "＠"); ok {
		says = "@" + name
	}
	if says[0] == '@' {
		return `\` + says
	}
	return strings.Replace(says, "/", `\/`, 1)
}
