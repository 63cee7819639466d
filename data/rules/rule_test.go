package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

func parse(t testing.TB, text string) *Rule {
	t.Helper()
	list, err := ParseAll(text)
	require.NoError(t, err)
	require.Len(t, list, 1)
	return list[0]
}

func TestMatches(t *testing.T) {
	day := 24 * time.Hour
	for _, x := range []struct {
		rule   string
		thing  Thing
		author Author
		want   bool
	}{
		{"words: casino", Thing{Text: "The CASINO."}, Author{}, true},
		{"words: casino", Thing{Title: "Casinos"}, Author{}, false},
		{"words: casin*", Thing{Title: "Casinos"}, Author{}, true},
		{"words: casin*", Thing{Title: "occasin"}, Author{}, false},
		{"words: free money", Thing{Text: "Get free,\n money"}, Author{}, true},
		{"words: free money", Thing{Text: "money free"}, Author{}, false},
		{"words: abc, été", Thing{Text: "L'ÉTÉ? un été"}, Author{}, true},
		{"words: cas\u200bino", Thing{Text: "a casino"}, Author{}, true},
		{`pattern: (?i)buy\s+now`, Thing{Text: "BUY  now"}, Author{}, true},
		{`pattern: ^x`, Thing{Title: "a", Text: "x"}, Author{}, false},
		{"domains: example.com", Thing{Text: "[x](https://Shop.Example.COM/a)"}, Author{}, true},
		{"domains: example.com", Thing{Addresses: []string{"http://example.com"}}, Author{}, true},
		{"domains: example.com", Thing{Addresses: []string{"https://user@example.com:80/"}}, Author{}, true},
		{"domains: example.com", Thing{Text: "https://badexample.com https://example.com.evil.org"}, Author{}, false},
		{"links at least: 2", Thing{Text: "https://a.org https://a.org"}, Author{}, true},
		{"links at least: 2", Thing{Text: "https://a.org"}, Author{}, false},
		{"kinds: link, comment", Thing{Kind: Comment}, Author{}, true},
		{"kinds: link", Thing{Kind: Text}, Author{}, false},
		{"account younger than days: 3", Thing{}, Author{Age: 2 * day}, true},
		{"account younger than days: 3", Thing{}, Author{Age: 4 * day}, false},
		{"karma below: 0", Thing{}, Author{Karma: -1}, true},
		{"karma below: 0", Thing{}, Author{}, false},
		{"accepted below: 1", Thing{}, Author{}, true},
		{"accepted below: 1", Thing{}, Author{Accepted: 1}, false},
		{"in an hour more than: 5", Thing{}, Author{Hourly: 6}, true},
		{"in an hour more than: 5", Thing{}, Author{Hourly: 5}, false},
		{"words: a1\nkinds: text", Thing{Kind: Link, Text: "a1"}, Author{}, false},
	} {
		require.Equal(t, x.want, parse(t, "rule: X\n"+x.rule+"\ndo: hold").matches(prepare(x.thing), x.author), "%s in %+v", x.rule, x.thing)
	}
}

func TestText(t *testing.T) {
	full := "rule: First links wait\nkinds: link, comment\nwords: casino*, free money\npattern: (?i)a|b\ndomains: example.com\nlinks at least: 1\n" +
		"account younger than days: 7\nkarma below: 10\naccepted below: 1\nin an hour more than: 20\ndo: hold, remove\nreason: Spam\nanswer: Please wait.\n"
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
		"rule: x\nwords: abc\ndo: remove":                     "for which it removes",
		"rule: x\npattern: (\ndo: hold":                       "RE2",
		"rule: x\npattern: \\1\ndo: hold":                     "RE2",
		"rule: x\nwords: abc\ndo: hold\nabc":                  "a colon",
		strings.Repeat("rule: x\nwords: abc\ndo: hold\n", 51): "at most 50",
		strings.Repeat("x", TextMax+1):                        "100,000",
	} {
		_, err := ParseAll(text)
		require.Equal(t, data.Invalid, data.ErrorCode(err), text)
		require.Contains(t, data.Mistakes(err)[0].Message, says, "%.60s", text)
	}
}

// TestHostile has patterns and texts that would take long: they are refused, or what is looked at is bounded.
func TestHostile(t *testing.T) {
	for _, pattern := range []string{"(a{1000}){1000}", "((a{100}){100}){100}", strings.Repeat("(", 299), "[^x]{999}", strings.Repeat("a?", 100) + strings.Repeat("a", 100), strings.Repeat("a|", 200)} {
		_, err := ParseAll("rule: x\npattern: " + pattern + "\ndo: hold")
		require.Equal(t, data.Invalid, data.ErrorCode(err), pattern)
	}
	rule := parse(t, "rule: x\npattern: (a|a)*b\ndo: hold")
	s := prepare(Thing{Text: strings.Repeat("a", 40000) + "b"})
	require.LessOrEqual(t, len(s.raw), patternReach)
	require.False(t, rule.matches(s, Author{}), "the text beyond is not looked at")
	s = prepare(Thing{Text: strings.Repeat("é", 40000)})
	require.True(t, strings.ToValidUTF8(s.raw, "") == s.raw)
	require.LessOrEqual(t, len(prepare(Thing{Text: strings.Repeat("http://a", 5000)}).hosts), 200)
	require.LessOrEqual(t, rule.cost, patternCost)
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
			rule.matches(prepare(Thing{Title: text, Text: text}), Author{})
		}
	})
}
