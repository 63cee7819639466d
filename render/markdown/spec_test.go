package markdown_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"plaza/render/markdown"
	"plaza/test/stacktest"
)

var update = flag.Bool("update", false, "write the list of classes anew")

// example is one of the CommonMark specification.
type example struct {
	Example                 int
	Section, Markdown, HTML string
}

// reference is CommonMark as it stands, raw HTML included. The test holds it to every
// example, too, before it is asked what an example would be without raw HTML.
var reference = goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe(), html.WithXHTML()))

// asItIs is the class of examples that come out as the specification prints them. All
// others name the rules below that made the difference.
const asItIs = "as printed"

// rules are where Plaza departs from CommonMark on purpose. Each changes the tree that
// the specification expects and tells whether it had anything to change.
var rules = []struct {
	name  string
	apply func(root *nethtml.Node) bool
}{
	{"image is a link", imagesAreLinks},
	{"bare address is a link", linkBareAddresses},
	{"address not linked", unlinkUnsafe},
	{"scheme in lower case", lowerSchemes},
	{"rel on links that leave", relOnLinks},
	{"headings from h3", headingsFromThree},
	{"code is focusable, without language", codeWithoutLanguage},
	{"own direction", ownDirection},
}

func TestCommonMark(t *testing.T) {
	var examples []example
	file, err := carried(t, "github.com/yuin/goldmark", "_test").ReadFile("spec.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(file, &examples))
	require.Len(t, examples, 652)
	classes := map[string]int{}
	sections := map[string]map[string][]int{}
	for _, e := range examples {
		t.Run(fmt.Sprintf("example %d, %s", e.Example, e.Section), func(t *testing.T) {
			class := check(t, e)
			classes[class]++
			if sections[e.Section] == nil {
				sections[e.Section] = map[string][]int{}
			}
			sections[e.Section][class] = append(sections[e.Section][class], e.Example)
		})
	}
	var b strings.Builder
	b.WriteString("# Examples of the CommonMark specification 0.31.2 by the rules of Plaza that change what they look like.\n# go test " +
		"./render/markdown -run TestCommonMark -update writes this anew.\n\n")
	writeCounts(&b, classes)
	for _, section := range sortedKeys(sections) {
		fmt.Fprintf(&b, "\n## %s\n", section)
		for _, class := range sortedKeys(sections[section]) {
			fmt.Fprintf(&b, "%s: %s\n", class, strings.Trim(fmt.Sprint(sections[section][class]), "[]"))
		}
	}
	name := filepath.Join("testdata", "commonmark", "classes.txt")
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String(), "examples changed class")
}

// carried opens a folder of examples that a module carries.
func carried(t *testing.T, module, folder string) *os.Root {
	t.Helper()
	stacktest.Inputs(t, "go.mod")
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	require.NoError(t, err)
	root, err := os.OpenRoot(filepath.Join(strings.TrimSpace(string(out)), folder))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	return root
}

func writeCounts(b *strings.Builder, classes map[string]int) {
	for _, class := range sortedKeys(classes) {
		fmt.Fprintf(b, "%4d %s\n", classes[class], class)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// check holds one example to what it should be, and gives its class.
func check(t *testing.T, e example) string {
	t.Helper()
	var asked bytes.Buffer
	require.NoError(t, reference.Convert([]byte(e.Markdown), &asked))
	require.Equal(t, e.HTML, asked.String(), "the reference itself")

	var class []string
	want := e.HTML
	if source := withoutRawHTML(e.Markdown); source != e.Markdown {
		class = append(class, "raw HTML is text")
		asked.Reset()
		require.NoError(t, reference.Convert([]byte(source), &asked))
		want = asked.String()
	}
	tree := parseFragment(t, want)
	for _, rule := range rules {
		if rule.apply(tree) {
			class = append(class, rule.name)
		}
	}
	got, err := markdown.Render(e.Markdown, endless)
	require.NoError(t, err)
	assert.Equal(t, printed(t, tree), printed(t, parseFragment(t, string(got))), "%q became\n%s", e.Markdown, got)
	if len(class) == 0 {
		return asItIs
	}
	return strings.Join(class, "; ")
}

// destination is where a link's begins, if one does. An escaped < would begin one.
var destination = regexp.MustCompile(`\](\(|:)\s*$`)

// withoutRawHTML escapes every < that CommonMark takes for the beginning of raw HTML, or,
// where an escaped < would mean something else, the > of its end.
func withoutRawHTML(source string) string {
	for {
		at := -1
		_ = ast.Walk(reference.Parser().Parse(text.NewReader([]byte(source))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			switch n := n.(type) {
			case *ast.RawHTML:
				at = max(at, n.Segments.At(0).Start)
			case *ast.HTMLBlock:
				line := n.Lines().At(0)
				at = max(at, line.Start+strings.IndexByte(source[line.Start:], '<'))
			}
			return ast.WalkContinue, nil
		})
		if at < 0 {
			return source
		}
		if destination.MatchString(source[:at]) {
			at += strings.IndexByte(source[at:], '>')
		}
		source = source[:at] + `\` + source[at:]
	}
}

func parseFragment(t *testing.T, s string) *nethtml.Node {
	t.Helper()
	nodes, err := nethtml.ParseFragment(strings.NewReader(s), &nethtml.Node{Type: nethtml.ElementNode, Data: "body", DataAtom: atom.Body})
	require.NoError(t, err)
	root := &nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	return root
}

// printed writes a tree with attributes in order and adjacent texts as one.
func printed(t *testing.T, root *nethtml.Node) string {
	t.Helper()
	for _, n := range elements(root) {
		slices.SortFunc(n.Attr, func(a, b nethtml.Attribute) int { return strings.Compare(a.Key, b.Key) })
	}
	var b strings.Builder
	require.NoError(t, nethtml.Render(&b, root))
	return b.String()
}

// elements are those below root, as they are now: the tree may be changed meanwhile.
func elements(root *nethtml.Node, names ...string) []*nethtml.Node {
	var found []*nethtml.Node
	for n := range root.Descendants() {
		if n.Type == nethtml.ElementNode && (len(names) == 0 || slices.Contains(names, n.Data)) {
			found = append(found, n)
		}
	}
	return found
}

func attribute(n *nethtml.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func within(n *nethtml.Node, names ...string) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if slices.Contains(names, p.Data) {
			return true
		}
	}
	return false
}

// unwrap puts what is in an element in its place.
func unwrap(n *nethtml.Node) {
	for n.FirstChild != nil {
		child := n.FirstChild
		n.RemoveChild(child)
		n.Parent.InsertBefore(child, n)
	}
	n.Parent.RemoveChild(n)
}

// imagesAreLinks makes <a href=src>alt</a> of an image, and its alt where links can't be.
func imagesAreLinks(root *nethtml.Node) bool {
	images := elements(root, "img")
	for _, n := range images {
		src, alt, title := attribute(n, "src"), attribute(n, "alt"), attribute(n, "title")
		if within(n, "a") || !safe(src) {
			n.Parent.InsertBefore(&nethtml.Node{Type: nethtml.TextNode, Data: alt}, n)
			n.Parent.RemoveChild(n)
			continue
		}
		if alt == "" {
			alt = "image"
		}
		n.Data, n.DataAtom, n.Attr = "a", atom.A, []nethtml.Attribute{{Key: "href", Val: src}}
		if title != "" {
			n.Attr = append(n.Attr, nethtml.Attribute{Key: "title", Val: title})
		}
		n.AppendChild(&nethtml.Node{Type: nethtml.TextNode, Data: alt})
	}
	return len(images) > 0
}

// bare are addresses after which a space or a bracket comes: what else may begin and end
// an address has a test of its own.
var bare = regexp.MustCompile(`(?:^|[\s<])(https?://[^\s<>]+)|(?:^|\s)([\w.+]+@[\w-]+(?:\.[\w-]+)+\b)`)

func linkBareAddresses(root *nethtml.Node) bool {
	changed := false
	for _, n := range slices.Collect(root.Descendants()) {
		if n.Type != nethtml.TextNode || within(n, "a", "code") {
			continue
		}
		for {
			at := bare.FindStringSubmatchIndex(n.Data)
			if at == nil {
				break
			}
			changed, at = true, at[2:]
			if at[0] < 0 {
				at = at[2:]
			}
			label := n.Data[at[0]:at[1]]
			href := label
			if !strings.Contains(href, "://") {
				href = "mailto:" + href
			}
			a := &nethtml.Node{Type: nethtml.ElementNode, Data: "a", DataAtom: atom.A, Attr: []nethtml.Attribute{{Key: "href", Val: href}}}
			a.AppendChild(&nethtml.Node{Type: nethtml.TextNode, Data: label})
			n.Parent.InsertBefore(&nethtml.Node{Type: nethtml.TextNode, Data: n.Data[:at[0]]}, n)
			n.Parent.InsertBefore(a, n)
			n.Data = n.Data[at[1]:]
		}
	}
	return changed
}

// linkable are addresses of the web, of mail and of this site.
var linkable = regexp.MustCompile(`^(?i:https?://[\w.-]+([:/?#]|$)|mailto:.)|^/([^/]|$)|^#`)

func safe(href string) bool { return linkable.MatchString(href) }

func unlinkUnsafe(root *nethtml.Node) bool {
	changed := false
	for _, n := range elements(root, "a") {
		if !safe(attribute(n, "href")) {
			unwrap(n)
			changed = true
		}
	}
	return changed
}

func lowerSchemes(root *nethtml.Node) bool {
	changed := false
	for _, n := range elements(root, "a") {
		for i, a := range n.Attr {
			scheme, rest, ok := strings.Cut(a.Val, ":")
			if lower := strings.ToLower(scheme); a.Key == "href" && ok && lower != scheme && !strings.Contains(scheme, "/") {
				n.Attr[i].Val, changed = lower+":"+rest, true
			}
		}
	}
	return changed
}

func relOnLinks(root *nethtml.Node) bool {
	changed := false
	for _, n := range elements(root, "a") {
		if href := attribute(n, "href"); href[0] != '/' && href[0] != '#' {
			n.Attr = append(n.Attr, nethtml.Attribute{Key: "rel", Val: "nofollow ugc noopener"})
			changed = true
		}
	}
	return changed
}

// headingsFromThree moves the highest heading to h3 and lets none be more than one below
// the one before.
func headingsFromThree(root *nethtml.Node) bool {
	headings := elements(root, "h1", "h2", "h3", "h4", "h5", "h6")
	top, last := byte('6'), byte('2')
	for _, n := range headings {
		top = min(top, n.Data[1])
	}
	for _, n := range headings {
		last = min(n.Data[1]-top+'3', last+1, '6')
		n.Data = "h" + string(last)
		n.DataAtom = atom.Lookup([]byte(n.Data))
	}
	return len(headings) > 0
}

func codeWithoutLanguage(root *nethtml.Node) bool {
	blocks := elements(root, "pre")
	for _, n := range blocks {
		n.Attr = append(n.Attr, nethtml.Attribute{Key: "tabindex", Val: "0"})
		n.FirstChild.Attr = nil
	}
	return len(blocks) > 0
}

// ownDirection lets lists, quotations and code begin at the side where their text begins.
func ownDirection(root *nethtml.Node) bool {
	found := elements(root, "ul", "ol", "blockquote", "pre")
	for _, n := range found {
		n.Attr = append(n.Attr, nethtml.Attribute{Key: "dir", Val: "auto"})
	}
	return len(found) > 0
}
