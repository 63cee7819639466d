package markdown_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/render/markdown"
	"plaza/test/rendertest"
)

// rendered is a text as HTML, in which the ids of footnotes have X for what is drawn at random.
func rendered(t *testing.T, src string) string {
	t.Helper()
	got, err := markdown.Render(src, endless)
	require.NoError(t, err)
	rendertest.Inert(t, string(got))
	deepest, depth := nesting(string(got))
	require.LessOrEqual(t, deepest, 50)
	require.Zero(t, depth)
	return token.ReplaceAllString(string(got), "${1}${2}X-")
}

var token = regexp.MustCompile(`(id="|href="#)(f[nr])[0-9a-z]+-`)

// table is the HTML of one, by its rows.
func table(head string, rows ...string) string {
	s := "<div class=\"tb\" tabindex=\"0\" dir=\"auto\"><table>\n<thead><tr>" + head + "</tr></thead>\n"
	for i, row := range rows {
		if i == 0 {
			s += "<tbody>"
		}
		s += "<tr>" + row + "</tr>\n"
	}
	if len(rows) > 0 {
		s += "</tbody>"
	}
	return s + "</table></div>\n"
}

func TestTables(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		// The examples of the GFM specification 0.29, "Tables (extension)", by number. Rows are not filled.
		"GFM 198": {"| foo | bar |\n| --- | --- |\n| baz | bim |", table("<th>foo</th><th>bar</th>", "<td>baz</td><td>bim</td>")},
		"GFM 199": {"| abc | defghi |\n:-: | -----------:\nbar | baz",
			table(`<th class="m">abc</th><th class="r">defghi</th>`, `<td class="m">bar</td><td class="r">baz</td>`)},
		"GFM 200": {"| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |",
			table("<th>f|oo</th>", "<td>b <code>|</code> az</td>", "<td>b <strong>|</strong> im</td>")},
		"GFM 201": {"| abc | def |\n| --- | --- |\n| bar | baz |\n> bar",
			table("<th>abc</th><th>def</th>", "<td>bar</td><td>baz</td>") + "<blockquote dir=\"auto\">\n<p>bar</p>\n</blockquote>\n"},
		"GFM 202": {"| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar",
			table("<th>abc</th><th>def</th>", "<td>bar</td><td>baz</td>", "<td>bar</td>") + "<p>bar</p>\n"},
		"GFM 203": {"| abc | def |\n| --- |\n| bar |", "<p>| abc | def |\n| --- |\n| bar |</p>\n"},
		"GFM 204": {"| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |",
			table("<th>abc</th><th>def</th>", "<td>bar</td>", "<td>bar</td><td>baz</td>")},
		"GFM 205": {"| abc | def |\n| --- | --- |", table("<th>abc</th><th>def</th>")},

		"behind a text": {"a\nb\n|c|\n|-|\n|d|", "<p>a\nb</p>\n" + table("<th>c</th>", "<td>d</td>")},
		"empty cells":   {"||b|\n|-|-|\n|c||", table("<td></td><th>b</th>", "<td>c</td><td></td>")},
		"marks in cells": {"*a*|[b](/c)\n-|-\n~~d~~|@kim",
			table("<th><em>a</em></th><th><a href=\"/c\">b</a></th>", "<td><del>d</del></td><td><a href=\"/u/kim\">@kim</a></td>")},
		"in a list":              {"- a|b\n  -|-\n  c|d", "<ul dir=\"auto\">\n<li>\n" + table("<th>a</th><th>b</th>", "<td>c</td><td>d</td>") + "</li>\n</ul>\n"},
		"in a quote":             {"> a|b\n> -|-\n> c|d", "<blockquote dir=\"auto\">\n" + table("<th>a</th><th>b</th>", "<td>c</td><td>d</td>") + "</blockquote>\n"},
		"dashes are a heading":   {"a | b\n---", "<h3>a | b</h3>\n"},
		"a backslash at the end": {"a|b\\\n-|-\nc|d\\", table(`<th>a</th><th>b\</th>`, `<td>c</td><td>d\</td>`)},
		"code with pipes":        {"a\n|-|\n`x\\|y\\|`", table("<th>a</th>", "<td><code>x|y|</code></td>")},
		"dashes that are none":   {"a|b\n-|x\n", "<p>a|b\n-|x</p>\n"},
		"too many columns":       {strings.Repeat("a|", 33) + "\n" + strings.Repeat("-|", 33), "<p>" + strings.Repeat("a|", 33) + "\n" + strings.Repeat("-|", 33) + "</p>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, rendered(t, c.in))
		})
	}
}

func TestStruckText(t *testing.T) {
	for in, want := range map[string]string{
		"~~a~~ b":            "<del>a</del> b",
		"*~~a~~* ~~**b**~~":  "<em><del>a</del></em> <del><strong>b</strong></del>",
		"~a~ ~5 to ~10":      "~a~ ~5 to ~10", // about
		"~~~a~~~ ~~ b ~~":    "~~~a~~~ ~~ b ~~",
		"~~a\nb~~":           "<del>a\nb</del>",
		"*~~a*~~":            "<em>~~a</em>~~",
		"`~~a~~` \\~~a\\~~":  "<code>~~a~~</code> ~~a~~",
		"~~https://a.b/~c~~": `<del><a href="https://a.b/~c" rel="nofollow ugc noopener">https://a.b/~c</a></del>`,
		"[~~a~~](/b)":        `<a href="/b"><del>a</del></a>`,
	} {
		assert.Equal(t, "<p>x "+want+"</p>\n", rendered(t, "x "+in), in)
	}
}

func TestSpoilers(t *testing.T) {
	hidden := func(s string) string { return `<details class="sp"><summary>Spoiler</summary> ` + s + `</details>` }
	for in, want := range map[string]string{
		"a >!b!< c":              `<div class="p">a ` + hidden("b") + " c</div>\n",
		">!b!<":                  `<div class="p">` + hidden("b") + "</div>\n", // no quote
		"a\n>!b!<":               `<div class="p">a` + "\n" + hidden("b") + "</div>\n",
		">!a\nb!<":               `<div class="p">` + hidden("a\nb") + "</div>\n",
		"> >!b!<":                "<blockquote dir=\"auto\">\n" + `<div class="p">` + hidden("b") + "</div>\n</blockquote>\n",
		">!quoted, not hidden":   "<blockquote dir=\"auto\">\n<p>!quoted, not hidden</p>\n</blockquote>\n",
		">!a\n\nb!<":             "<blockquote dir=\"auto\">\n<p>!a</p>\n</blockquote>\n<p>b!&lt;</p>\n",
		"- >!b!<":                "<ul dir=\"auto\">\n<li>" + hidden("b") + "</li>\n</ul>\n",
		"# >!b!<":                "<h3>" + hidden("b") + "</h3>\n",
		">!*b* `c`!<":            `<div class="p">` + hidden("<em>b</em> <code>c</code>") + "</div>\n",
		"*>!b!<*":                `<div class="p"><em>` + hidden("b") + "</em></div>\n",
		">![b](/c)!<":            `<div class="p">` + hidden(`<a href="/c">b</a>`) + "</div>\n",
		">!a!< >!b!<":            `<div class="p">` + hidden("a") + " " + hidden("b") + "</div>\n",
		">!a *>!b!<* c!<":        `<div class="p">` + hidden("a <em>"+hidden("b")+"</em> c") + "</div>\n",
		">!a >!b!< c!<":          `<div class="p">` + hidden("a &gt;!b") + " c!&lt;</div>\n",
		"[>!a!<](/b)":            "<p><a href=\"/b\">&gt;!a!&lt;</a></p>\n",
		"*a >!b* c!<":            "<p><em>a &gt;!b</em> c!&lt;</p>\n",
		"[a >!b](/c) d!<":        "<p><a href=\"/c\">a &gt;!b</a> d!&lt;</p>\n",
		"x >!a [b!<](/c)":        "<p>x &gt;!a <a href=\"/c\">b!&lt;</a></p>\n",
		"x >!!< \\>!a!< `>!a!<`": "<p>x &gt;!!&lt; &gt;!a!&lt; <code>&gt;!a!&lt;</code></p>\n",
		"wow!<https://a.b>":      `<p>wow!<a href="https://a.b"` + rel + ">https://a.b</a></p>\n",
		"@kim >!@ada!<":          `<div class="p"><a href="/u/kim">@kim</a> ` + hidden(`<a href="/u/ada">@ada</a>`) + "</div>\n",
	} {
		assert.Equal(t, want, rendered(t, in), "%q", in)
	}
}

// A line that says what happens must not say it in listings, mails and notifications.
func TestAnExcerptHidesSpoilers(t *testing.T) {
	assert.Equal(t, "He [spoiler] at the end", markdown.PlainExcerpt("He >!*dies*!< at the end", 80))
	assert.Equal(t, "a b c", markdown.PlainExcerpt("a|b\n-|-\nc", 80))
	assert.Equal(t, "gone", markdown.PlainExcerpt("~~gone~~", 80))
	assert.Equal(t, "a c b", markdown.PlainExcerpt("a[^1] c\n\n[^1]: b", 80))
	assert.Equal(t, "a [spoiler]…", markdown.PlainExcerpt("a >!"+strings.Repeat("b ", 10_000)+"!< c", 80), "it reads only the beginning")
	assert.Equal(t, "[spoiler]…", markdown.PlainExcerpt(">!"+strings.Repeat("b ", 1_000)+"!< c", 80))
	assert.Equal(t, "a [spoiler] c", markdown.PlainExcerpt("a >!b\n\nc", 80), "which may be cut")
	assert.Equal(t, "a b", markdown.PlainExcerpt("> a\n\nb", 80))
}

// What is in a spoiler, each z here, is in nothing that is made of the text, nor of its beginning: the search reads no more of it.
func TestWhatLeavesThePageHidesSpoilers(t *testing.T) {
	for _, in := range []string{
		"a >!zz!< b", ">!zz!<", ">!zz!< b >!zz!<", ">!z z\nz!<", "text\n>!zz!<", "a *b >!zz!< c*", "*>!zz!<*", "**a** ~~>!zz!<~~", "- one\n- >!zz!<",
		"1. a\n\n   >!zz!<", "# >!zz!<", "a\n=\n\n>!zz!<", "> >!zz!<", "> a\n>\n> b >!zz!<", "a|b\n-|-\n>!zz!<|c", "a|b\n-|-\nc|>!zz!<",
		"a >!z *z* `z` [z](/c) ![z](/d \"z\") https://z.example @zed z!< b", ">!z *>!z!<* z!<", ">!z &gt; &#122; z!<", ">!\\>z \\!z!<", "a\\\n>!zz!<",
		"x >!a `!<` z!<", ">!a [b!<](/c) z!<", "[a]: /x\n\n>![a] z!<", "a[^1]\n\n[^1]: b >!zz!<", "```\na\n```\n>!zz!<", "ü >!züz!< ü", ">!z\rz!<",
	} {
		html := string(markdown.HTML(rendered(t, in)).Public())
		require.NotContains(t, html, "z", "%q", in)
		require.NotContains(t, html, "details", "%q", in)
		require.Contains(t, html, "[spoiler]", "%q", in)
		for cut := range len(in) + 1 {
			require.NotContains(t, markdown.PlainExcerpt(in[:cut], 280), "z", "%q", in[:cut])
		}
	}
	for in, want := range map[string]string{
		"a >!b!< c": "<div class=\"p\">a [spoiler] c</div>\n", "<details>": "<p>&lt;details&gt;</p>\n", ">!a *>!b!<* c!< d": "<div class=\"p\">[spoiler] d</div>\n",
		">!a!< >!b!<": "<div class=\"p\">[spoiler] [spoiler]</div>\n",
	} {
		require.Equal(t, want, string(markdown.HTML(rendered(t, in)).Public()))
	}
}

func TestFootnotes(t *testing.T) {
	ref := func(n int) string { return fmt.Sprintf(`<sup><a href="#fnX-%d" id="frX-%[1]d">%[1]d</a></sup>`, n) }
	again := func(n int) string { return fmt.Sprintf(`<sup><a href="#fnX-%d">%[1]d</a></sup>`, n) }
	note := func(n int, s string) string {
		return fmt.Sprintf("<li id=\"fnX-%d\">\n%s <a href=\"#frX-%[1]d\">↩\ufe0e</a></p>\n</li>\n", n, strings.TrimSuffix(s, "</p>\n"))
	}
	list := func(notes ...string) string {
		return "<ol class=\"fn\" dir=\"auto\">\n" + strings.Join(notes, "") + "</ol>\n"
	}
	for in, want := range map[string]string{
		"a[^1]\n\n[^1]: b":                   "<p>a" + ref(1) + "</p>\n" + list(note(1, "<p>b</p>\n")),
		"[^1]: b\n\na[^1] c[^1]":             "<p>a" + ref(1) + " c" + again(1) + "</p>\n" + list(note(1, "<p>b</p>\n")),
		"a[^y] b[^x]\n\n[^x]: 1\n[^y]: 2":    "<p>a" + ref(1) + " b" + ref(2) + "</p>\n" + list(note(1, "<p>2</p>\n"), note(2, "<p>1</p>\n")),
		"a[^1]\n\n[^1]: b\n\n    c\n\nd":     "<p>a" + ref(1) + "</p>\n<p>d</p>\n" + list(note(1, "<p>b</p>\n<p>c</p>\n")),
		"a[^1]\n\n[^1]: b[^2]\n[^2]: c[^1]":  "<p>a" + ref(1) + "</p>\n" + list(note(1, "<p>b"+ref(2)+"</p>\n"), note(2, "<p>c"+again(1)+"</p>\n")),
		"a[^1] [^2]":                         "<p>a[^1] [^2]</p>\n",
		"a[^1\n\n[^1]: b":                    "<p>a[^1</p>\n" + list("<li>\n<p>b</p>\n</li>\n"),
		"a[^1] b\n\n[^1]: c\n[^1]: d":        "<p>a" + ref(1) + " b</p>\n" + list(note(1, "<p>c\n"+again(1)+": d</p>\n")),
		"[a[^1]](/b)\n\n[^1]: c":             "<p><a href=\"/b\">a<sup>1</sup></a></p>\n" + list(note(1, "<p>c</p>\n")),
		"`[^1]` \\[^1]\n\n[^1]: c":           "<p><code>[^1]</code> [^1]</p>\n" + list("<li>\n<p>c</p>\n</li>\n"),
		"a[^Ab]\n\n[^aB]: c":                 "<p>a" + ref(1) + "</p>\n" + list(note(1, "<p>c</p>\n")),
		"> a[^1]\n>\n> [^1]: /b":             "<blockquote dir=\"auto\">\n<p>a<a href=\"/b\">^1</a></p>\n</blockquote>\n", // a definition of a link
		"a[^1]\n\n[^1]: ```\n    b\n    ```": "<p>a" + ref(1) + "</p>\n" + list("<li id=\"fnX-1\">\n<pre tabindex=\"0\" dir=\"auto\"><code>b\n</code></pre>\n <a href=\"#frX-1\">↩\ufe0e</a></li>\n"),
		"a[^a b]\n\n[^a b]: /c":              "<p>a<a href=\"/c\">^a b</a></p>\n",
	} {
		assert.Equal(t, want, rendered(t, in), "%q", in)
	}
}

// The notes of two texts on a page have different ids, even if the texts are the same.
func TestFootnotesOfTwoTextsHaveDifferentIDs(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		got, err := markdown.Render("a[^1]\n\n[^1]: b", endless)
		require.NoError(t, err)
		for _, n := range elements(parseFragment(t, string(got))) {
			if id := attribute(n, "id"); id != "" {
				require.False(t, seen[id], id)
				require.Regexp(t, `^f[nr][0-9a-z]{6,9}-1$`, id)
				seen[id] = true
			}
		}
	}
	require.Len(t, seen, 200)
}

func TestATextHasOnlySoManyFootnotes(t *testing.T) {
	var b strings.Builder
	for i := range 150 {
		fmt.Fprintf(&b, "a[^%d]\n\n[^%d]: b\n\n", i, i)
	}
	require.Equal(t, 100, strings.Count(rendered(t, b.String()), "<li id="))
}
