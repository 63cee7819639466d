package markdown_test

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"plaza/render/markdown"
	"plaza/test/stacktest"
)

// patterns are repeated to make texts that punish parsers: those of cmark's
// pathological tests, and marks of every kind.
var patterns = []string{
	">", "> ", "- ", "1. ", "[", "](", "[a](", "![", "![[]()", "*", "**", "_a", "*a ", "*a_ ", "**a *", "`", "`` ` ", "<", "&", "\\", "\n",
	"# ", "[a]: b\n", "[a]",
	"*a**a ", "a_b", "***a* ", "(", "http://a ", "www.", "@a", "u/ab ", "[](", "[[]", "]", "![a]", "<http:", "<!--", "\t", "> a\n", "- a\n",
	"1) a\n\n", "```\n", "* * *\n",
	"[a](<b", "[a](b \"", "&#1;", "http://a.b/(", "a@b.c ", "x\n2. [[", "    - [", strings.Repeat("> ", 50) + "a\n", strings.Repeat("- ", 50) +
		"a\n",
	"a_ ", "_a ", "a]", "[a", "[ a_", "[ (](", "**x [a*b**c*](d)", "a**b c* ", "[a](b", "<?", "<![CDATA[", "<!A ", "</", "a  \n", "a\\\n",
	"x ", "&amp;", "&#x41;", "&a",
	"http://a.b/)", "http://a.b/&a;", "https://a.b)))", "www.a_", "a_a", "a.a@", "_http://a_b", "(www.a.b", "\"www.a.b/[", "[http://a.b", "a@",
	"@ab_", "c/ab-", "/u/", "~", "~~~\n",
	"[a\n", "[a]:\n", "[a]: b 'c\n", "[a]: <b\n", "\t- a\n", "> - a\n", "a\n=\n", "a\n-\n", "  * a\n\n", "***", "_*", "'", "\"", "ü", "\u3000",
	"\x00", "\xff", "\r", "    a\n", "- - - ",
	"~~", "~~a ", "a~~ ~~", "*~~a", "~~a**b~~ ", ">!", "!<", ">!a!< ", "*>!a!<", ">!*a!<* ", ">!a\n", "> >!", ">![", "|", "|-", "|-|\n", "a|b\n-|-\n", "|a|\n|-|\n\n",
	"-|-\n|\n", "\\|", "`\\|", "[^a]", "[^a", "[^a]: ", "[^a]: b\n", "[^a]:\n", "[^a]: b\n\n[^a] ", "[^a]: > - ", "    [^a]: b\n",
	"“https://a.b”", "看https://a.b。", "看www.a看", "é看", "看a", "a\u0301", "https://a.b[", "https://a.b/{", "'https://a.b'", "&quot;", "&quot;https://a.b/&lt;",
	"\\\"", "mailto:", "mailto:a@", "a@b看.", "a;", "#a", "www.&#39;", ">!<", ">!>", "x >!a\n> b\n", "![^a]", "[^a]:\n\n", "[^a]:    \n", "@abc/", "@a\u0301", "@ab-",
	"＠abc", ".@abc",
}

// shapes are texts that no single pattern makes.
var shapes = map[string]func(n int) string{
	"brackets that open and close":   func(n int) string { return strings.Repeat("[", n/2) + "a" + strings.Repeat("]", n/2) },
	"parentheses in an address":      func(n int) string { return "http://a.b/" + strings.Repeat("(", n/2) + strings.Repeat(")", n/2) },
	"parentheses after an address":   func(n int) string { return "http://a.b/" + strings.Repeat(")", n) },
	"strong emphasis in emphasis":    func(n int) string { return strings.Repeat("*a **a ", n/14) + "b" + strings.Repeat(" a** a*", n/14) },
	"emphasis that opens and closes": func(n int) string { return strings.Repeat("*a _b ", n/12) + strings.Repeat("a_ b* ", n/12) },
	"one opens, many close":          func(n int) string { return "a**b" + strings.Repeat("c* ", n/3) },
	"emphasis in deep quotes":        func(n int) string { return strings.Repeat(">", n/3) + strings.Repeat("a*", n/3) },
	"empty lines in deep lists":      func(n int) string { return strings.Repeat("- ", n/3) + "x" + strings.Repeat("\n", n/3) },
	"empty lines in quoted lists":    func(n int) string { return "> " + strings.Repeat("- ", n/4) + "x\n" + strings.Repeat(">\n", n/4) },
	"paragraphs in deep quotes": func(n int) string {
		return strings.Repeat(strings.Repeat("> ", 30)+"a\n"+strings.Repeat("> ", 30)+"\n", n/125)
	},
	"comments after a closing tag":    func(n int) string { return "</" + strings.Repeat("<!--", n/4) },
	"a line of spaces":                func(n int) string { return "a" + strings.Repeat(" ", n) + "b" },
	"spaces at the start":             func(n int) string { return "- a\n\n" + strings.Repeat(" ", n) + "b" },
	"a long word":                     func(n int) string { return strings.Repeat("a", n) },
	"a long line of words":            func(n int) string { return strings.Repeat("word ", n/5) },
	"a fence that is never closed":    func(n int) string { return "```\n" + strings.Repeat("``` a\n", n/6) },
	"links in one line":               func(n int) string { return strings.Repeat("[a](/b 'c') ", n/12) },
	"images in one line":              func(n int) string { return strings.Repeat("![a](/b) ", n/9) },
	"mentions in one line":            func(n int) string { return strings.Repeat("@kim_b, c/golang ", n/17) },
	"lists in lists":                  growing(func(i int) string { return strings.Repeat("  ", i) + "* a\n" }),
	"quotes in quotes":                growing(func(i int) string { return strings.Repeat(">", i) + "a\n" }),
	"code spans of every length":      growing(func(i int) string { return "e" + strings.Repeat("`", i) }),
	"code spans of every length down": growing(func(i int) string { return "e" + strings.Repeat("`", 400-i%400) }),
	"definitions that are all used":   growing(func(i int) string { return fmt.Sprintf("[%d]: /u\n\n[%d]\n\n", i, i) }),
	"definitions one after another":   growing(func(i int) string { return fmt.Sprintf("[%d]: /u 'title'\n", i) }),
	"definitions of one label":        func(n int) string { return strings.Repeat("[a]: /u\n", n/16) + "\n" + strings.Repeat("[a] ", n/8) },
	"a wide table": func(n int) string {
		return strings.Repeat("|a", 30) + "\n" + strings.Repeat("|-", 30) + "\n" + strings.Repeat(strings.Repeat("|", 30)+"\n", n/31)
	},
	"a table of short rows": func(n int) string {
		return strings.Repeat("|a", 30) + "\n" + strings.Repeat("|-", 30) + "\n" + strings.Repeat("|\n", n/2)
	},
	"a table that is too wide":       func(n int) string { return strings.Repeat("a|", n/4) + "\n" + strings.Repeat("-|", n/4) },
	"code in cells":                  func(n int) string { return "|a|\n|-|\n" + strings.Repeat("|`b\\|\\|`|\n", n/10) },
	"pipes in the code of a cell":    func(n int) string { return "|a|\n|-|\n|`" + strings.Repeat("\\|", n/2) + "`|" },
	"tables one after another":       func(n int) string { return strings.Repeat("a|b\n-|-\nc|d\n\n", n/13) },
	"spoilers that are never closed": func(n int) string { return strings.Repeat(">!a\n\n", n/5) },
	"quoted lines in a spoiler":      func(n int) string { return "x >!a" + strings.Repeat("\n>b", n/3) + "!<" },
	"spoilers of quoted lines":       func(n int) string { return strings.Repeat(">!a\n", n/4) + "!<" },
	"footnotes":                      growing(func(i int) string { return fmt.Sprintf("a[^%d]\n\n[^%d]: b\n\n", i, i) }),
	"one footnote, many references":  func(n int) string { return "[^a]: b\n\n" + strings.Repeat("[^a] ", n/5) },
	"footnotes in footnotes":         growing(func(i int) string { return fmt.Sprintf("[^%d]: b[^%d]\n", i, i+1) }),
	"footnotes indented on and on":   growing(func(i int) string { return strings.Repeat("    ", i) + "[^a]: b\n" }),
	"headings of every level":        growing(func(i int) string { return strings.Repeat("#", 1+i%6) + " a\n" }),
}

// growing makes a text of lines that depend on their number.
func growing(line func(i int) string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(line(i))
		}
		return b.String()
	}
}

func pathological() map[string]func(n int) string {
	texts := map[string]func(n int) string{}
	for name, text := range shapes {
		texts[name] = text
	}
	for _, p := range patterns {
		texts[p] = func(n int) string { return strings.Repeat(p, n/len(p)) }
	}
	return texts
}

// Eight times the text may take twice eight as many steps: work that grows with the square would take 64 times. A
// step is a block of statements of package markdown, the parser or a package of theirs, counted by a program that is built with -cover.
// So it makes no difference how fast the machine is, or how busy.
func TestMarkdownTakesStepsInProportionToTheText(t *testing.T) {
	const small, factor, atMost = 2_000, 8, 16
	names := slices.Sorted(maps.Keys(pathological()))
	var texts [][]byte
	for _, name := range names {
		text := pathological()[name]
		texts = append(texts, []byte(text(small)), []byte(text(small*factor)))
	}
	steps := stepsOf(t, texts)
	worst, where := 0.0, ""
	for i, name := range names {
		before, after := steps[2*i], steps[2*i+1]
		require.Greater(t, before, 1000, "%q", name)
		if ratio := float64(after) / float64(before); ratio > worst {
			worst, where = ratio, name
		}
		assert.LessOrEqual(t, after, before*atMost, "%q: %d steps became %d", name, before, after)
	}
	t.Logf("the worst of %d texts: %.1f times the steps for %d times the text, %q", len(names), worst, factor, where)
}

// stepsOf renders texts and returns how many steps each took.
func stepsOf(t *testing.T, texts [][]byte) (steps []int) {
	t.Helper()
	stacktest.Inputs(t, "render/markdown/testdata/steps", "go.mod")
	program := filepath.Join(t.TempDir(), "steps")
	run := func(input io.Reader, name string, args ...string) []byte {
		var failed bytes.Buffer
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Stdin, cmd.Stderr = input, &failed
		out, err := cmd.Output()
		require.NoError(t, err, "%s", failed.String())
		return out
	}
	run(nil, "go", "build", "-cover", "-covermode=atomic", "-o", program,
		"-coverpkg=plaza/render/markdown/testdata/steps,plaza/render/markdown,github.com/yuin/goldmark/...,bytes,strings,regexp",
		"./testdata/steps")
	var input bytes.Buffer
	require.NoError(t, gob.NewEncoder(&input).Encode(texts))
	require.NoError(t, gob.NewDecoder(bytes.NewReader(run(&input, program))).Decode(&steps))
	require.Len(t, steps, len(texts))
	return steps
}

// What is nested deeper than anybody reads is text, whatever it is nested by.
func TestMarkdownNestsOnlySoDeep(t *testing.T) {
	for name, text := range pathological() {
		for _, n := range []int{2_000, 20_000} { // below and above the limits of a block
			got, err := markdown.Render(text(n), endless)
			require.NoError(t, err)
			deepest, depth := nesting(string(got))
			assert.LessOrEqual(t, deepest, 50, "%q", name)
			assert.Zero(t, depth, "%q is balanced", name)
			assert.Less(t, len(got), 20*n, "%q", name)
		}
	}
}

// nesting is how deep the elements of a page are nested, and how many are never closed.
func nesting(page string) (deepest, depth int) {
	z := html.NewTokenizer(strings.NewReader(page))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		switch name, _ := z.TagName(); {
		case kind == html.StartTagToken && string(name) != "br" && string(name) != "hr":
			depth++
		case kind == html.EndTagToken:
			depth--
		}
		deepest = max(deepest, depth)
	}
	return deepest, depth
}
