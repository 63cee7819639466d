package mosaic_test

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/render/mosaic"
)

// The drawing of a name never changes without a new Version, because browsers keep it.
func TestDrawingIsKept(t *testing.T) {
	drawn := mosaic.Of("gardens")
	golden := filepath.Join("testdata", fmt.Sprintf("gardens.%d.svg", mosaic.Version))
	want, err := os.ReadFile(golden)
	if os.IsNotExist(err) {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, drawn.SVG("#2f6b2f"), 0o644))
		t.Fatalf("%s was made: commit it", golden)
	}
	require.NoError(t, err)
	require.Equal(t, string(want), string(drawn.SVG("#2f6b2f")), "raise Version when the drawing changes")
	require.Equal(t, drawn, mosaic.Of("Gardens"), "upper and lower case are one name")
}

func TestDrawings(t *testing.T) {
	seen := map[mosaic.Mosaic]string{}
	for i := range 2000 {
		name := fmt.Sprintf("name_%d", i)
		drawn := mosaic.Of(name)
		require.Empty(t, seen[drawn], "another name with the drawing of %s", name)
		seen[drawn] = name
		for _, tile := range drawn {
			require.NotEqual(t, tile.Ground, tile.Ink, "a shape that nobody sees")
		}
		svg := drawn.SVG(data.Palette[i%len(data.Palette)].Hex)
		require.Less(t, len(svg), 2<<10)
		decoder := xml.NewDecoder(strings.NewReader(string(svg)))
		for {
			if token, err := decoder.Token(); token == nil {
				require.ErrorContains(t, err, "EOF", name)
				break
			}
		}
	}
}

// The right half of the drawing is the mirror image of the left one, and it repeats.
func TestAt(t *testing.T) {
	drawn := mosaic.Of("gardens")
	tones := map[mosaic.Tone]bool{}
	for y := .05; y < mosaic.Side; y += .1 {
		for x := .05; x < mosaic.Side; x += .1 {
			tone := drawn.At(x, y)
			tones[tone] = true
			require.Equal(t, tone, drawn.At(2*mosaic.Side-x, y), "%f, %f", x, y)
			require.Equal(t, tone, drawn.At(x+2*mosaic.Side, y), "%f, %f", x, y)
		}
	}
	require.GreaterOrEqual(t, len(tones), 2)
}

// Tones of each colour can be told apart in both schemes: each has a contrast of at least 1.25 with the next, and the outer ones of 1.9.
func TestShades(t *testing.T) {
	for _, c := range data.Palette {
		light, dark := mosaic.Shades(c.Hex)
		for scheme, tones := range map[string][3]color.RGBA{"light": light, "dark": dark} {
			require.GreaterOrEqual(t, contrast(tones[0], tones[1]), 1.25, "%s, %s", c.Name, scheme)
			require.GreaterOrEqual(t, contrast(tones[1], tones[2]), 1.25, "%s, %s", c.Name, scheme)
			require.GreaterOrEqual(t, contrast(tones[0], tones[2]), 1.9, "%s, %s", c.Name, scheme)
		}
	}
	usual, _ := mosaic.Shades("#0b5f4f")
	for _, other := range []string{"", "red", "#12345", "#1234567", "#zzzzzz", "1234567"} {
		light, _ := mosaic.Shades(other)
		require.Equal(t, usual, light, other)
	}
}

// contrast is that of WCAG 2.2, 1.4.3.
func contrast(a, b color.RGBA) float64 {
	la, lb := luminance(a), luminance(b)
	if la < lb {
		la, lb = lb, la
	}
	return (la + .05) / (lb + .05)
}

func luminance(c color.RGBA) float64 {
	channel := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= .04045 {
			return s / 12.92
		}
		return math.Pow((s+.055)/1.055, 2.4)
	}
	return .2126*channel(c.R) + .7152*channel(c.G) + .0722*channel(c.B)
}
