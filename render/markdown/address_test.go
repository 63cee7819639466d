package markdown_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/render/markdown"
)

var (
	linkTag  = regexp.MustCompile(`<a href="([^"]*)"[^>]*>(.*?)</a>`)
	otherTag = regexp.MustCompile(`</?(p|em|strong|del|code|blockquote|h3)( dir="auto")?>`)
)

// linksIn renders a text and writes its links as {label|address}, or {label} where both
// are the same but for http:// or mailto:.
func linksIn(t *testing.T, src string) string {
	t.Helper()
	got, err := markdown.Render(src, endless)
	require.NoError(t, err)
	short := linkTag.ReplaceAllStringFunc(string(got), func(tag string) string {
		m := linkTag.FindStringSubmatch(tag)
		if m[1] == m[2] || m[1] == "http://"+m[2] || m[1] == "mailto:"+m[2] {
			return "{" + m[2] + "}"
		}
		return "{" + m[2] + "|" + m[1] + "}"
	})
	return html.UnescapeString(strings.TrimSpace(otherTag.ReplaceAllString(short, "")))
}

func TestBareAddresses(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		// The examples of the GFM specification 0.29, "Autolinks (extension)", by number.
		"GFM 622": {"www.commonmark.org", "{www.commonmark.org}"},
		"GFM 623": {"Visit www.commonmark.org/help for more information.", "Visit {www.commonmark.org/help} for more information."},
		"GFM 624": {"Visit www.commonmark.org.\n\nVisit www.commonmark.org/a.b.", "Visit {www.commonmark.org}.\nVisit {www.commonmark.org/a.b}."},
		"GFM 625": {
			"www.google.com/search?q=Markup+(business)\n\nwww.google.com/search?q=Markup+(business)))\n\n(www.google.com/search?q=Markup+(business))\n\n(www.google.com/search?q=Markup+(business)",
			"{www.google.com/search?q=Markup+(business)}\n{www.google.com/search?q=Markup+(business)}" +
				"))\n({www.google.com/search?q=Markup+(business)})\n({www.google.com/search?q=Markup+(business)}",
		},
		"GFM 626": {"www.google.com/search?q=(business))+ok", "{www.google.com/search?q=(business))+ok}"},
		"GFM 627": {"www.google.com/search?q=commonmark&hl=en\n\nwww.google.com/search?q=commonmark&hl;",
			"{www.google.com/search?q=commonmark&hl=en}\n{www.google.com/search?q=commonmark}&hl;"},
		"GFM 628": {"www.commonmark.org/he<lp", "{www.commonmark.org/he}<lp"},
		"GFM 629": {"http://commonmark.org\n\n(Visit https://encrypted.google.com/search?q=Markup+(business))",
			"{http://commonmark.org}\n(Visit {https://encrypted.google.com/search?q=Markup+(business)})"},
		"GFM 630": {"foo@bar.baz", "{foo@bar.baz}"},
		"GFM 631": {"hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.",
			"hello@mail+xyz.example isn't valid, but {hello+xyz@mail.example} is."},
		"GFM 632": {"a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_", "{a.b-c_d@a.b}\n{a.b-c_d@a.b}.\na.b-c_d@a.b-\na.b-c_d@a.b_"},

		"punctuation that ends the sentence": {"https://a.b/c?! https://a.b/c... https://a.b/c: https://a.b/c,",
			"{https://a.b/c}?! {https://a.b/c}... {https://a.b/c}: {https://a.b/c},"},
		"punctuation within":                     {"https://a.b/c,d.e!f?g:h;i", "{https://a.b/c,d.e!f?g:h;i}"},
		"a question in the address":              {"https://a.b/?q=1&r=2#s", "{https://a.b/?q=1&r=2#s}"},
		"underscores are no emphasis":            {"https://a.b/_c_d_ and_https", "{https://a.b/_c_d}_ and_https"},
		"in emphasis":                            {"*https://a.b/c* **www.a.b** _https://a.b_", "{https://a.b/c} {www.a.b} {https://a.b}"},
		"in quotation marks":                     {"\"https://a.b/c\" 'www.a.b'", "\"{https://a.b/c}\" '{www.a.b}'"},
		"in brackets":                            {"[https://a.b/c] [see https://a.b]", "[{https://a.b/c}] [see {https://a.b}]"},
		"in the text of a link":                  {"[see https://a.b](https://c.d)", "{see https://a.b|https://c.d}"},
		"in the text of an image":                {"![https://a.b](https://c.d)", "{https://a.b|https://c.d}"},
		"in code":                                {"`https://a.b` `me@a.b`", "https://a.b me@a.b"},
		"behind a letter or a slash, or a colon": {"xhttps://a.b /www.a.b see:https://a.b", "xhttps://a.b /www.a.b see:{https://a.b}"},
		"over two lines":                         {"https://a.b/c\nd", "{https://a.b/c}\nd"},
		"a hard break behind":                    {"https://a.b/c\\\nd", "{https://a.b/c}<br>\nd"},
		"letters of other alphabets": {"https://de.wikipedia.org/wiki/Köln",
			"{https://de.wikipedia.org/wiki/Köln|https://de.wikipedia.org/wiki/K%C3%B6ln}"},
		"a host of other letters":     {"https://münchen.example/", "{https://münchen.example/|https://m%C3%BCnchen.example/}"},
		"upper case":                  {"HTTPS://A.B/C WWW.A.B", "{HTTPS://A.B/C|https://A.B/C} {WWW.A.B}"},
		"a port, a number and no dot": {"http://localhost:8080/x http://127.0.0.1/", "{http://localhost:8080/x} {http://127.0.0.1/}"},
		"an underscore in the host": {"https://a_b.c.d https://a.b_c.d https://a.b.c_d",
			"{https://a_b.c.d} https://a.b_c.d https://a.b.c_d"},
		"an entity within":                     {"https://a.b/?c=1&amp;d=2", "{https://a.b/?c=1&d=2}"},
		"an entity behind":                     {"https://a.b/c&quot; https://a.b/c&amp;&lt;", "{https://a.b/c}\" {https://a.b/c}&<"},
		"backslashes that editors add":         {"https://a.b/c\\_d\\_e", "{https://a.b/c_d_e}"},
		"an escaped mark behind":               {"https://a.b/c\\*d\\*", "{https://a.b/c*d}*"},
		"no host":                              {"https:// http://. www. https:///x", "https:// http://. www. https:///x"},
		"other schemes":                        {"ftp://a.b javascript://a.b//", "ftp://a.b javascript://a.b//"},
		"a host that is too long":              {"http://" + strings.Repeat("a", 254) + ".b", "http://" + strings.Repeat("a", 254) + ".b"},
		"spaces that are not ASCII":            {"https://a.b/c\u3000d\u00a0e", "{https://a.b/c}\u3000d\u00a0e"},
		"mail with marks":                      {"<me@a.b> (me@a.b), me@a.b!", "{me@a.b} ({me@a.b}), {me@a.b}!"},
		"mail without a host":                  {"me@ @a.b me@a me@.b", "me@ @a.b me@a me@.b"},
		"brackets keep what CommonMark keeps":  {"<https://a.b/c_d_\\*>", "{https://a.b/c_d_\\*|https://a.b/c_d_%5C*}"},
		"a link beside":                        {"https://a.b [c](https://d.e) https://f.g", "{https://a.b} {c|https://d.e} {https://f.g}"},
		"an address as the label of itself":    {"[https://a.b](https://a.b)", "{https://a.b}"},
		"a bracket in a label ends an address": {"[x https://a.b/[c]](https://d.e)", "{x https://a.b/[c]|https://d.e}"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, linksIn(t, c.in)) })
	}
}

// labelsIn renders a text and writes its links as {label}.
func labelsIn(t *testing.T, src string) string {
	t.Helper()
	short := linkTag.ReplaceAllString(rendered(t, src), "{$2}")
	return html.UnescapeString(strings.TrimSpace(otherTag.ReplaceAllString(short, "")))
}

// Where an address in a text begins and ends, beyond what GitHub's Markdown says.
func TestWhereAddressesBeginAndEnd(t *testing.T) {
	addresses := []string{"https://e.org/a", "http://e.org", "www.e.org/a?b=1", "https://e.org/a_(b)", "me@e.org"}
	for _, marks := range strings.Fields(`“” „“ «» »« ‹› ›‹ ‘’ ‚‘ 「」 『』 （） 【】 《》 〈〉 〔〕 ［］ ｛｝ ＜＞ ＂＂ 〝〞 ｢｣ ⟨⟩ ༼༽ "" '' () {} 看。 看， 看！ 看？
		看、 看； 看： क। ،، ؟؟ ؛؛ ব।` + " \u200f\u200f \u2068\u2069 \u200b\u200b") {
		pair := []rune(marks)
		for _, address := range addresses {
			src := fmt.Sprintf("x %c%s%c和", pair[0], address, pair[1])
			assert.Equal(t, strings.Replace(src, address, "{"+address+"}", 1), labelsIn(t, src))
		}
	}
	for _, marks := range strings.Fields("—— …… ״״ ¿? *?") { // where only what comes behind tells that it has ended
		pair := []rune(marks)
		for _, address := range addresses {
			src := fmt.Sprintf("x %c%s%c 和", pair[0], address, pair[1])
			assert.Equal(t, strings.Replace(src, address, "{"+address+"}", 1), labelsIn(t, src))
		}
	}
	for in, want := range map[string]string{
		// Pasted HTML and JSON.
		`<a href="https://e.org/a">x</a>`:             `<a href="{https://e.org/a}">x</a>`,
		`<a href='https://e.org/a'>x</a>`:             `<a href='{https://e.org/a}'>x</a>`,
		`<a href=https://e.org/a>x</a>`:               `<a href={https://e.org/a}>x</a>`,
		`<p>https://e.org/a</p>`:                      `<p>{https://e.org/a}</p>`,
		`<img src="https://e.org/a.png"/>`:            `<img src="{https://e.org/a.png}"/>`,
		`&lt;a href=&quot;https://e.org/a&quot;&gt;x`: `<a href="{https://e.org/a}">x`,
		`&lt;a href=&#34;https://e.org/a&#x22;&gt;x`:  `<a href="{https://e.org/a}">x`,
		`{"url":"https://e.org/a","b":1}`:             `{"url":"{https://e.org/a}","b":1}`,
		`["https://e.org/a","https://e.org/b"]`:       `["{https://e.org/a}","{https://e.org/b}"]`,
		`['https://e.org/a','b']`:                     `['{https://e.org/a}','b']`,
		`"{\"url\":\"https://e.org/a\"}"`:             `"{"url":"{https://e.org/a}"}"`,
		`{"u":"https:\/\/e.org\/a"}`:                  `{"u":"https://e.org/a"}`,
		`\url{https://e.org/a}.`:                      `\url{{https://e.org/a}}.`,
		`\href{https://e.org/a}{x}`:                   `\href{{https://e.org/a}}{x}`,
		"``https://e.org/a''":                         "``{https://e.org/a}''",
		`<www.e.org/a>b`:                              `<{www.e.org/a}>b`,
		`url(https://e.org/a)和`:                       `url({https://e.org/a})和`,
		`https://e.org/?a=1&amp;b=2&quot;x`:           `{https://e.org/?a=1&b=2}"x`,
		`curl 'https://e.org/a'|sh`:                   `curl '{https://e.org/a}'|sh`,
		// Texts without spaces.
		"见https://e.org/a。然后":         "见{https://e.org/a}。然后",
		"见“https://e.org/a”，然后":       "见“{https://e.org/a}”，然后",
		"https://e.org谢谢":             "{https://e.org}谢谢",
		"https://e.org😀 x":            "{https://e.org}😀 x",
		"http://localhost谢谢":          "{http://localhost}谢谢",
		"https://e.org（说明）":           "{https://e.org}（说明）",
		"https://e.org/a（说明）":         "{https://e.org/a}（说明）",
		"看www.e.org吧":                 "看{www.e.org}吧",
		"邮箱me@e.org。谢谢":               "邮箱{me@e.org}。谢谢",
		"me@e.org谢谢":                  "{me@e.org}谢谢",
		"ข้อความhttps://e.org/a ครับ": "ข้อความ{https://e.org/a} ครับ",
		"주소는https://e.org/a.":         "주소는{https://e.org/a}.",
		// What belongs to an address all the same.
		"https://e.org/wiki/L’Équipe":    "{https://e.org/wiki/L’Équipe}",
		"https://e.org/wiki/Col·lecció.": "{https://e.org/wiki/Col·lecció}.",
		"https://e.org/wiki/A–B":         "{https://e.org/wiki/A–B}",
		"https://e.org/レオナルド・ダ・ヴィンチ。":    "{https://e.org/レオナルド・ダ・ヴィンチ}。",
		"https://e.org/a[]=1&b{c}":       "{https://e.org/a[]=1&b{c}}",
		"https://e.org/a,b;c|d$e!f'g":    "{https://e.org/a,b;c|d$e!f'g}",
		"https://user:pw@e.org:8080/":    "{https://user:pw@e.org:8080/}",
		"(https://e.org/a(b)c) d":        "({https://e.org/a(b)c}) d",
		"https://e.org/a)b) c":           "{https://e.org/a)b}) c",
		// Hosts.
		"https://i❤.ws/":                    "{https://i❤.ws/}",
		"https://👨\u200d👩\u200d👧.example/a": "{https://👨\u200d👩\u200d👧.example/a}",
		"https://👍🏽.example":                "{https://👍🏽.example}",
		"https://1️⃣.example":               "{https://1️⃣.example}",
		"https://例子.测试/路径":                  "{https://例子.测试/路径}",
		"https://пример.рф.":                "{https://пример.рф}.",
		"https://उदाहरण.भारत।":              "{https://उदाहरण.भारत}।",
		"https://مثال.إختبار/":              "{https://مثال.إختبار/}",
		"https://דוגמה.ישראל":               "{https://דוגמה.ישראל}",
		"https://ตัวอย่าง.ไทย":              "{https://ตัวอย่าง.ไทย}",
		"https://예시.한국":                     "{https://예시.한국}",
		"https://ⓔvil.example/":             "{https://ⓔvil.example/}",
		"https://ｅｘ.example":                "{https://ｅｘ.example}",
		"https://xn--bcher-kva.example":     "{https://xn--bcher-kva.example}",
		"https://col·lega.cat":              "{https://col·lega.cat}",
		"https://spa\u00adm.example":        "{https://spa\u00adm.example}",
		"www.münchen.example":               "{www.münchen.example}",
		"x@müller.example, x@例子.公司":         "{x@müller.example}, {x@例子.公司}",
		// What may stand before one.
		"see:https://e.org,https://e.net": "see:{https://e.org,https://e.net}",
		"a.https://e.org/ -https://e.org": "a.{https://e.org/} -{https://e.org}",
		"url=https://e.org/":              "url={https://e.org/}",
		"!https://e.org \\!me@e.org":      "!{https://e.org} !{me@e.org}",
		"éhttps://e.org 1https://e.org":   "éhttps://e.org 1https://e.org",
		"e\u0301https://e.org":            "e\u0301https://e.org",
		"ümit@e.org":                      "ümit@e.org",
		"mailto:me@e.org MAILTO:me@e.org": "{mailto:me@e.org} {MAILTO:me@e.org}",
		"xmpp:me@e.org /me@e.org":         "xmpp:me@e.org /me@e.org",
		"ftp://me:pw@e.org":               "ftp://me:pw@e.org",
	} {
		assert.Equal(t, want, labelsIn(t, in), "%q", in)
	}
}

// What is a link as a bare address is one as the destination of a link, too.
func TestDestinationsWithoutAScheme(t *testing.T) {
	for in, want := range map[string]string{
		"[a](www.e.org)":                    "{a|http://www.e.org}",
		"[a](WWW.e.org/b?c#d)":              "{a|http://WWW.e.org/b?c#d}",
		"[a](<www.e.org/b c>)":              "{a|http://www.e.org/b%20c}",
		"[a](www.e.org 'b')":                "{a|http://www.e.org}",
		"[a][b]\n\n[b]: www.e.org/c":        "{a|http://www.e.org/c}",
		"![a](www.e.org/b.png)":             "{a|http://www.e.org/b.png}",
		"[a](www.e.org/b\\_c)":              "{a|http://www.e.org/b_c}",
		"[a](www&#46;e.org)":                "{a|http://www.e.org}",
		"[a](www.例子.测试)":                    "{a|http://www.%E4%BE%8B%E5%AD%90.%E6%B5%8B%E8%AF%95}",
		"[a](me@e.org)":                     "{a|mailto:me@e.org}",
		"[a](me@e.org?subject=b)":           "{a|mailto:me@e.org?subject=b}",
		"[a](mailto:me@e.org)":              "{a|mailto:me@e.org}",
		"[www.e.org](www.e.org)":            "{www.e.org}",
		"[a](/www.e.org) [b](#www.e.org)":   "{a|/www.e.org} {b|#www.e.org}",
		"[a](www.) [b](www) [c](www.a_b.c)": "a b c",
		"[a](//www.e.org) [b](e.org/c.md)":  "a b",
		"[a](xwww.e.org) [b](./www.e.org)":  "a b",
		"[a](javascript:www.e.org)":         "a",
		"[a](data:me@e.org)":                "a",
		"[a]() [b](<>)":                     "a b",
	} {
		assert.Equal(t, want, linksIn(t, in), in)
	}
}

func TestMentions(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"people":                {"@kim u/kim /u/kim", "{@kim|/u/kim} {u/kim|/u/kim} {/u/kim}"},
		"communities":           {"c/golang /c/golang", "{c/golang|/c/golang} {/c/golang}"},
		"every letter of names": {"@Kim_B-3 u/a__b c/a_c", "{@Kim_B-3|/u/Kim_B-3} {u/a__b|/u/a__b} {c/a_c|/c/a_c}"},
		"between punctuation": {"(@kim), \"u/kim\": c/golang! [@kim] @kim? @kim. @kim-",
			"({@kim|/u/kim}), \"{u/kim|/u/kim}\": {c/golang|/c/golang}! [{@kim|/u/kim}] {@kim|/u/kim}? {@kim|/u/kim}. {@kim|/u/kim}-"},
		"typographer's punctuation": {"“@kim”—@ada…", "“{@kim|/u/kim}”—{@ada|/u/ada}…"},
		"of somebody":               {"@kim's and @kim’s", "{@kim|/u/kim}'s and {@kim|/u/kim}’s"},
		"in emphasis, headings and quotes": {"**@kim** *c/golang*\n\n> @ada\n\n# u/rob",
			"{@kim|/u/kim} {c/golang|/c/golang}\n\n{@ada|/u/ada}\n\n{u/rob|/u/rob}"},
		"two beside each other":  {"@kim,@ada @kim@ada", "{@kim|/u/kim},{@ada|/u/ada} @kim@ada"},
		"over the end of a line": {"hello\n@kim\nu/ada", "hello\n{@kim|/u/kim}\n{u/ada|/u/ada}"},
		"not in words":           {"a@kim xu/kim xc/golang ö@kim @kimö", "a@kim xu/kim xc/golang ö@kim @kimö"},
		"not in paths":           {"a/u/kim ./c/golang /c/golang/x c/x/y ~/u/kim", "a/u/kim ./c/golang /c/golang/x c/x/y ~/u/kim"},
		"not in addresses": {"https://a.b/u/kim https://a.b/@kim www.a.b/c/golang me@kim.de",
			"{https://a.b/u/kim} {https://a.b/@kim} {www.a.b/c/golang} {me@kim.de}"},
		"not of people elsewhere":            {"@kim@example.org", "@kim@example.org"},
		"not in code":                        {"`@kim u/kim`", "@kim u/kim"},
		"not in links":                       {"[@kim u/kim](https://a.b) [c/x](javascript:x)", "{@kim u/kim|https://a.b} c/x"},
		"not in images":                      {"![@kim](https://a.b)", "{@kim|https://a.b}"},
		"not behind a backslash":             {"\\@kim \\/u/kim u\\/kim", "@kim /u/kim u/kim"},
		"not where there is no name":         {"@ u/ /u/ c/ @- u/- @a c/c++", "@ u/ /u/ c/ @- u/- @a c/c++"},
		"not where a name is too long":       {"@" + strings.Repeat("a", 21), "@" + strings.Repeat("a", 21)},
		"not in other cases":                 {"U/kim C/golang", "U/kim C/golang"},
		"an underscore is no emphasis in it": {"*@kim_b* and u/a_b_c", "{@kim_b|/u/kim_b} and {u/a_b_c|/u/a_b_c}"},
		"in texts without spaces": {"感谢@mira 感谢@mira。你好@mira谢谢 ขอบคุณ@mira 고마워@mira님 감사u/mira와",
			"感谢{@mira|/u/mira} 感谢{@mira|/u/mira}。你好{@mira|/u/mira}谢谢 ขอบคุณ{@mira|/u/mira} 고마워{@mira|/u/mira}님 감사{u/mira|/u/mira}와"},
		"behind prefixes of Hebrew and Arabic": {"ל@mira ו@mira و@mira ל-@mira",
			"ל{@mira|/u/mira} ו{@mira|/u/mira} و{@mira|/u/mira} ל-{@mira|/u/mira}"},
		"with the sign of East Asian keyboards": {"＠mira 感谢＠mira谢谢 a＠mira @mira＠e.org", "{＠mira|/u/mira} 感谢{＠mira|/u/mira}谢谢 a＠mira @mira＠e.org"},
		"side by side": {"@kim/@ada/@bob @kim,@ada;@bob @kim+@ada @kim&@ada",
			"{@kim|/u/kim}/{@ada|/u/ada}/{@bob|/u/bob} {@kim|/u/kim},{@ada|/u/ada};{@bob|/u/bob} {@kim|/u/kim}+{@ada|/u/ada} {@kim|/u/kim}&{@ada|/u/ada}"},
		"before what ends a sentence": {"@mira. @mira! @mira… @mira: @mira; @mira) @mira' @mira/ @mira」 @mira。",
			"{@mira|/u/mira}. {@mira|/u/mira}! {@mira|/u/mira}… {@mira|/u/mira}: {@mira|/u/mira}; {@mira|/u/mira}) {@mira|/u/mira}' " +
				"{@mira|/u/mira}/ {@mira|/u/mira}」 {@mira|/u/mira}。"},
		"behind marks that stand alone":  {".@mira -@mira ~@mira #@mira =@mira", ".{@mira|/u/mira} -{@mira|/u/mira} ~{@mira|/u/mira} #{@mira|/u/mira} ={@mira|/u/mira}"},
		"not behind marks of a word":     {"a.@mira a-@mira a_@mira a=@mira a/@mira", "a.@mira a-@mira a_@mira a=@mira a/@mira"},
		"not a part of what is no name":  {"@mira_ @-mira c/mira-fans c/mira- c/mira_ @ab c/ab", "@mira_ @-mira c/mira-fans {c/mira|/c/mira}- c/mira_ @ab c/ab"},
		"not before an accent":           {"@mira\u0301 @miraя @mira1\u0301 a\u0301@mira", "@mira\u0301 @miraя @mira1\u0301 a\u0301@mira"},
		"names within marks of Markdown": {"_@mira_ __@mira__ *@mira* ~~@m-r_a~~", "{@mira|/u/mira} {@mira|/u/mira} {@mira|/u/mira} {@m-r_a|/u/m-r_a}"},
		"the shortest and the longest":   {"@ann @" + strings.Repeat("a", 20) + " c/" + strings.Repeat("b", 21), "{@ann|/u/ann} {@" + strings.Repeat("a", 20) + "|/u/" + strings.Repeat("a", 20) + "} {c/" + strings.Repeat("b", 21) + "|/c/" + strings.Repeat("b", 21) + "}"},
		"backslashes that editors add":   {"u/kim\\_b @\\_kim\\_", "{u/kim_b|/u/kim_b} @_kim_"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, linksIn(t, c.in)) })
	}
	got, err := markdown.Render("    @kim u/kim\n\n```\n@kim c/golang\n```", endless)
	require.NoError(t, err)
	assert.NotContains(t, string(got), "<a", "not in blocks of code")
}

func TestWhomATextMentions(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"each once, in order, in any case": {"@kim u/ada and @Kim, /u/rob", []string{"kim", "ada", "rob"}},
		"no communities":                   {"c/golang", nil},
		"by a link that says so":           {"[@kim](/u/kim) [u/ada](/u/ada) [my friend](/u/rob)", []string{"kim", "ada"}},
		"not in code":                      {"`@kim`\n\n    @ada\n\n```\n@rob\n```", nil},
		"not in quotes":                    {"> @kim said\n> > @ada\n\nand @rob", []string{"rob"}},
		"in lists and tables":              {"- @kim\n\n| a |\n|---|\n| @ada |", []string{"kim", "ada"}},
		"not people elsewhere":             {"@kim@example.org", nil},
		"at most so many":                  {strings.Repeat("@kim ", 50) + "@al1 @al2 @al3 @al4 @al5", []string{"kim", "al1", "al2", "al3"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, markdown.Mentions(c.in, 4)) })
	}
}
