package markdown_test

import (
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
	otherTag = regexp.MustCompile(`</?(p|em|strong|code|blockquote|h3)>`)
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
		"punctuation within":                  {"https://a.b/c,d.e!f?g:h;i", "{https://a.b/c,d.e!f?g:h;i}"},
		"a question in the address":           {"https://a.b/?q=1&r=2#s", "{https://a.b/?q=1&r=2#s}"},
		"underscores are no emphasis":         {"https://a.b/_c_d_ and_https", "{https://a.b/_c_d}_ and_https"},
		"in emphasis":                         {"*https://a.b/c* **www.a.b** _https://a.b_", "{https://a.b/c} {www.a.b} {https://a.b}"},
		"in quotation marks":                  {"\"https://a.b/c\" 'www.a.b'", "\"{https://a.b/c}\" '{www.a.b}'"},
		"in brackets":                         {"[https://a.b/c] [see https://a.b]", "[{https://a.b/c}] [see {https://a.b}]"},
		"in the text of a link":               {"[see https://a.b](https://c.d)", "{see https://a.b|https://c.d}"},
		"in the text of an image":             {"![https://a.b](https://c.d)", "{https://a.b|https://c.d}"},
		"in code":                             {"`https://a.b` `me@a.b`", "https://a.b me@a.b"},
		"behind a letter, a slash or a colon": {"xhttps://a.b /www.a.b see:https://a.b", "xhttps://a.b /www.a.b see:https://a.b"},
		"over two lines":                      {"https://a.b/c\nd", "{https://a.b/c}\nd"},
		"a hard break behind":                 {"https://a.b/c\\\nd", "{https://a.b/c}<br>\nd"},
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

func TestMentions(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"people":                {"@kim u/kim /u/kim", "{@kim|/u/kim} {u/kim|/u/kim} {/u/kim}"},
		"communities":           {"c/golang /c/golang", "{c/golang|/c/golang} {/c/golang}"},
		"every letter of names": {"@Kim_B-3 u/__ c/a-b_c", "{@Kim_B-3|/u/Kim_B-3} {u/__|/u/__} {c/a-b_c|/c/a-b_c}"},
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
		"not where a name is too long":       {"@" + strings.Repeat("a", 33), "@" + strings.Repeat("a", 33)},
		"not in other cases":                 {"U/kim C/golang", "U/kim C/golang"},
		"an underscore is no emphasis in it": {"*@kim_b* and u/a_b_c", "{@kim_b|/u/kim_b} and {u/a_b_c|/u/a_b_c}"},
		"backslashes that editors add":       {"u/kim\\_b @\\_kim\\_", "{u/kim_b|/u/kim_b} {@_kim_|/u/_kim_}"},
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
		"at most so many":                  {strings.Repeat("@kim ", 50) + "@a1 @a2 @a3 @a4 @a5", []string{"kim", "a1", "a2", "a3"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, markdown.Mentions(c.in, 4)) })
	}
}
