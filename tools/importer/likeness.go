package importer

import (
	"bytes"
	"image"
	_ "image/gif" // decoders
	_ "image/jpeg"
	_ "image/png"
	"strconv"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// decodedMost limits the pixels of a picture that is decoded for its hash. Small versions have far fewer.
const decodedMost = 4_000_000

// hash returns the difference hash of the picture, if its line has it or it can be computed. The hash of a plain colour is useless
// (data/content/pictures).
func (f *file) hash() (hash int64, known bool) {
	if n, err := strconv.ParseUint(f.Hash, 16, 64); err == nil && len(f.Hash) == 16 {
		hash, known = int64(n), true
	} else {
		hash, known = hashOf(f.bytes)
	}
	return hash, known && hash != 0 && hash != -1
}

// hashOf computes a difference hash as browsers do (web/app/upload.js): for 8 rows of 9 pixels, whether each is brighter than its
// neighbour. Browsers scale with other filters, so a few bits may differ.
func hashOf(text []byte) (hash int64, ok bool) {
	size, _, err := image.DecodeConfig(bytes.NewReader(text))
	if err != nil || size.Width <= 0 || size.Height <= 0 || size.Width > decodedMost/size.Height {
		return 0, false
	}
	it, _, err := image.Decode(bytes.NewReader(text))
	if err != nil {
		return 0, false
	}
	tiny := image.NewNRGBA(image.Rect(0, 0, 9, 8))
	draw.BiLinear.Scale(tiny, tiny.Bounds(), it, it.Bounds(), draw.Src, nil)
	grey := func(x, y int) int {
		c := tiny.NRGBAAt(x, y)
		return int(c.R)*299 + int(c.G)*587 + int(c.B)*114
	}
	for y := range 8 {
		for x := range 8 {
			if hash <<= 1; grey(x, y) > grey(x+1, y) {
				hash |= 1
			}
		}
	}
	return hash, true
}
