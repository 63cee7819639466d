package weburl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/protocol/weburl"
)

// TestDomain has the hosts that browsers open for typed addresses.
func TestDomain(t *testing.T) {
	for address, want := range map[string]string{
		"https://WWW.Example.ORG:8443/a":           "example.org",
		"https://www.com/":                         "www.com",
		"https://www.www.example.org/":             "example.org",
		"https://example.org./":                    "example.org",
		"https://spa\u00adm.example/":              "spam.example", // a soft hyphen
		"https://spam\u200b.example/":              "spam.example", // a space without width
		"https://s\u2060p\ufe0fam.example/":        "spam.example", // a word joiner, a variation selector
		"https://ｓｐａｍ．ｅｘａｍｐｌｅ/":                    "spam.example", // full width
		"https://spam。example/":                    "spam.example", // a full stop of Chinese
		"https://spam｡example/":                    "spam.example", // its half width
		"https://ſpam.example/":                    "spam.example", // a long s
		"https://ⓔvil.example/":                    "evil.example", // in a circle
		"https://𝓮𝓿𝓲𝓵.example/":                    "evil.example", // of mathematics
		"https://%E2%93%94vil.example/":            "evil.example",
		"https://ﬁsh.example/":                     "fish.example", // a ligature
		"https://Ⅷ.example/":                       "viii.example",
		"https://ΒΌΛΟΣ.example/":                   "xn--nxasmq6b.example",
		"https://MÜNCHEN.de/":                      "xn--mnchen-3ya.de",
		"https://mu\u0308nchen.de/":                "xn--mnchen-3ya.de",
		"https://XN--MNCHEN-3YA.de/":               "xn--mnchen-3ya.de",
		"https://faß.de/":                          "xn--fa-hia.de",
		"https://i❤.ws/":                           "xn--i-7iq.ws",
		"https://💩.la/":                            "xn--ls8h.la",
		"https://例え.jp/":                           "xn--r8jz45g.jp",
		"https://مثال.إختبار/":                     "xn--mgbh0fb.xn--kgbechtv",
		"https://a_b.example.org/":                 "a_b.example.org",
		"https://r3---sn-4g5e6nez.example.org/":    "r3---sn-4g5e6nez.example.org",
		"https://x!.evil.example/":                 "x!.evil.example",
		"https://user:secret@evil.example@b.test/": "b.test",
		// No label of a name has more than 63 characters. Characters that are mapped to nothing don't count.
		"https://" + strings.Repeat("例", 64) + ".example/":           "",
		"https://spa" + strings.Repeat("\u00ad", 100) + "m.example/": "spam.example",
		"https://" + strings.Repeat("ａ", 63) + "．example/":           strings.Repeat("a", 63) + ".example",
		"http://0x7f.1/":          "127.0.0.1",
		"http://2130706433/":      "127.0.0.1",
		"http://0177.0.0.01/":     "127.0.0.1",
		"http://１２７.0.0.1/":       "127.0.0.1",
		"http://1.2.3.256/":       "",
		"http://[2001:DB8:0::1]/": "2001:db8::1",
		"http://[fe80::1%25en0]/": "",
		"https://evil%2eexample/": "",
		"https://evil%/":          "",
		"https://./":              "",
		"https://\u00ad/":         "",
		"https://a b.example/":    "",
		"mailto:ann@example.org":  "",
		"//example.org/":          "",
		"example.org":             "",
		"":                        "",
	} {
		assert.Equal(t, want, weburl.Domain(address), "%q", address)
	}
}

func TestTyped(t *testing.T) {
	for typed, want := range map[string]string{
		"example.org": "example.org", " www.Example.org/a?b ": "example.org", "https://münchen.de/": "xn--mnchen-3ya.de",
		"münchen.de": "xn--mnchen-3ya.de", "spam。example": "spam.example", "example.org:8080": "example.org", "org": "org",
		"not a domain!": "", "ftp://example.org": "", "": "", ".": "",
		"example.org.": "example.org", ".org": "org", "www.org": "www.org", "127.1": "127.0.0.1",
	} {
		require.Equal(t, want, weburl.Typed(typed), "%q", typed)
	}
	// A listing calls this a thousand times, with filters in that form.
	require.Zero(t, testing.AllocsPerRun(1, func() { weburl.Typed("news.example.org") }))
}

func TestWithin(t *testing.T) {
	require.True(t, weburl.Within("example.org", "example.org"))
	require.True(t, weburl.Within("a.example.org", "example.org"))
	require.False(t, weburl.Within("badexample.org", "example.org"))
	require.False(t, weburl.Within("example.org", "a.example.org"))
}

func TestHostOfAHostIsTheSame(t *testing.T) {
	letter := rapid.RuneFrom([]rune("aZ0.-_xn。ｅſßüⓔ\u00ad\u200b\u0308℮例م❤́"))
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(letter, 0, 20, -1).Draw(t, "name")
		host := weburl.Host(name)
		require.Equal(t, host, weburl.Host(host), "from %q", name)
		require.False(t, strings.ContainsFunc(host, func(r rune) bool { return r > '~' }))
	})
}
