package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/locale"
)

func TestRemember(t *testing.T) {
	var in memory[string]
	written := 0
	write := func(m *Markup, key string) {
		written++
		m.Lit(`<b>`).Text(key).Lit(` `).Say("Communities").Lit(`</b>`)
	}
	page := func(l *locale.Language, key string) string {
		b, err := Bytes(l, Component(func(m *Markup) { remember(m.Lit(`<i>`), &in, key, write).Lit(`</i>`) }))
		require.NoError(t, err)
		return string(b)
	}
	german := locale.Find("de")
	require.NotNil(t, german)
	for range 3 {
		assert.Equal(t, "<i><b>a&amp; Communities</b></i>", page(locale.English, "a&"))
		assert.Equal(t, "<i><b>b Communities</b></i>", page(locale.English, "b"))
		assert.Equal(t, "<i><b>b "+german.Say("Communities")+"</b></i>", page(german, "b"))
	}
	assert.Equal(t, 3, written, "once for each key and language")

	long := strings.Repeat("x", memoryMax/10)
	for i := range 25 {
		key := long + string(rune('a'+i))
		assert.Contains(t, page(locale.English, key), key)
		assert.LessOrEqual(t, in.bytes, memoryMax)
		assert.LessOrEqual(t, len(in.html), 10+3)
	}
	assert.Equal(t, "<i><b>b Communities</b></i>", page(locale.English, "b"))
}
