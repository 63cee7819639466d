package card_test

import (
	"bytes"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/render/card"
)

func TestPNG(t *testing.T) {
	plain := card.Card{Title: "A title", Facts: "c/gardens", Name: "gardens", Site: "Plaza", Colour: "#3f6b16"}
	seen := map[string]string{}
	for name, change := range map[string]func(*card.Card){
		"as usual":            func(*card.Card) {},
		"another title":       func(c *card.Card) { c.Title = "Ein schöner Titel" },
		"Greek and Cyrillic":  func(c *card.Card) { c.Title = "Ένας τίτλος, один заголовок" },
		"a title in Japanese": func(c *card.Card) { c.Title = "日本語の題名" },
		"a long title":        func(c *card.Card) { c.Title = strings.Repeat("many words ", 30) },
		"a long word":         func(c *card.Card) { c.Title = strings.Repeat("x", 300) },
		"a text":              func(c *card.Card) { c.Text = "What it is about, in one sentence" },
		"other facts":         func(c *card.Card) { c.Facts = "u/ann · ▲ 12" },
		"another mosaic":      func(c *card.Card) { c.Name = "ann" },
		"another colour":      func(c *card.Card) { c.Colour = "#b3261e" },
		"no colour":           func(c *card.Card) { c.Colour = "" },
		"a site of its own":   func(c *card.Card) { c.Site = strings.Repeat("Long name ", 20) },
		"nothing":             func(c *card.Card) { *c = card.Card{} },
	} {
		t.Run(name, func(t *testing.T) {
			c := plain
			change(&c)
			b := card.PNG(c)
			picture, err := png.Decode(bytes.NewReader(b))
			require.NoError(t, err)
			require.Equal(t, card.Width, picture.Bounds().Dx())
			require.Equal(t, card.Height, picture.Bounds().Dy())
			require.Less(t, len(b), 48_000)
			require.Empty(t, seen[string(b)], "each looks different")
			seen[string(b)] = name
			if to := os.Getenv("PLAZA_PICTURES"); to != "" {
				require.NoError(t, os.WriteFile(to+"/"+strings.ReplaceAll(name, " ", "-")+".png", b, 0o644))
			}
		})
	}
	// drawn is the name of the picture that a title gives, "" for a new one.
	drawn := func(title string) string {
		c := plain
		c.Title = title
		b := card.PNG(c)
		return seen[string(b)]
	}
	for _, title := range []string{"Příliš žluťoučký kůň", "Zażółć gęślą jaźń", "Árvíztűrő tükörfúrógép", "Pijamalı hasta yağız şoföre", "Țară și știință",
		"Tiếng Việt rất đẹp, phở", "Щастя, ґанок, їжа", "MASSE oder MAẞE"} {
		require.NotEqual(t, "a title in Japanese", drawn(title), "%s is shown", title)
		require.Empty(t, drawn(title), title)
	}
	for _, emoji := range []string{"🎉", "👩‍🚀", "🏳️‍🌈", "🇩🇪", "❤️", "👍🏽", "🎉 🎉🎉"} {
		require.Equal(t, "as usual", drawn("A "+emoji+" title "+emoji), emoji)
		require.Equal(t, "a title in Japanese", drawn(emoji), "of nothing but %s: the place is the title", emoji)
	}
	same := plain
	same.Title += " 🎉"
	require.Equal(t, "as usual", seen[string(card.PNG(same))], "signs that the font doesn't have are left out")
}

// A request of the free plan may take 10 ms of CPU time. In Wasm:
//
//	GOOS=js GOARCH=wasm go test ./render/card -run '^$' -bench PNG -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec"
func BenchmarkPNG(b *testing.B) {
	c := card.Card{Title: strings.Repeat("A title of many words ", 14)[:300], Facts: "c/gardens", Name: "gardens", Site: "Plaza", Colour: "#3f6b16"}
	for b.Loop() {
		card.PNG(c)
	}
}
