package rules

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/rights/reputation"
	"plaza/render/markdown"
)

func parse(t testing.TB, text string) *Rule {
	t.Helper()
	list, err := ParseAll(text)
	require.NoError(t, err)
	require.Len(t, list, 1)
	return list[0]
}

// md returns the HTML of a text.
func md(text string) string {
	html, err := markdown.Render(text, data.PostHTMLMax)
	if err != nil {
		html = markdown.Plain(text)
	}
	return string(html)
}

// hits reports whether a rule hits a thing of an author.
func hits(r *Rule, t Thing, a Author) bool {
	s := &set{rules: []*Rule{r}, words: dictionaryOf([]*Rule{r})}
	return len(s.matching(prepare(t))) > 0 && r.fits(a)
}

func TestMatches(t *testing.T) {
	day := 24 * time.Hour
	for _, x := range []struct {
		rule   string
		thing  Thing
		author Author
		want   bool
	}{
		{"words: casino", Thing{HTML: md("The CASINO.")}, Author{}, true},
		{"words: casino", Thing{Title: "Casinos"}, Author{}, false},
		{"words: casin*", Thing{Title: "Casinos"}, Author{}, true},
		{"words: casin*", Thing{Title: "occasin"}, Author{}, false},
		{"words: free money", Thing{HTML: md("Get free,\n money")}, Author{}, true},
		{"words: free money", Thing{HTML: md("money free")}, Author{}, false},
		{"words: abc, été", Thing{HTML: md("L'ÉTÉ? un été")}, Author{}, true},
		{"words: cas\u200bino", Thing{HTML: md("a casino")}, Author{}, true},
		{`pattern: (?i)buy\s+now`, Thing{HTML: md("BUY  now")}, Author{}, true},
		{`pattern: ^x`, Thing{Title: "a", HTML: md("x")}, Author{}, true},
		{`pattern: \Ax`, Thing{Title: "a", HTML: md("x")}, Author{}, false},
		{`pattern: ^a$`, Thing{Title: "a", HTML: md("x")}, Author{}, true},
		{`pattern: ^$`, Thing{Title: "a"}, Author{}, false},
		{`pattern: pills\s+[0-9]$`, Thing{Title: "Cheap pills 7", Kind: Link, Addresses: []string{"https://example.com"}}, Author{}, true},
		{`pattern: pills\s+[0-9]$`, Thing{Title: "Cheap pills 7", HTML: md("and more")}, Author{}, true},
		{`pattern: pills\s+[0-9]$`, Thing{Title: "Cheap", HTML: md("One\npills 7\nand more")}, Author{}, true},
		{`pattern: pills\s+[0-9]$`, Thing{Title: "Cheap pills 77"}, Author{}, false},
		{`pattern: ^again$`, Thing{Title: "Mine"}.Showing("again"), Author{}, true},
		{`pattern: (?-m)^again$`, Thing{HTML: md("again")}, Author{}, true}, // of a comment
		{`pattern: ^x|^y`, Thing{Title: "a", HTML: md("y")}, Author{}, true},
		{"domains: example.com", Thing{HTML: md("[x](https://Shop.Example.COM/a)")}, Author{}, true},
		{"domains: example.com", Thing{Addresses: []string{"http://example.com"}}, Author{}, true},
		{"domains: example.com", Thing{Addresses: []string{"https://user@example.com:80/"}}, Author{}, true},
		{"domains: example.com", Thing{HTML: md("https://badexample.com https://example.com.evil.org")}, Author{}, false},
		{"links at least: 2", Thing{HTML: md("https://a.org https://a.org")}, Author{}, true},
		{"links at least: 2", Thing{HTML: md("https://a.org")}, Author{}, false},
		{"pictures at least: 2", Thing{Kind: Image, Pictures: 2}, Author{}, true},
		{"pictures at least: 2", Thing{Kind: Image, Pictures: 1}, Author{}, false},
		{"kinds: link, comment", Thing{Kind: Comment}, Author{}, true},
		{"kinds: link", Thing{Kind: Text}, Author{}, false},
		{"account younger than days: 3", Thing{}, Author{Here: reputation.Reputation{Age: 2 * day}}, true},
		{"account younger than days: 3", Thing{}, Author{Here: reputation.Reputation{Age: 4 * day}}, false},
		{"karma below: 0", Thing{}, Author{Karma: -1}, true},
		{"karma below: 0", Thing{}, Author{}, false},
		{"accepted below: 1", Thing{}, Author{}, true},
		{"accepted below: 1", Thing{}, Author{Here: reputation.Reputation{Comments: 1}}, false},
		{"in an hour more than: 5", Thing{}, Author{HourlyHere: 6}, true},
		{"in an hour more than: 5", Thing{}, Author{Hourly: 9, HourlyHere: 5}, false},
		{"standing: new", Thing{}, Author{}, true},
		{"standing: known, trusted", Thing{}, Author{}, false},
		{"standing: known, trusted", Thing{}, Author{Here: reputation.Reputation{Age: 8 * day, Posts: 5}}, true},
		{"reports at least: 3", Thing{Reports: 3}, Author{}, true},
		{"reports at least: 3", Thing{Reports: 2}, Author{}, false},
		{"words: free money, casino", Thing{HTML: md("free free money")}, Author{}, true},
		{"words: free mon*", Thing{HTML: md("more free monkeys")}, Author{}, true},
		{"words: free mon*", Thing{HTML: md("free lemons")}, Author{}, false},
		{"words: a1\nkinds: text", Thing{Kind: Link, HTML: md("a1")}, Author{}, false},
	} {
		require.Equal(t, x.want, hits(parse(t, "rule: X\n"+x.rule+"\ndo: hold"), x.thing, x.author), "%s in %+v", x.rule, x.thing)
	}
}

func TestText(t *testing.T) {
	full := "rule: First links wait\nkinds: link, comment\nwords: casino*, free money\npattern: (?i)a|b\ndomains: example.com\nlinks at " +
		"least: 1\n" +
		"account younger than days: 7\nkarma below: 10\naccepted below: 1\nin an hour more than: 20\nreports at least: 3\nstanding: new, " +
		"known\ndo: hold, remove\nreason: Spam\nflair: Help\nanswer: Please wait.\n"
	require.Equal(t, full, parse(t, "# a note\n\n"+full).String())
	list, err := ParseAll(full + "\n" + strings.Replace(full, "First", "Second", 1))
	require.NoError(t, err)
	require.Equal(t, "Second links wait", list[1].Title)
	for text, says := range map[string]string{
		"":                                                    "no rule in this text",
		"words: x":                                            "Line 1",
		"rule: x\nwhatever: y":                                "Line 2",
		"rule: x\nlinks at least: many":                       "whole number",
		"rule: x\nlinks at least: 99999999":                   "whole number",
		"rule: x\ndo: hold":                                   "needs a condition",
		"rule: x\nwords: abc":                                 "what the rule does",
		"rule: x\nwords: abc\ndo: explode":                    "can hold",
		"rule: x\nwords: ...\ndo: hold":                       "letter or digit",
		"rule: x\ndomains: a/b\ndo: hold":                     "looks like example.com",
		"rule: x\nkinds: song\ndo: hold":                      "Kinds are",
		"rule: x\nstanding: old\ndo: hold":                    "new, known or trusted",
		"rule: x\nreports at least: 0\ndo: hold":              "at least one",
		"rule: x\nwords: abc\ndo: remove":                     "for which it removes",
		"rule: x\nwords: abc\ndo: flair":                      "the flair that the rule gives",
		"rule: x\nreports at least: 1\ndo: flair\nflair: X":   "about reports",
		"rule: x\npattern: (\ndo: hold":                       "RE2",
		"rule: x\npattern: \\1\ndo: hold":                     "RE2",
		"rule: x\nwords: abc\ndo: hold\nabc":                  "a colon",
		strings.Repeat("rule: x\nwords: abc\ndo: hold\n", 51): "at most 50",
		strings.Repeat("x", TextMax+1):                        "100,000",
	} {
		_, err := ParseAll(text)
		require.Equal(t, data.Invalid, data.ErrorCode(err), text)
		require.Contains(t, data.Mistakes(err)[0].Message.String(), says, "%.60s", text)
	}
}

// TestHostile has patterns and texts that would be slow: they are refused, or only a part is matched.
func TestHostile(t *testing.T) {
	for _, pattern := range []string{"(a{1000}){1000}", "((a{100}){100}){100}", strings.Repeat("(", 299), "[^x]{999}",
		strings.Repeat("a?", 100) + strings.Repeat("a", 100), strings.Repeat("a|", 200)} {
		_, err := ParseAll("rule: x\npattern: " + pattern + "\ndo: hold")
		require.Equal(t, data.Invalid, data.ErrorCode(err), pattern)
	}
	rule := parse(t, "rule: x\npattern: (a|a)*b\ndo: hold")
	s := prepare(Thing{HTML: md(strings.Repeat("a", 40000) + "b")})
	require.LessOrEqual(t, len(s.forPatterns()), patternReach)
	require.False(t, rule.matches(s), "the text beyond is not looked at")
	s = prepare(Thing{HTML: md(strings.Repeat("é", 40000))})
	require.True(t, strings.ToValidUTF8(s.forPatterns(), "") == s.forPatterns())
	require.LessOrEqual(t, rule.cost, patternCost)
}

// TestWordsAreFoundInOneWalk has as many words as a rule can have, and texts that begin each of them again and again. The number of
// look-ups depends on the length of the text alone.
func TestWordsAreFoundInOneWalk(t *testing.T) {
	text := plain(strings.Repeat("free money for my friends ", 400))
	steps := func(words ...string) int {
		list := []*Rule{{Words: words}, {Words: words}}
		found := make([]bool, 2)
		return dictionaryOf(list).find(text, found)
	}
	var many []string
	for n := range ListMax {
		many = append(many, fmt.Sprint("word", n))
	}
	require.Equal(t, 2000, steps("casino"), "each word once")
	require.Equal(t, 2000, steps(many...), "however many are looked for")
	long := strings.TrimSpace(strings.Repeat("a ", WordMax/2))
	text = plain(strings.Repeat("a ", 2000))
	require.LessOrEqual(t, steps(long, long+"*"), 2000*WordMax)
	var open []string
	for n := range WordMax - 1 {
		open = append(open, strings.Repeat("a", n+1)+"*")
	}
	text = plain(strings.Repeat("a", 40000))
	require.LessOrEqual(t, steps(open...), WordMax, "a long word is looked at from its beginning alone")
}

// TestRequired has patterns, with the texts that are searched before they are matched.
func TestRequired(t *testing.T) {
	for pattern, want := range map[string]string{
		`(?i)buy\s+now`: "buy", `(?i)(Casino|POKER)s?`: "casino poker", `(casino|x)`: "", `(casino|c)`: "", `a*`: "", `a+b{2,}`: "",
		`(?:spam){2}`: "spam", `(spam)?`: "",
		`^spam$`: "spam", `ab|cd`: "ab cd", `[ab]c`: "", `été|ǅa`: "été ǆa", `(?i)mask`: "mask", "": "",
	} {
		rule := New()
		rule.Pattern = pattern
		require.NoError(t, rule.compile())
		require.Equal(t, strings.Fields(want), append([]string{}, rule.must...), pattern)
	}
	for _, text := range []string{"MASK", "ma\u017f\u212a", "mask"} {
		require.True(t, hits(parse(t, "rule: x\npattern: (?i)mask\ndo: hold"), Thing{HTML: md(text)}, Author{}), "%q", text)
	}
}

func FuzzRequired(f *testing.F) {
	f.Add(`(?i)a(b|c)+d`, "xABCd")
	f.Add(`(?i)k\x{17f}|ß`, "\u212as")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		rule := New()
		if rule.Pattern = pattern; rule.compile() != nil || rule.pattern == nil {
			return
		}
		if s := prepare(Thing{HTML: md(text)}); rule.pattern.MatchString(s.forPatterns()) {
			require.True(t, rule.may(s), "%q in %q needs %q", pattern, text, rule.must)
		}
	})
}

func FuzzParseAll(f *testing.F) {
	f.Add("rule: x\nwords: abc, def*\npattern: a+\ndo: hold")
	f.Add("rule: y\nlinks at least: 1\ndo: remove\nreason: Spam")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseAll(text)
		if err != nil {
			return
		}
		for _, rule := range list {
			again, err := ParseAll(rule.String())
			require.NoError(t, err, rule.String())
			require.Equal(t, rule.String(), again[0].String())
			hits(rule, Thing{Title: text, HTML: md(text)}, Author{})
		}
	})
}
