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
	replacement string
}

// LinkToSource changes the mentions and paths in a text of another site into links to that site. Render would make them links to members,
// communities and pages of this site. mention returns the address there of a mention, such as @kim or c/gophers; "" makes it plain text.
// base, such as https://example.org, is put before paths; "" leaves them.
func LinkToSource(src, base string, mention func(says string) (address string)) string {
	if len(src) > MaxMarkdown || !strings.ContainsAny(src, "@＠/") {
		return src
	}
	source := clean(src)
	var edits []edit
	var code []text.Segment
	paths := map[string]bool{} // keys are of beginOf
	note := func(destination []byte) {
		if path := unescape(destination); base != "" && strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") {
			paths[beginOf(destination)] = true
		}
	}
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
				note(n.Destination)
			case *ast.Link:
				shown, alone := n.FirstChild().(*ast.Text)
				if alone && n.ChildCount() == 1 && isMention(string(n.Destination), shown.Segment, source) {
					edits = append(edits, edit{shown.Segment.Start, shown.Segment.Stop, mentionElsewhere(string(shown.Segment.Value(source)), mention)})
				} else {
					note(n.Destination)
				}
			}
			return ast.WalkContinue, nil
		})
	slices.SortFunc(code, func(a, b text.Segment) int { return cmp.Compare(a.Start, b.Start) })
	for at := 0; len(paths) > 0; {
		i := bytes.IndexByte(source[at:], ']') + 1
		if i == 0 {
			break
		}
		if at += i; at == len(source) || source[at] != '(' && source[at] != ':' {
			continue
		}
		at++
		for at < len(source) && strings.IndexByte(" \t\n>", source[at]) >= 0 { // the next line of a quote begins with >
			at++
		}
		if at < len(source) && source[at] == '<' {
			at++
		}
		for len(code) > 0 && code[0].Stop <= at {
			code = code[1:]
		}
		if (len(code) == 0 || at < code[0].Start) && paths[beginOf(source[at:])] {
			edits = append(edits, edit{at, at, base})
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	last := 0
	for _, e := range edits {
		b.Write(source[last:e.start])
		b.WriteString(e.replacement)
		last = e.stop
	}
	b.Write(source[last:])
	return b.String()
}

// beginOf is the beginning of a destination, up to the first character that may end it.
func beginOf(destination []byte) string {
	destination = destination[:min(len(destination), MaxURL)]
	if end := bytes.IndexAny(destination, " \t\n)>"); end >= 0 {
		destination = destination[:end]
	}
	return string(destination)
}

// isMention reports whether linkMentions has made a link, and not the text's author.
func isMention(destination string, shown text.Segment, source []byte) bool {
	says := strings.ReplaceAll(string(shown.Value(source)), `\`, "")
	name := strings.TrimLeft(says[strings.LastIndex(says, "/")+1:], "@＠")
	if destination != "/u/"+name && destination != "/c/"+name || says == name {
		return false
	}
	after := source[shown.Stop:]
	return shown.Start == 0 || source[shown.Start-1] != '[' || !bytes.HasPrefix(after, []byte("](")) && !bytes.HasPrefix(after, []byte("]["))
}

// mentionElsewhere returns the replacement of a mention.
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
