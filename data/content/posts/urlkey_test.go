package posts_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data/content/posts"
)

func TestURLKey(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org/a":                                       "example.org/a",
		"http://example.org/a":                                        "example.org/a",
		"HTTPS://WWW.Example.ORG/a":                                   "example.org/a",
		"https://example.org./a":                                      "example.org/a",
		"https://example.org:443/a":                                   "example.org/a",
		"http://example.org:80/a":                                     "example.org/a",
		"https://example.org:8443/a":                                  "example.org:8443/a",
		"https://example.org/A":                                       "example.org/A",
		"https://example.org/a/":                                      "example.org/a",
		"https://example.org/":                                        "example.org",
		"https://example.org":                                         "example.org",
		"https://example.org/a/./b/../c":                              "example.org/a/c",
		"https://example.org/a#part":                                  "example.org/a",
		"https://example.org/a?b=2&a=1":                               "example.org/a?a=1&b=2",
		"https://example.org/a?a=1&a=0":                               "example.org/a?a=0&a=1",
		"https://example.org/a?":                                      "example.org/a",
		"https://example.org/a/?q":                                    "example.org/a?q",
		"https://example.org/a?UTM_Source=x&id=7&fbclid=y&utm_term=z": "example.org/a?id=7",
		"https://example.org/a?gclid=x":                               "example.org/a",
		"https://example.org/a?utm=kept&reference=kept":               "example.org/a?reference=kept&utm=kept",
		"https://example.org/%7eann/%c3%a9?q=%41%2f":                  "example.org/~ann/%C3%A9?q=A%2F",
		"https://example.org/\u00e9":                                  "example.org/%C3%A9",
		"https://example.org/100%":                                    "",
		"https://example.org/?%%30a":                                  "example.org?%250a",
		"https://example.org/?a=100%":                                 "example.org?a=100%25",
		"https://example.org/?%75tm_source=x":                         "example.org",
		" https://example.org/a ":                                     "example.org/a",
		"https://www.com/":                                            "www.com",
		"javascript:alert(1)":                                         "",
		"mailto:ann@example.org":                                      "",
		"/a":                                                          "",
		"":                                                            "",
	} {
		require.Equal(t, want, posts.URLKey(address), "%q", address)
	}
}

func TestURLKeyIsTheSameForItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := url.URL{Scheme: "https", Host: "example.org", Path: "/" + rapid.String().Draw(t, "path"),
			RawQuery: rapid.StringMatching(`[a-z0-9=&%._/-]{0,30}`).Draw(t, "query")}
		key := posts.URLKey(u.String())
		if key == "" {
			return // its escapes were wrong
		}
		require.Equal(t, key, posts.URLKey("http://www."+key), "from %q", u.String())
		require.Equal(t, key, posts.URLKey(u.String()+"#part"))
	})
}

func FuzzURLKey(f *testing.F) {
	for _, seed := range []string{"https://example.org/a?b=2&a=1#x", "http://[::1]:80/%", "https://x/%2e%2e/?&&=", "https://ä.example/%zz"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if key := posts.URLKey(address); key != "" && posts.URLKey("https://"+key) != key {
			t.Errorf("%q has the key %q, and that has %q", address, key, posts.URLKey("https://"+key))
		}
	})
}
