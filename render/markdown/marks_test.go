package markdown_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

var (
	shownLink = regexp.MustCompile(`<a href="[^"]*"[^>]*>(.*?)</a>`)
	shownNote = regexp.MustCompile(`<sup>(\d+)</sup>`)
	noteStart = regexp.MustCompile(`<li id="fnX-(\d+)">`)
	noteEnd   = regexp.MustCompile(`<a href="#frX-(\d+)">↩\x{fe0e}</a>`)
	blocks    = regexp.MustCompile(`</?(p|div|pre|ul|ol|li|h3|table|thead|tbody|tr|th|td)( [^>]*)?>`)
	shortly   = strings.NewReplacer(`<details class="sp"><summary>Spoiler</summary> `, "{", "</details>", "}", `<blockquote dir="auto">`, "«",
		"</blockquote>", "»", "<em>", "*", "</em>", "*", "<strong>", "**", "</strong>", "**", "<code>", "`", "</code>", "`", "<del>", "~~",
		"</del>", "~~", "<br>", "↵", `<ol class="fn" dir="auto">`, "|", "<li>", "- ")
)

// shown is what a text shows: links in [], spoilers in {}, quotations in «», notes behind a bar, and marks as they are typed.
func shown(t *testing.T, src string) string {
	t.Helper()
	s := noteEnd.ReplaceAllString(rendered(t, src), "↩$1")
	s = shownLink.ReplaceAllString(s, "[$1]")
	s = shownNote.ReplaceAllString(strings.NewReplacer("<sup>[", "[", "]</sup>", "]").Replace(s), "[$1]")
	s = blocks.ReplaceAllString(noteStart.ReplaceAllString(shortly.Replace(s), "$1="), "")
	return html.UnescapeString(strings.Join(strings.Fields(s), " "))
}

func TestWhatASpoilerHides(t *testing.T) {
	for in, want := range map[string]string{
		// Hidden text that begins with, contains or ends with >, ! or <.
		">!a>!<":            "{a>}",
		">!a->!<":           "{a->}",
		">!=>!<":            "{=>}",
		">!>!<":             "{>}",
		">!>>!<":            "{>>}",
		">!>_>!<":           "{>_>}",
		">!a > b!<":         "{a > b}",
		">!a > b > !<":      "{a > b > }",
		">!a >! b!<":        "{a >! b}",
		">!-->!<":           "{-->}",
		">!<3!<":            "{<3}",
		">!<b>x</b>!<":      "{<b>x</b>}",
		">!<br>!<":          "{<br>}",
		">!a!!<":            "{a!}",
		">!!a!<":            "{!a}",
		">!a?!<":            "{a?}",
		">!a`!<`!<":         "{a`!<`}",
		">!`>`!<":           "{`>`}",
		">!a\\!< b!<":       "{a!< b}",
		">!&gt;!<":          "{>}",
		">!a&lt;!<":         "{a<}",
		">!a>!<>!b!<":       "{a>}{b}",
		">!a > b!< >!<o>!<": "{a > b} {<o>}",
		">!**>**!<":         "{**>**}",
		">!x <- y -> z!<":   "{x <- y -> z}",
		">!(>)!<":           "{(>)}",
		// Addresses and other marks in it.
		">!https://e.org/!<":        "{[https://e.org/]}",
		">!https://e.org!<":         "{[https://e.org]}",
		">!https://e.org/?!<":       "{[https://e.org/]?}",
		">!https://e.org/a>!<":      "{[https://e.org/a]>}",
		">!www.e.org!<":             "{[www.e.org]}",
		">!me@e.org!<":              "{[me@e.org]}",
		">!<https://e.org/>!<":      "{[https://e.org/]}",
		">![a](/b)!<":               "{[a]}",
		">![a](/b)>!<":              "{[a]>}",
		">!![a](https://e.org/b)!<": "{[a]}",
		">!*a*!<":                   "{*a*}",
		">!**a**!< b":               "{**a**} b",
		"**>!a!<**":                 "**{a}**",
		"*a >!b!< c*":               "*a {b} c*",
		">!*a!<*":                   ">!*a!<*",
		"~~>!a!<~~":                 "~~{a}~~",
		">!~~a~~!<":                 "{~~a~~}",
		">!@kim!<":                  "{[@kim]}",
		">!a[^1]!<\n\n[^1]: b":      "{a[1]} | 1= b ↩1",
		// Lines.
		">!a\nb!<":          "{a b}",
		">!a\n>b!<":         "{a >b}",
		">!a\n> b\n> c!<":   "{a > b > c}",
		"x >!a\n> b!<":      "x {a > b}",
		">!a\n>!b!<":        "{a >!b}",
		">!a!<\n>b":         "{a} « b »",
		"x >!a!<\n> b!<":    "x {a} « b!< »",
		"> >!a!<":           "« {a} »",
		"> >!a\n> b!<":      "« {a b} »",
		"> >!a\n>\n> b!<":   "« « !a » b!< »",
		">!a\\\nb!<":        "{a↵ b}",
		">!a":               "« !a »",
		">!<3 a":            "« !<3 a »",
		">!a\n\nb!<":        "« !a » b!<",
		">\\!a!<":           "« !a!< »",
		"- >!a>!<":          "- {a>}",
		"1. x >!a!<":        "- x {a}",
		"# >!a>!<":          "{a>}",
		"|a|\n|-|\n|>!b!<|": "a {b}",
		// Around it.
		">!a!< >!b!<":             "{a} {b}",
		">!a!<>!b!<":              "{a}{b}",
		"a>!b!<c":                 "a{b}c",
		"\">!a!<\"":               "\"{a}\"",
		"（>!a!<）":                 "（{a}）",
		"他>!死了!<。":                "他{死了}。",
		">!מת!<":                  "{מת}",
		">!😀!<":                   "{😀}",
		">!a!< and !< too":        "{a} and !< too",
		"\\>!a!<":                 ">!a!<",
		"a >! b":                  "a >! b",
		"a !< b >! c":             "a !< b >! c",
		">!!<":                    ">!!<",
		"[>!a!<](/b)":             "[>!a!<]",
		"wow!<https://e.org>":     "wow![https://e.org]",
		">!a!<https://e.org":      "{a}[https://e.org]",
		"`>!a!<` >!b!<":           "`>!a!<` {b}",
		"x > y !< z >! w > v!< !": "x > y !< z { w > v} !",
	} {
		assert.Equal(t, strings.Join(strings.Fields(want), " "), shown(t, in), "%q", in)
	}
}

func TestWhatFootnotesAre(t *testing.T) {
	const b = "\n\n[^1]: b"
	for in, want := range map[string]string{
		// What refers to one.
		"a[^1]" + b:                   "a[1] | 1= b ↩1",
		"a![^1]" + b:                  "a![1] | 1= b ↩1",
		"![^1]" + b:                   "![1] | 1= b ↩1",
		"wow!![^1]" + b:               "wow!![1] | 1= b ↩1",
		"*wow!*[^1]" + b:              "*wow!*[1] | 1= b ↩1",
		"*wow![^1]*" + b:              "*wow![1]* | 1= b ↩1",
		"wow![^1]![^1]" + b:           "wow![1]![1] | 1= b ↩1",
		"\\![^1]" + b:                 "![1] | 1= b ↩1",
		"!\\[^1]" + b:                 "![^1] | - b",
		"a\\[^1]" + b:                 "a[^1] | - b",
		"a?[^1]" + b:                  "a?[1] | 1= b ↩1",
		"a.[^1] c" + b:                "a.[1] c | 1= b ↩1",
		"a[^1]." + b:                  "a[1]. | 1= b ↩1",
		"a[^1]!" + b:                  "a[1]! | 1= b ↩1",
		"“a”[^1]" + b:                 "“a”[1] | 1= b ↩1",
		"（a！[^1]）" + b:                "（a！[1]） | 1= b ↩1",
		"*a*[^1]" + b:                 "*a*[1] | 1= b ↩1",
		"*a[^1]*" + b:                 "*a[1]* | 1= b ↩1",
		"~~a~~[^1]" + b:               "~~a~~[1] | 1= b ↩1",
		"`a`[^1] `[^1]`" + b:          "`a`[1] `[^1]` | 1= b ↩1",
		"[^1]" + b:                    "[1] | 1= b ↩1",
		"a [^1]" + b:                  "a [1] | 1= b ↩1",
		"a[^1]: c" + b:                "a[1]: c | 1= b ↩1",
		"a[^1](/c)" + b:               "a[1](/c) | 1= b ↩1",
		"![^1](/c)" + b:               "![1](/c) | 1= b ↩1",
		"- a[^1]" + b:                 "- a[1] | 1= b ↩1",
		"# a[^1]" + b:                 "a[1] | 1= b ↩1",
		"> a[^1]" + b:                 "« a[1] » | 1= b ↩1",
		"|a![^1]|\n|-|\n|c|" + b:      "a![1] c | 1= b ↩1",
		"[a[^1]](/c)" + b:             "[a[1]] | 1= b ↩1",
		"https://e.org/a[^1]" + b:     "[https://e.org/a][1] | 1= b ↩1",
		"https://e.org/a [^1]" + b:    "[https://e.org/a] [1] | 1= b ↩1",
		"@kim[^1]" + b:                "[@kim][1] | 1= b ↩1",
		"a[^1] c[^1]" + b:             "a[1] c[1] | 1= b ↩1",
		"a[^1][^2]" + b + "\n[^2]: c": "a[1][2] | 1= b ↩1 2= c ↩2",
		"a[^2]":                       "a[^2]",
		"a![^2]":                      "a![^2]",
		"a" + b:                       "a | - b",
		"^[a]":                        "^[a]",
		// Where its text begins.
		"a[^1]\n\n[^1]:b":                     "a[1] | 1= b ↩1",
		"a[^1]\n\n[^1]:  b":                   "a[1] | 1= b ↩1",
		"a[^1]\n\n[^1]:     b":                "a[1] | 1= b ↩1",
		"a[^1]\n\n[^1]:                    b": "a[1] | 1= b ↩1",
		"a[^1]\n\n[^1]:\tb":                   "a[1] | 1= b ↩1",
		"a[^1]\n\n[^1]: \t \tb":               "a[1] | 1= b ↩1",
		"a[^1]\n\n   [^1]:     b":             "a[1] | 1= b ↩1",
		"a[^1]\n\n    [^1]: b":                "a[^1] `[^1]: b `",
		"a[^1]\n\n[^1]:\n    b":               "a[1] | 1= b ↩1",
		"a[^1]\n\n[^1]:\n\tb":                 "a[1] | 1= b ↩1",
		"a[^1]\n\n[^1]:\nb":                   "a[1] | 1= b ↩1",
		"a[^1]\n\n[^1]:\nb\nc":                "a[1] | 1= b c ↩1",
		"a[^1]\n\n[^1]:\n*b*, c":              "a[1] | 1= *b*, c ↩1",
		"a[^1]\n\n[^1]: \nb":                  "a[1] | 1= b ↩1",
		"a[^1]\n\n[^1]:     \n    b\n\n    c": "a[1] | 1= b c ↩1",
		"a[^1]\n\n[^1]:\n\n    b":             "a[1] | 1= b ↩1",
		"a[^1]\n\n[^1]:\n\nb":                 "a[1] b | 1= ↩1",
		"a[^1]\n\n[^1]:":                      "a[1] | 1= ↩1",
		"a[^1]\n\n[^1]: \n":                   "a[1] | 1= ↩1",
		"a[^1][^2]\n\n[^1]:\n[^2]: c":         "a[1][2] | 1= ↩1 2= c ↩2",
		"a[^1]\n[^1]: b":                      "a[1] | 1= b ↩1",
		"[^1]: b\n\na[^1]":                    "a[1] | 1= b ↩1",
		// What belongs to it.
		"a[^1]\n\n[^1]: b\nc":                  "a[1] | 1= b c ↩1",
		"a[^1]\n\n[^1]: b\n    c":              "a[1] | 1= b c ↩1",
		"a[^1]\n\n[^1]: b\n\n    c":            "a[1] | 1= b c ↩1",
		"a[^1]\n\n[^1]: b\n\n\n\n    c":        "a[1] | 1= b c ↩1",
		"a[^1]\n\n[^1]: b\n\nc":                "a[1] c | 1= b ↩1",
		"a[^1]\n\n[^1]: b\n\n        c":        "a[1] | 1= b `c ` ↩1",
		"a[^1]\n\n[^1]: b  \n    c":            "a[1] | 1= b↵ c ↩1",
		"a[^1]\n\n[^1]: - b\n    - c":          "a[1] | 1= - b - c ↩1",
		"a[^1]\n\n[^1]: > b":                   "a[1] | 1= « b » ↩1",
		"a[^1]\n\n[^1]: b[^2]\n\n[^2]: c":      "a[1] | 1= b[2] ↩1 2= c ↩2",
		"a[^1]\n\n[^1]: b\n[^2]: c":            "a[1] | 1= b ↩1 - c",
		"a[^1]\n\n[^1]: https://e.org/b":       "a[1] | 1= [https://e.org/b] ↩1",
		"a[^1]\n\n[^1]:www.e.org":              "a[1] | 1= [www.e.org] ↩1",
		"a[^1]\n\n[^1]: <https://e.org>, @kim": "a[1] | 1= [https://e.org], [@kim] ↩1",
		"a[^1]\n\n[^1]: >!b>!<":                "a[1] | 1= {b>} ↩1",
		// Names and order.
		"a[^note]\n\n[^note]: b":            "a[1] | 1= b ↩1",
		"a[^Äb]\n\n[^äB]: b":                "a[1] | 1= b ↩1",
		"a[^日本]\n\n[^日本]: b":                "a[1] | 1= b ↩1",
		"a[^a-b_c.d]\n\n[^a-b_c.d]: b":      "a[1] | 1= b ↩1",
		"a[^*]\n\n[^*]: b":                  "a[1] | 1= b ↩1",
		"a[^z] b[^a]\n\n[^a]: c\n\n[^z]: d": "a[1] b[2] | 1= d ↩1 2= c ↩2",
	} {
		assert.Equal(t, want, shown(t, in), "%q", in)
	}
}
