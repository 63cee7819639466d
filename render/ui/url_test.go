package ui

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/render/markdown"
)

func TestSafeURLTakesOnlyWhatCannotRun(t *testing.T) {
	for in, want := range map[string]string{
		"https://go.dev/x?a=b&c#d": "https://go.dev/x?a=b&c#d", " http://a.b ": "http://a.b", "HTTPS://A.b/": "https://A.b/",
		"mailto:a@b.c": "mailto:a@b.c",
		"/c/golang":    "/c/golang", "#top": "#top", "https://a.b/ü": "https://a.b/%C3%BC",
		"http://a.b/\"><script>": "http://a.b/%22%3E%3Cscript%3E",
		"":                       "", "javascript:alert(1)": "", "JavaScript:alert(1)": "", "java\tscript:alert(1)": "", "\x00javascript:x": "",
		"data:text/html,x": "",
		"vbscript:x":       "",
		"//evil.example":   "", "/\\evil.example": "", "\\\\evil": "", "https:evil": "", "https:///x": "", "mailto:": "", "foo": "", "../x": "",
		"ftp://a.b": "", "blob:x": "",
		"http://a b": "", "http://\xff": "", "http://[::1": "",
		"https://a.b/100%": "https://a.b/100%", "https://a.b/%u0430?q=5%&r=%zz#%": "https://a.b/%u0430?q=5%&r=%zz#%",
		"https://a.b/%e9/%2F": "https://a.b/%e9/%2F", "https://a.b/?q=ü&x={|}": "https://a.b/?q=%C3%BC&x=%7B%7C%7D", "https://a.b/[x]": "https://a.b/[x]",
		"https://a.b:65535/": "https://a.b:65535/", "https://a.b:65536/": "", "https://a.b:99999999999999999999/": "", "https://a.b:x/": "",
		"https://a%/": "", "https://a%2Eb/": "", "https://ⓔ.b/": "https://%E2%93%94.b/",
	} {
		assert.Equal(t, want, markdown.SafeURL(in), "%q", in)
	}
	long := make([]byte, markdown.MaxURL)
	for i := range long {
		long[i] = 'a'
	}
	assert.Empty(t, markdown.SafeURL("http://"+string(long)))
}

func TestPlainAddressesAreThoseThatParsingLeavesAlone(t *testing.T) {
	for _, s := range []string{"https://go.dev", "http://i.imgur.com/a_b.jpg?x=1&y=2", "https://a.b//c?", "http://A-1.b/~c,d/+"} {
		assert.True(t, markdown.PlainURL(s), s)
	}
	for _, s := range []string{"", "https://", "https:///x", "http://a_b/", "http://a:80/", "http://a@b/", "http://a?b", "http://a/#",
		"http://a/%41", "http://a/ü", "http://a/b c", "ftp://a/", "HTTP://a/"} {
		assert.False(t, markdown.PlainURL(s), s)
	}
	assert.False(t, markdown.PlainURL("https://a/"+strings.Repeat("a", markdown.MaxURL)))
	letter := rapid.RuneFrom([]rune(`aZ0.-_~/?=&+,:@%#\<"' ü;`))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]string{"http://", "https://", "http:", "//"}).Draw(t, "scheme") + rapid.StringOfN(letter, 0, 12, -1).
			Draw(t, "rest")
		if markdown.PlainURL(s) {
			u, err := url.Parse(s)
			require.NoError(t, err)
			require.NotEmpty(t, u.Host)
			require.Equal(t, s, u.String())
		}
	})
}
