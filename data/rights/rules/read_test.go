package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLinksOfThePage has texts whose page links to evil.example or to a subdomain, in any spelling.
func TestLinksOfThePage(t *testing.T) {
	domains, links := parse(t, "rule: x\ndomains: evil.example\ndo: hold"), parse(t, "rule: x\nlinks at least: 1\ndo: hold")
	var many strings.Builder
	for n := range 300 {
		fmt.Fprintf(&many, "<https://host%d.example/> ", n)
	}
	for _, text := range []string{
		"https://evil.example/a",
		"See www.evil.example.",
		"[x](https:\\/\\/evil.example/)",
		"[x](https&colon;//evil.example/)",
		"[x](https&#58;&#x2f;/evil.example/)",
		"[x](https://evil&#46;example/)",
		"[x](<https://evil.example/>)",
		"[x](HTTPS://EVIL.EXAMPLE)",
		"[x][y]\n\n[y]: https://evil.example/",
		"[evil]\n\n[EVIL]: https://a.evil.example/ 'a title'",
		"![](https://evil.example/x.png)",
		"[![x](https://good.example/x.png)](https://evil.example/)",
		"<https://evil.example>",
		"[x](https://user@evil.example:8080/)",
		"[x](https://evil.example.)",
		"[x](https://e\u00advil.example/)",
		"[x](https://e&shy;vil.example/)",
		"[x](https://e\u200bvil.example/)",
		"[x](https://e&ZeroWidthSpace;vil.example/)",
		"[x](https://evil。example/)",
		"[x](https://ｅｖｉｌ．example/)",
		"[x](https://ⓔvil.example/)",
		"[x](https://%E2%93%94vil.example/)",
		"[x](https://𝐞𝐯𝐢𝐥.example/)",
		"[x](https://eviⅼ.example/)",
		"[x](https://x!.evil.example/)",
		"[x](https://\U0001fae9.evil.example/)",
		"a^[b]\n\n~~[x](https://evil.example/)~~",
		"x[^1]\n\n[^1]: [note](https://evil.example/)",
		">![x](https://evil.example/)!<",
		"| a |\n|---|\n| https://evil.example/ |",
		"> - # [x](https://evil.example/)",
		many.String() + "[x](https://evil.example/)",
		strings.Repeat("\u200b", 6000) + " https://evil.example/",
	} {
		thing := Thing{HTML: md(text)}
		assert.True(t, hits(domains, thing, Author{}), "%.60q", text)
		assert.True(t, hits(links, thing, Author{}), "%.60q", text)
	}
	for _, text := range []string{"evil.example", "`https://evil.example/`", "    https://evil.example/", "[x]: https://evil.example/",
		"[x](/evil.example)", "[x](javascript://evil.example/)", "https&#58;//evil.example/ is no link", "@evil.example"} {
		thing := Thing{HTML: md(text)}
		assert.False(t, hits(domains, thing, Author{}), "%q", text)
		assert.False(t, hits(links, thing, Author{}), "%q", text)
	}
	for _, address := range []string{"https://ⓔvil.example/", "https://evil。example/100%", "HTTPS://www.EVIL.example:8443", "https://e\u00advil.example"} {
		thing := Thing{Kind: Link, Addresses: []string{address, ""}}
		assert.True(t, hits(domains, thing, Author{}), address)
		assert.True(t, hits(links, thing, Author{}), address)
	}
	for _, title := range []string{"Look: https://ⓔvil.example/", "(http://evil.example)", "a://b http://evil。example!"} {
		assert.True(t, hits(domains, Thing{Title: title}, Author{}), title)
		assert.True(t, hits(domains, Thing{}.Showing(title), Author{}), title)
	}
}

// TestDomainsOfRules has several spellings of the domain of a rule.
func TestDomainsOfRules(t *testing.T) {
	for _, domain := range []string{"münchen.example", "MÜNCHEN.example", "mu\u0308nchen.example", "xn--mnchen-3ya.example", "*.münchen.example",
		"www.münchen.example", "münchen。example"} {
		rule := parse(t, "rule: x\ndomains: "+domain+"\ndo: hold")
		assert.True(t, hits(rule, Thing{HTML: md("[x](https://a.xn--mnchen-3ya.example/)")}, Author{}), domain)
		assert.True(t, hits(rule, Thing{Addresses: []string{"https://MÜNCHEN.example"}}, Author{}), domain)
		assert.False(t, hits(rule, Thing{Addresses: []string{"https://munchen.example"}}, Author{}), domain)
	}
	ip := parse(t, "rule: x\ndomains: 1.2.3.4\ndo: hold")
	assert.True(t, hits(ip, Thing{HTML: md("<http://0x01020304/>")}, Author{}))
	assert.True(t, hits(ip, Thing{HTML: md("<http://16909060/>")}, Author{}))
	_, err := ParseAll("rule: x\ndomains: no domain!, ..\ndo: hold")
	require.Error(t, err)
}

// TestWordsAsTheyAreRead has texts that readers read as viagra.
func TestWordsAsTheyAreRead(t *testing.T) {
	words, pattern := parse(t, "rule: x\nwords: viagra\ndo: hold"), parse(t, "rule: x\npattern: (?i)\\bviagra\\b\ndo: hold")
	hidden := strings.Repeat("\u200b", 6000)
	for text, byPattern := range map[string]bool{
		"buy viagra now":              true,
		"VIAGRA!":                     true,
		"v&#105;agra":                 true,
		"v&#x69;agr&#97;":             true,
		"via**g**ra":                  true,
		"***v***ia~~g~~ra":            true,
		"v\\i\\agra v`iagra`":         true,
		"via[g](https://a.example)ra": true,
		"via[g](/x)ra":                true,
		"vi\u00adagra":                true,
		"vi&shy;agra":                 true,
		"vi\u200b\u2060ag\ufe0fra":    true,
		"vi\u034fagra":                true,
		"vi\u3164agra":                true,
		hidden + "viagra":             true,
		strings.Repeat("&nbsp;\n\n", 6000) + "viagra": true,
		strings.Repeat("&#x2800;", 2000) + " viagra":  true,
		"ｖｉａｇｒａ":                                      false,
		"ⓥⓘⓐⓖⓡⓐ":                                      false,
		"𝓿𝓲𝓪𝓰𝓻𝓪":                                      false,
		"v\u0336i\u0336a\u0336g\u0336r\u0336a":        false,
		"x[^1]\n\n[^1]: viagra":                       true,
		"viagra[^1]\n\n[^1]: x":                       true,
		"via[^1]gra\n\n[^1]: x":                       true,
		">!viagra!<":                                  true,
		"a >!viagra!< b":                              true,
		"[x](https://a.example 'viagra')":             true,
		"![viagra](https://a.example)":                true,
		"|viagra|\n|---|":                             true,
		"- a\n- viagra\n- b":                          true,
		"[x](https://a.example/?q=viagra)":            true,
		"[a]\n\n[a]: /viagra":                         true,
	} {
		thing := Thing{HTML: md(text)}
		assert.True(t, hits(words, thing, Author{}), "%.60q", text)
		assert.Equal(t, byPattern, hits(pattern, thing, Author{}), "%.60q", text)
	}
	for _, text := range []string{"via gra", "via\n\ngra", "- via\n- gra", "|via|gra|\n|-|-|", "# via\ngra", "viagras", "[unused]: /viagra"} {
		assert.False(t, hits(words, Thing{HTML: md(text)}, Author{}), "%q", text)
	}
	assert.False(t, hits(parse(t, "rule: x\nwords: spoiler\ndo: hold"), Thing{HTML: md(">!x!<")}, Author{}), "a label of the page")
	numbers := readHTML(md("a[^1]\n\n[^1]: b"))
	assert.Equal(t, "a\n\n\n\nb \u21a9\ufe0e", numbers.text, "the number of a footnote, which the page makes")
	assert.Contains(t, readHTML(md("[x](https://a.example \"#badword\")")).hover, "#badword", "a title is no place on the page")
	assert.Empty(t, numbers.hover, "ids of footnotes are drawn at random")
	assert.True(t, hits(parse(t, "rule: x\npattern: ❤\ufe0f+\ndo: hold"), Thing{HTML: md("I ❤\ufe0f it")}, Author{}))
	assert.True(t, hits(parse(t, "rule: x\nwords: ＶＩＡＧＲＡ, βόλος\ndo: hold"), Thing{Title: "ΒΟ\u0301ΛΟΣ"}, Author{}))
}

// TestHTMLThatWasCut parses truncated HTML up to its end.
func TestHTMLThatWasCut(t *testing.T) {
	whole := md("**via**gra [x](https://evil.example/ \"a title\") >!hidden!< &amp; `<a href=\"https://no.example\">`")
	for end := range whole {
		r := readHTML(whole[:end])
		require.LessOrEqual(t, len(r.links), 1)
		require.NotContains(t, r.links, "https://no.example")
	}
	require.Equal(t, []string{"https://evil.example/"}, readHTML(whole).links)
}
