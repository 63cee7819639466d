package render

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	g "maragu.dev/gomponents"
)

func TestCompactShortensAndNeverExaggerates(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1k", 1099: "1k", 1100: "1.1k", 12_345: "12.3k", 99_999: "99.9k", 100_000: "100k", 999_999: "999k",
		1_000_000: "1M", 2_345_678: "2.3M", -1: "-1", -12_345: "-12.3k", 5_000_000_000: "5G", math.MinInt64: "-9223372036G",
	} {
		assert.Equal(t, want, drawn(component(func(m *markup) { m.compact(n) })))
	}
}

func TestExactSeparatesThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -999: "-999", 1_234_567: "1,234,567"} {
		assert.Equal(t, want, exact(n))
	}
}

func TestTimeAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago", 59 * time.Minute: "59 minutes ago", time.Hour: "1 hour ago",
		23 * time.Hour: "23 hours ago", 24 * time.Hour: "1 day ago", 59 * 24 * time.Hour: "59 days ago", 60 * 24 * time.Hour: "2 months ago",
		729 * 24 * time.Hour: "24 months ago", 730 * 24 * time.Hour: "2 years ago",
	} {
		assert.Equal(t, want, drawn(component(func(m *markup) { m.ago(d) })), d.String())
	}
	assert.Empty(t, drawn(component(func(m *markup) { m.timeAgo(time.Time{}, time.Now()) })))
}

func TestSafeURLTakesOnlyWhatCannotRun(t *testing.T) {
	for in, want := range map[string]string{
		"https://go.dev/x?a=b&c#d": "https://go.dev/x?a=b&c#d", " http://a.b ": "http://a.b", "HTTPS://A.b/": "https://A.b/", "mailto:a@b.c": "mailto:a@b.c",
		"/c/golang": "/c/golang", "#top": "#top", "https://a.b/ü": "https://a.b/%C3%BC", "http://a.b/\"><script>": "http://a.b/%22%3E%3Cscript%3E",
		"": "", "javascript:alert(1)": "", "JavaScript:alert(1)": "", "java\tscript:alert(1)": "", "\x00javascript:x": "", "data:text/html,x": "", "vbscript:x": "",
		"//evil.example": "", "/\\evil.example": "", "\\\\evil": "", "https:evil": "", "https:///x": "", "mailto:": "", "foo": "", "../x": "", "ftp://a.b": "", "blob:x": "",
		"http://a b": "", "http://\xff": "", "http://[::1": "",
	} {
		assert.Equal(t, want, safeURL(in), "%q", in)
	}
	long := make([]byte, maxURL)
	for i := range long {
		long[i] = 'a'
	}
	assert.Empty(t, safeURL("http://"+string(long)))
}

func TestTileTakesOnlyHexColours(t *testing.T) {
	for _, c := range []string{"red", "#12", "#1234567", "url(x)", "\"/><script>", "#ggg", "+12345", ""} {
		fill, dark := tile("golang", c)
		assert.Contains(t, tileColours, fill, c)
		assert.False(t, dark)
	}
	fill, dark := tile("x", "#FE0")
	assert.Equal(t, "#FFEE00", fill)
	assert.True(t, dark)
}

func TestALitButtonTakesTheVoteBack(t *testing.T) {
	up := drawn(votes(Votes{Target: "t", Mine: 1}))
	assert.Contains(t, up, `class="up" name="value" value="0" aria-pressed="true">Upvote<`)
	assert.Contains(t, up, `class="down" name="value" value="-1" aria-pressed="false">Downvote<`)
	down := drawn(votes(Votes{Target: "t", Mine: -1}))
	assert.Contains(t, down, `class="up" name="value" value="1"`)
	assert.Contains(t, down, `class="down" name="value" value="0"`)
	assert.Contains(t, drawn(votes(Votes{Closed: true})), "disabled")
}

func drawn(n g.Node) string {
	b, err := Bytes(n)
	if err != nil {
		panic(err)
	}
	return string(b)
}
