package markdown_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/render/markdown"
	"plaza/test/fixture"
	"plaza/test/rendertest"
)

const (
	rel = ` rel="nofollow ugc noopener"`
	// endless is for tests of what is made rather than of how much.
	endless = 1 << 30
)

func TestMarkdown(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		// Of the CommonMark specification, by the number of the example in 0.31.2.
		"escaped punctuation":         {"\\!\\\"\\#\\$", "<p>!&quot;#$</p>\n"},
		"example 43, thematic breaks": {"***\n---\n___", "<hr>\n<hr>\n<hr>\n"},
		"example 119, a code block":   {"```\n<\n >\n```", "<pre tabindex=\"0\" dir=\"auto\"><code>&lt;\n &gt;\n</code></pre>\n"},
		"example 228, block quotes":   {"> # Foo\n> bar\n> baz", "<blockquote dir=\"auto\">\n<h3>Foo</h3>\n<p>bar\nbaz</p>\n</blockquote>\n"},
		"example 301, lists":          {"- foo\n- bar\n+ baz", "<ul dir=\"auto\">\n<li>foo</li>\n<li>bar</li>\n</ul>\n<ul dir=\"auto\">\n<li>baz</li>\n</ul>\n"},
		"example 328, code spans":     {"`foo`", "<p><code>foo</code></p>\n"},
		"example 350, emphasis":       {"*foo bar*", "<p><em>foo bar</em></p>\n"},
		"strong emphasis":             {"foo *bar **baz***", "<p>foo <em>bar <strong>baz</strong></em></p>\n"},
		"example 483, a link":         {"[link](/uri)", "<p><a href=\"/uri\">link</a></p>\n"},
		"example 633, a hard break":   {"foo  \nbaz", "<p>foo<br>\nbaz</p>\n"},

		"a bare address": {"see https://go.dev/x.", `<p>see <a href="https://go.dev/x"` + rel + `>https://go.dev/x</a>.</p>` +
			"\n"},
		"a reference": {"[a]\n\n[a]: https://b.c 'title'", `<p><a href="https://b.c" title="title"` + rel + `>a</a></p>` +
			"\n"},
		"an image is a link":      {"![alt](https://a.b/c.png)", `<p><a href="https://a.b/c.png"` + rel + `>alt</a></p>` + "\n"},
		"an image without a name": {"![](https://a.b/c.png)", `<p><a href="https://a.b/c.png"` + rel + `>image</a></p>` + "\n"},
		"an image in a link is its text": {"[![alt](https://a.b/c.png)](https://d.e)", `<p><a href="https://d.e"` + rel + `>alt</a></p>` +
			"\n"},
		"raw HTML is text":                {"<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"},
		"a block of raw HTML is text":     {"<div>\n*x*\n</div>", "<p>&lt;div&gt;\n<em>x</em>\n&lt;/div&gt;</p>\n"},
		"headings skip no level":          {"# A\n### B\n## C", "<h3>A</h3>\n<h4>B</h4>\n<h4>C</h4>\n"},
		"a first heading that is not top": {"### A\n# B", "<h3>A</h3>\n<h3>B</h3>\n"},
		"mentions": {"@kim_b, u/x-y and /c/golang", `<p><a href="/u/kim_b">@kim_b</a>, <a href="/u/x-y">u/x-y</a> and ` +
			`<a href="/c/golang">/c/golang</a></p>` + "\n"},
		"a mention in emphasis": {"*@kim*", `<p><em><a href="/u/kim">@kim</a></em></p>` + "\n"},
		"no mention in a word or an email": {"mail@kim.de x/u/foo \\@kim", `<p><a href="mailto:mail@kim.de"` + rel +
			`>mail@kim.de</a> x/u/foo @kim</p>` + "\n"},
		"no mention in code or a link": {"`@kim` [@kim](/x)", `<p><code>@kim</code> <a href="/x">@kim</a></p>` + "\n"},
		"an unsafe link is its text":   {"[x](javascript:alert(1)) <javascript:alert(1)>", "<p>x javascript:alert(1)</p>\n"},
		"code at the margin stays": {"~~~\n" + strings.Repeat("*[", 500) + "\n~~~", "<pre tabindex=\"0\" dir=\"auto\"><code>" + strings.Repeat("*[",
			500) + "\n</code></pre>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := markdown.Render(c.in, endless)
			require.NoError(t, err)
			assert.Equal(t, c.want, string(got))
		})
	}
}

func TestMarkdownRunsNoScript(t *testing.T) {
	payloads := append([]string{
		"[x](data:text/html;base64,PHNjcmlwdD4=)", "![x](javascript:alert(1))", "[x](java&#x73;cript:alert(1))", "[x](java&Tab;script:alert(1))",
		"[x](<javascript:alert(1)>)", "[x][y]\n\n[y]: javascript:alert(1)", "[x](vbscript:msgbox)", "[x](\\javascript:alert(1))",
		"[x](//evil.example)",
		"<javascript:alert(1)>", "<data:text/html,x>", "[x](https://a.b/\"onmouseover=\"alert(1))", "[x](https://a.b 'a\" onclick=\"b')",
		"![\" onerror=\"x](https://a.b)",
		"```\"><script>alert(1)</script>\n```", "``` x\" onload=\"alert(1)\nx\n```", "<a href=\"javascript:x\">x</a>",
		"<!-- --><script>x</script>", "<![CDATA[<script>x</script>]]>",
		"@\"><script>", "u/\"onclick=", "# <img src=x onerror=x>", "<<script>script>x", "https://a.b/\"><script>alert(1)</script>",
		"[a](https://x.y/<script>)",
		"[![x](https://a.b)](javascript:alert(1))", "[x](&#106;avascript:alert(1))", "[x](%6aavascript:alert(1))",
		"[x]( \x01javascript:alert(1))",
	}, fixture.Strings...)
	for _, link := range fixture.Links {
		payloads = append(payloads, "["+link+"]("+link+")", "![a](<"+link+">)", "<"+link+">", link)
	}
	for _, payload := range payloads {
		got, err := markdown.Render(payload, endless)
		require.NoError(t, err)
		rendertest.Inert(t, string(got))
	}
}

func TestMarkdownRefusesTextThatIsTooLong(t *testing.T) {
	_, err := markdown.Render(strings.Repeat("a", markdown.MaxMarkdown+1), endless)
	assert.ErrorIs(t, err, markdown.ErrTooLong)
}

func TestPlainExcerpt(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 10, ""},
		{"*Hello* [world](https://x.y)!", 40, "Hello world!"},
		{"# Title\n\ntext\nnext", 40, "Title text next"},
		{"one two three four", 9, "one two…"},
		{"a &amp; b \\* `c`", 40, "a & b * c"},
		{"<b>x</b> ![alt](y)", 40, "<b>x</b> alt"},
		{strings.Repeat("ü", 30), 10, strings.Repeat("ü", 10) + "…"},
	} {
		assert.Equal(t, c.want, markdown.PlainExcerpt(c.in, c.n))
	}
	long := markdown.PlainExcerpt(strings.Repeat("word ", 100_000), 200)
	assert.LessOrEqual(t, utf8.RuneCountInString(long), 201)
}

func FuzzRender(f *testing.F) {
	for _, s := range append(append([]string{}, fixture.Strings...), patterns...) {
		f.Add(s + s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		got, err := markdown.Render(src, endless)
		if len(src) > markdown.MaxMarkdown {
			require.ErrorIs(t, err, markdown.ErrTooLong)
			return
		}
		require.NoError(t, err)
		require.True(t, utf8.ValidString(string(got)))
		rendertest.Inert(t, string(got))
		n := utf8.RuneCountInString(markdown.PlainExcerpt(src, 80))
		require.LessOrEqual(t, n, 81)
	})
}
