package ui

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCompactShortensAndNeverExaggerates(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1k", 1099: "1k", 1100: "1.1k", 12_345: "12.3k", 99_999: "99.9k", 100_000: "100k", 999_999: "999k",
		1_000_000: "1M", 2_345_678: "2.3M", -1: "-1", -12_345: "-12.3k", 5_000_000_000: "5G", math.MinInt64: "-9223372036G",
	} {
		assert.Equal(t, want, drawn(Component(func(m *Markup) { m.Compact(n) })))
	}
}

func TestExactSeparatesThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -999: "-999", 1_234_567: "1,234,567"} {
		assert.Equal(t, want, drawn(Exact(n)))
	}
}

func TestCountsHaveTheExactOneBehindThem(t *testing.T) {
	assert.Equal(t, `<a class="cc" href="/p?a&amp;b" title="12,345">12.3k comments</a>`,
		write(func(m *Markup) { m.CommentCount("/p?a&b", 12345) }))
	assert.Equal(t, `<a class="cc" href="/p">999 comments</a>`, write(func(m *Markup) { m.CommentCount("/p", 999) }))
	assert.Equal(t, `<span title="1 member">1 member</span>`, write(func(m *Markup) { m.Counted(1, "{} member|{} members") }))
	assert.Equal(t, "-9,223,372,036,854,775,808", drawn(Exact(math.MinInt64)))
}
