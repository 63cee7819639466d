package markdown_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/tools/txtar"
	_ "rsc.io/markdown" // carries examples
)

// examplesOfExtensions are what two modules carry. rsc.io/markdown has the examples of the GFM specification 0.29 (gfm198 is number 198) and
// the tests of cmark-gfm beside its own.
var examplesOfExtensions = []struct{ module, folder, files string }{
	{"rsc.io/markdown", "testdata", "table.txt del.txt autoext.txt task.txt gfm_ext.txt gfm_regress.txt"},
	{"github.com/yuin/goldmark", "extension/_test", "table.txt strikethrough.txt linkify.txt tasklist.txt footnote.txt"},
}

// Reasons why a text comes out other than an example says.
const (
	oneTilde      = "one tilde stands for \"about\" too often, so two strike"
	noTasks       = "there are no task lists"
	rawHTML       = "what looks like HTML is text"
	letterBefore  = "an address begins at no letter or digit of a word in a script with capitals: of ümit@e.org, mit@e.org is somebody else"
	noHost        = "a host is more than www"
	asGitHub      = "rsc.io/markdown says that it departs from GitHub here"
	underscores   = "an address may begin with an underscore and have one in its host"
	ended         = "no address has < or >, so one ends there in pasted HTML"
	ofParagraph   = "a table is made of a paragraph, with its lazy lines, up to its end"
	backslash     = "a backslash that is escaped before a pipe stays"
	looseNotes    = "a note that nothing refers to is not lost"
	goldmarkTakes = "the parser takes < within <> as part of a destination"
)

// deliberate are the examples that come out otherwise, each with its reason.
var deliberate = map[string]string{
	"markdown/del gfm491": oneTilde, "markdown/del 1": oneTilde, "markdown/gfm_ext 17": oneTilde, "markdown/gfm_ext 18": oneTilde, "markdown/gfm_regress 10": oneTilde, "markdown/gfm_regress 11": oneTilde, "goldmark/strikethrough 3": oneTilde,
	"markdown/task gfm279": noTasks, "markdown/task gfm280": noTasks, "markdown/task spaces": noTasks, "markdown/task wxyz": noTasks, "markdown/task X": noTasks, "goldmark/tasklist 1": noTasks, "goldmark/tasklist 2": noTasks, "goldmark/tasklist 4": noTasks,
	"markdown/gfm_ext 12": rawHTML, "markdown/gfm_regress 3": rawHTML, "markdown/gfm_regress 9": rawHTML, "markdown/gfm_regress 13": rawHTML, "markdown/gfm_regress 16": rawHTML,
	"markdown/autoext 1": letterBefore, "markdown/autoext 1a": letterBefore, "markdown/autoext 2": letterBefore, "markdown/autoext 44": letterBefore,
	"markdown/autoext 18": noHost, "markdown/autoext 21": noHost, "markdown/autoext 21a": noHost,
	"markdown/autoext 3": asGitHub, "markdown/autoext 42": asGitHub,
	"markdown/autoext 34": underscores, "markdown/autoext 35": underscores,
	"goldmark/linkify 13": ended,
	"markdown/table 1":    ofParagraph, "markdown/table 5": ofParagraph,
	"markdown/table 2":       backslash,
	"goldmark/footnote 3":    looseNotes,
	"markdown/gfm_regress 6": goldmarkTakes,
}

func TestGFM(t *testing.T) {
	differ := map[string]bool{}
	for _, from := range examplesOfExtensions {
		folder := carried(t, from.module, from.folder)
		for _, file := range strings.Fields(from.files) {
			source, err := folder.ReadFile(file)
			require.NoError(t, err)
			for _, e := range extensionExamples(source) {
				name := strings.TrimSuffix(from.module[strings.LastIndexByte(from.module, '/')+1:]+"/"+file, ".txt") + " " + e.Section
				t.Run(name, func(t *testing.T) {
					tree := parseFragment(t, e.HTML)
					for _, rule := range rules {
						if rule.name != "bare address is a link" || file != "autoext.txt" && file != "linkify.txt" {
							rule.apply(tree)
						}
					}
					tablesScroll(tree)
					linkNotesBack(tree)
					is := parseFragment(t, rendered(t, e.Markdown))
					shortRows(tree)
					shortRows(is)
					want, have := unspaced(printed(t, tree)), unspaced(printed(t, is))
					if deliberate[name] == "" {
						assert.Equal(t, want, have, "%q", e.Markdown)
						return
					}
					differ[name] = true
					assert.NotEqual(t, want, have, "%s: it is as printed now", deliberate[name])
				})
			}
		}
	}
	for name := range deliberate {
		assert.True(t, differ[name], "there is no example %s", name)
	}
}

var (
	betweenTags = regexp.MustCompile(`>\s*\n\s*<`)
	// goldmarkExample is one of goldmark's files: a number, a name perhaps, the text and the HTML.
	goldmarkExample = regexp.MustCompile(`(?s)(?:^|\n)(\d+)[^\n]*\n(    OPTIONS[^\n]*\n)?//- - - - - - - - -//\n(.*?)//- - - - - - - - -//\n(.*?)//= = `)
)

// unspaced leaves out the line ends between elements.
func unspaced(html string) string { return strings.TrimSpace(betweenTags.ReplaceAllString(html, "><")) }

// extensionExamples reads the examples of a file. Section is the name of one.
func extensionExamples(file []byte) (list []example) {
	for _, m := range goldmarkExample.FindAllSubmatch(file, -1) {
		source := string(m[3])
		if len(m[2]) > 0 { // the option that there is: tabs are escaped
			source = strings.ReplaceAll(source, `\t`, "\t")
		}
		list = append(list, example{Section: string(m[1]), Markdown: source, HTML: string(m[4])})
	}
	archive := txtar.Parse(file)
	for i, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".md")
		if !ok || i+1 == len(archive.Files) || archive.Files[i+1].Name != name+".html" {
			continue
		}
		source := bytes.ReplaceAll(f.Data, []byte("^J\n"), []byte("\n")) // marks where a line ends in blanks
		list = append(list, example{Section: name, Markdown: string(source), HTML: string(archive.Files[i+1].Data)})
	}
	return list
}

// shortRows takes the empty cells at the ends of rows away. Plaza does not fill rows.
func shortRows(root *nethtml.Node) {
	for _, n := range elements(root, "tr") {
		for n.LastChild != nil && (n.LastChild.Type == nethtml.TextNode || n.LastChild.FirstChild == nil) {
			n.RemoveChild(n.LastChild)
		}
	}
}

// tablesScroll makes tables scroll, with classes in place of attributes. An empty heading is none.
func tablesScroll(root *nethtml.Node) {
	for _, n := range elements(root, "th", "td") {
		class := map[string]string{"center": "m", "right": "r"}[attribute(n, "align")]
		n.Attr = nil
		if class != "" && n.FirstChild != nil {
			n.Attr = []nethtml.Attribute{{Key: "class", Val: class}}
		}
		if n.FirstChild == nil { // a heading has words
			n.Data, n.DataAtom = "td", atom.Td
		}
	}
	for _, n := range elements(root, "table") {
		box := &nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div,
			Attr: []nethtml.Attribute{{Key: "class", Val: "tb"}, {Key: "dir", Val: "auto"}, {Key: "tabindex", Val: "0"}}}
		n.Parent.InsertBefore(box, n)
		n.Parent.RemoveChild(n)
		box.AppendChild(n)
	}
}

// linkNotesBack makes Plaza's notes of goldmark's.
func linkNotesBack(root *nethtml.Node) {
	set := func(n *nethtml.Node, pairs ...string) {
		n.Attr = nil
		for i := 0; i < len(pairs); i += 2 {
			n.Attr = append(n.Attr, nethtml.Attribute{Key: pairs[i], Val: pairs[i+1]})
		}
	}
	for _, n := range elements(root, "sup") {
		number, a := n.FirstChild.FirstChild.Data, n.FirstChild
		first := strings.HasPrefix(attribute(n, "id"), "fnref:")
		set(n)
		set(a, "href", "#fnX-"+number)
		if first {
			set(a, "href", "#fnX-"+number, "id", "frX-"+number)
		}
	}
	for _, box := range elements(root, "div") {
		if attribute(box, "class") != "footnotes" {
			continue
		}
		for _, n := range elements(box, "hr") {
			n.Parent.RemoveChild(n)
		}
		for _, n := range elements(box, "ol") {
			set(n, "class", "fn", "dir", "auto")
		}
		for i, n := range elements(box, "li") {
			set(n, "id", fmt.Sprintf("fnX-%d", i+1))
		}
		for _, n := range elements(box, "a") {
			if attribute(n, "class") != "footnote-backref" {
				continue
			}
			if before := n.PrevSibling; strings.HasPrefix(attribute(n, "href"), "#fnref:") {
				number := strings.TrimPrefix(attribute(n, "href"), "#fnref:")
				set(n, "href", "#frX-"+number)
				before.Data = strings.TrimSuffix(before.Data, "\u00a0") + " "
			} else {
				n.Parent.RemoveChild(before)
				n.Parent.RemoveChild(n)
			}
		}
		unwrap(box)
	}
}
