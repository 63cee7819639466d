package unfurl

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// animatedGIF has frames of one size on a screen.
func animatedGIF(t testing.TB, screen, frame, frames int) []byte {
	all := &gif.GIF{Config: image.Config{Width: screen, Height: screen}}
	for range frames {
		all.Image = append(all.Image, image.NewPaletted(image.Rect(0, 0, frame, frame), color.Palette{color.Black, color.White}))
		all.Delay = append(all.Delay, 10)
	}
	var b bytes.Buffer
	require.NoError(t, gif.EncodeAll(&b, all))
	return b.Bytes()
}

func pngChunk(kind string, body ...byte) []byte {
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), kind...), append(body, 0, 0, 0, 0)...)
}

// animatedPNG has frames of one size. The picture itself is the first of them, or only for programs without support for frames.
func animatedPNG(side, frame uint32, frames int, pictureIsFrame bool) []byte {
	size := func(n uint32) []byte { return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, n), n) }
	control := func(n uint32) []byte {
		return pngChunk("fcTL", append([]byte{0, 0, 0, 0}, append(size(n), make([]byte, 14)...)...)...)
	}
	b := append([]byte("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", append(size(side), 8, 0, 0, 0, 0)...)...)
	if pictureIsFrame {
		b = append(b, control(side)...)
	}
	b = append(b, pngChunk("IDAT", 1, 2, 3)...)
	for range frames {
		b = append(append(b, control(frame)...), pngChunk("fdAT", 1, 2, 3)...)
	}
	return append(b, pngChunk("IEND")...)
}

func testdata(t testing.TB, name string) []byte {
	b, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return b
}

func TestImagePixels(t *testing.T) {
	small := pictures(t)
	// put changes bytes of a picture.
	put := func(b []byte, at int, with ...byte) []byte {
		b = bytes.Clone(b)
		copy(b[at:], with)
		return b
	}
	jpegFrame := bytes.Index(small["JPEG"], []byte{0xff, 0xc0})
	inFrontOf := func(at int, marker ...byte) []byte {
		return append(append(bytes.Clone(small["JPEG"][:at]), marker...), small["JPEG"][at:]...)
	}
	for name, test := range map[string]struct {
		picture     []byte
		side, total int // 0: not readable
	}{
		"PNG": {small["PNG"], 300, 60_000}, "JPEG": {small["JPEG"], 300, 60_000}, "GIF": {small["GIF"], 300, 60_000},
		"JPEG on its side": {small["JPEG on its side"], 300, 60_000},
		"lossy WebP":       {small["lossy WebP"], 300, 60_000}, "lossless WebP": {small["lossless WebP"], 300, 60_000},
		"extended WebP": {small["extended WebP"], 300, 60_000}, "WebP with transparency": {testdata(t, "alpha.webp"), 300, 60_000},
		"AVIF": {testdata(t, "still.avif"), 300, 60_000}, "AVIF with transparency": {testdata(t, "alpha.avif"), 300, 120_000},
		"AVIF of two tiles": {testdata(t, "grid.avif"), 256, 2 * 128 * 128},

		"a PNG of 20,000 squared": {put(small["PNG"], 16, 0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x20), 20_000, 400_000_000},
		"a PNG of the largest sides": {put(small["PNG"], 16, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff), 1<<31 - 1,
			pixelsMax},
		"a PNG that is long and thin":               {put(small["PNG"], 16, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1), 1<<31 - 1, pixelsMax},
		"a JPEG of 65,535 squared":                  {put(small["JPEG"], jpegFrame+5, 0xff, 0xff, 0xff, 0xff), 65_535, 65_535 * 65_535},
		"a GIF of 65,535 squared":                   {put(small["GIF"], 6, 0xff, 0xff, 0xff, 0xff), 65_535, 65_535 * 65_535},
		"a GIF whose frame reaches over the edge":   {put(small["GIF"], 13+6+1, 0xff, 0xff, 0, 0), 65_535 + 300, (65_535 + 300) * 200},
		"an animated GIF":                           {animatedGIF(t, 100, 100, 50), 100, 500_000},
		"an animated GIF of small changes":          {animatedGIF(t, 1000, 10, 50), 1000, 1_000_000},
		"an animated PNG":                           {animatedPNG(100, 100, 9, true), 100, 100_000},
		"an animated PNG beside a still one":        {animatedPNG(100, 100, 9, false), 100, 100_000},
		"an animated PNG of frames that are larger": {animatedPNG(100, 3000, 2, true), 3000, 10_000 + 2*9_000_000},
		"an animated WebP":                          {testdata(t, "anim.webp"), 300, 149_800},

		"an AVIF whose data is larger than it says": {func() []byte {
			b := testdata(t, "still.avif")
			data := bytes.LastIndex(b, []byte("mdat")) + 4
			// A temporal delimiter, then the sequence's header, in which nine bits of the width begin at bit eighteen, followed by eight bits of
			// the height.
			require.Equal(t, []byte{0x12, 0x00, 0x0a}, b[data:data+3])
			sequence := b[data+4:]
			return put(b, data+4+2, sequence[2]|0x3f, 0xff, sequence[4]|0xe0)
		}(), 512, 512 * 256},
		"an animated AVIF":       {testdata(t, "anim.avif"), 0, 0},
		"an AVIF without data":   {small["AVIF"], 0, 0},
		"a PNG without a header": {[]byte("\x89PNG\r\n\x1a\n"), 0, 0}, "a PNG of nothing": {put(small["PNG"], 16, 0, 0, 0, 0), 0, 0},
		"a PNG whose header is longer":                  {put(small["PNG"], 11, 14), 0, 0},
		"a GIF without frames":                          {[]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), 0, 0},
		"a JPEG without a frame":                        {small["JPEG"][:jpegFrame], 0, 0},
		"a JPEG whose height comes later":               {put(small["JPEG"], jpegFrame+5, 0, 0), 0, 0},
		"a JPEG with a marker that libraries step over": {inFrontOf(jpegFrame, 0xff, 0x00, 0, 4, 0, 0), 0, 0},
		"a JPEG with a second beginning":                {inFrontOf(jpegFrame, 0xff, 0xd8), 0, 0},
		"a WebP of an unknown kind":                     {put(small["lossy WebP"], 12, 'V', 'P', '9', '9'), 0, 0},
		"no picture":                                    {[]byte("<svg>"), 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p, ok := ImagePixels(test.picture)
			require.Equal(t, test.total > 0, ok)
			require.Equal(t, Pixels{test.side, test.total}, p)
			for n := range min(len(test.picture), 2000) {
				ImagePixels(test.picture[:n])
			}
		})
	}
}

// TestAV1Sequence parses sequence headers that were written bit by bit.
func TestAV1Sequence(t *testing.T) {
	bitsOf := func(fields ...[2]int) (b []byte) {
		at := 0
		for _, f := range fields {
			for i := f[1] - 1; i >= 0; i-- {
				if at%8 == 0 {
					b = append(b, 0)
				}
				b[at/8] |= byte(f[0]>>i&1) << (7 - at%8)
				at++
			}
		}
		return b
	}
	still := [][2]int{{0, 3}, {1, 1}, {1, 1}, {8, 5}}
	full := [][2]int{{0, 3}, {0, 1}, {0, 1}, {0, 1}, {1, 1}, {1, 5}, {0, 12}, {8, 5}, {1, 1}, {1, 1}, {9, 4}, {0, 12}, {4, 5}, {0, 1}}
	size := func(bits, w, h int) [][2]int {
		return [][2]int{{bits - 1, 4}, {bits - 1, 4}, {w - 1, bits}, {h - 1, bits}}
	}
	for name, test := range map[string]struct {
		fields [][2]int
		w, h   int
	}{
		"a still picture has the size of its sequence":      {append(still, size(16, 3000, 2000)...), 3000, 2000},
		"others have up to what their bits hold":            {append(full, size(12, 3000, 2000)...), 4096, 4096},
		"those of one pixel may say that they are the most": {append(full, size(16, 1, 1)...), 65_536, 65_536},
		"times can't be read":                               {[][2]int{{0, 3}, {0, 1}, {0, 1}, {1, 1}, {0, 30}, {0, 30}, {0, 30}}, 0, 0},
		"nor what is cut":                                   {still, 0, 0},
	} {
		sequence := bitsOf(test.fields...)
		w, h := av1Size(append([]byte{0x12, 0, 0x0a, byte(len(sequence))}, sequence...))
		require.Equal(t, [2]int{test.w, test.h}, [2]int{w, h}, name)
	}
	for _, broken := range []string{"", "\x0a", "\x0a\xff", "\x0a\x05\x00", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\x12\x00"} {
		w, h := av1Size([]byte(broken))
		require.Zero(t, w+h, "%q", broken)
	}
}

// FuzzImagePixels checks the parsers' limits, and that the size in a page is never larger than the counted pixels.
func FuzzImagePixels(f *testing.F) {
	for _, picture := range pictures(f) {
		f.Add(picture)
	}
	for _, name := range []string{"still.avif", "alpha.avif", "grid.avif", "anim.avif", "alpha.webp", "anim.webp"} {
		f.Add(testdata(f, name))
	}
	f.Add(animatedGIF(f, 20, 10, 3))
	f.Add(animatedPNG(20, 10, 3, true))
	f.Fuzz(func(t *testing.T, picture []byte) {
		p, ok := ImagePixels(picture)
		if ok != (p.Total > 0) || p.Side < 0 || p.Side > pixelsMax || p.Total > pixelsMax || ok && (p.Side == 0 || p.Total < p.Side) {
			t.Fatalf("%v, %v", p, ok)
		}
		if w, h := ImageSize(picture); ok && (max(w, h) > p.Side || w*h > p.Total) {
			t.Fatalf("%d by %d, but %v", w, h, p)
		}
	})
}
