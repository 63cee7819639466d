package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"plaza/render"
)

// patterns are repeated to make texts that punish parsers: those of cmark's
// pathological tests, and marks of every kind.
var patterns = []string{
	">", "> ", "- ", "1. ", "[", "](", "[a](", "![", "![[]()", "*", "**", "_a", "*a ", "*a_ ", "**a *", "`", "`` ` ", "<", "&", "\\", "\n", "# ", "[a]: b\n", "[a]",
	"*a**a ", "a_b", "***a* ", "(", "http://a ", "www.", "@a", "u/ab ", "[](", "[[]", "]", "![a]", "<http:", "<!--", "\t", "> a\n", "- a\n", "1) a\n\n", "```\n", "* * *\n",
	"[a](<b", "[a](b \"", "&#1;", "http://a.b/(", "a@b.c ", "x\n2. [[", "    - [", strings.Repeat("> ", 50) + "a\n", strings.Repeat("- ", 50) + "a\n",
	"a_ ", "_a ", "a]", "[a", "[ a_", "[ (](", "**x [a*b**c*](d)", "a**b c* ", "[a](b", "<?", "<![CDATA[", "<!A ", "</", "a  \n", "a\\\n", "x ", "&amp;", "&#x41;", "&a",
	"http://a.b/)", "http://a.b/&a;", "https://a.b)))", "www.a_", "a_a", "a.a@", "_http://a_b", "(www.a.b", "\"www.a.b/[", "[http://a.b", "a@", "@ab_", "c/ab-", "/u/", "~", "~~~\n",
	"[a\n", "[a]:\n", "[a]: b 'c\n", "[a]: <b\n", "\t- a\n", "> - a\n", "a\n=\n", "a\n-\n", "  * a\n\n", "***", "_*", "'", "\"", "ü", "\u3000", "\x00", "\xff", "\r", "    a\n", "- - - ",
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
	"headings of every level":         growing(func(i int) string { return strings.Repeat("#", 1+i%6) + " a\n" }),
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

// Eight times the text may take three times eight as long: work that grows with the
// square would take 64 times. The least of several runs counts, those that were slow get
// more looks, and what is done in a blink is fine, so that a busy machine changes nothing.
func TestMarkdownTakesTimeInProportionToTheText(t *testing.T) {
	const small, factor, atMost = 8_000, 8, 24
	worst, where := 0.0, ""
	for name, text := range pathological() {
		short, long := text(small), text(small*factor)
		before, after := time.Hour, time.Hour
		slow := func() bool { return after > before*atMost && after > 25*time.Millisecond }
		for look := 0; look < 3 || look < 20 && slow() && after < 5*time.Second; look++ {
			before, after = min(before, took(t, short)), min(after, took(t, long))
		}
		if ratio := float64(after) / float64(before); ratio > worst {
			worst, where = ratio, name
		}
		assert.False(t, slow(), "%q: %v became %v", name, before, after)
	}
	t.Logf("the worst of %d texts: %.1f times the time for %d times the text, %q", len(pathological()), worst, factor, where)
}

func took(t *testing.T, src string) time.Duration {
	t.Helper()
	start := time.Now()
	_, err := render.RenderMarkdown(src, endless)
	require.NoError(t, err)
	return time.Since(start)
}

// What is nested deeper than anybody reads is text, whatever it is nested by.
func TestMarkdownNestsOnlySoDeep(t *testing.T) {
	for name, text := range pathological() {
		for _, n := range []int{2_000, 20_000} { // below and above the limits of a block
			got, err := render.RenderMarkdown(text(n), endless)
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
