package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pictures decodes the pictures of a file: one, or all of an ICO.
func pictures(t *testing.T, name string, b []byte) (list []image.Image) {
	t.Helper()
	parts := [][]byte{b}
	if strings.HasSuffix(name, ".ico") {
		parts = nil
		for i := range int(b[4]) {
			entry := b[6+16*i:]
			from, size := binary.LittleEndian.Uint32(entry[12:]), binary.LittleEndian.Uint32(entry[8:])
			parts = append(parts, b[from:from+size])
		}
	}
	for _, part := range parts {
		p, err := png.Decode(bytes.NewReader(part))
		require.NoError(t, err, name)
		list = append(list, p)
	}
	return list
}

func TestTheIconsAreThoseThatTheProgramDraws(t *testing.T) {
	for _, icon := range icons {
		kept, err := os.ReadFile(filepath.Join(root, "public", icon.name))
		require.NoError(t, err, "run go run ./cmd/assets -icons")
		drawn, err := icon.draw()
		require.NoError(t, err)
		// Compare pixels, because another version of Go may compress them in another way.
		assert.Equal(t, pictures(t, icon.name, drawn), pictures(t, icon.name, kept), "%s: run go run ./cmd/assets -icons", icon.name)
		assert.Less(t, len(kept), 24<<10, icon.name)
	}
}

// The icons have the colours of favicon.svg and of the pages.
func TestTheIconsAreOfTheTilesColours(t *testing.T) {
	svg, err := os.ReadFile(filepath.Join(root, "public", "favicon.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(svg), `fill="#0b5f4f"`)
	assert.Contains(t, string(svg), `fill="#e8b32c"`)
	p := tile(48, square)
	for at, want := range map[image.Point]color.RGBA{{1, 1}: brand, {46, 1}: sun, {1, 46}: sun, {46, 46}: brand, {26, 22}: white} {
		assert.Equal(t, color.NRGBA(want), p.NRGBAAt(at.X, at.Y), "%v", at)
	}
	assert.Zero(t, tile(48, rounded).NRGBAAt(0, 0).A)
}

func TestTheMaskableTileLiesInTheCircleThatIsLeft(t *testing.T) {
	p := tile(128, maskable)
	for y := range 128 {
		for x := range 128 {
			if dx, dy := x-64, y-64; dx*dx+dy*dy > 51*51 { // 40 % of 128
				require.Equal(t, color.NRGBA(maskable.ground), p.NRGBAAt(x, y), "%d, %d", x, y)
			}
		}
	}
}
