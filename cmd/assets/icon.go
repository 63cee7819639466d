package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"path/filepath"
)

// icons are PNG and ICO versions of the tile (public/favicon.svg), for devices that do not support SVG. They are in the repository,
// because their addresses are well known and have no hash. `go run ./cmd/assets -icons` draws them.
var icons = []struct {
	name string
	draw func() ([]byte, error)
}{
	{"favicon.ico", func() ([]byte, error) { return ico(16, 32) }},
	{"apple-touch-icon.png", func() ([]byte, error) { return encoded(tile(180, square)) }}, // the device rounds its corners
	{"icon-192.png", func() ([]byte, error) { return encoded(tile(192, rounded)) }},
	{"icon-512.png", func() ([]byte, error) { return encoded(tile(512, rounded)) }},
	{"icon-maskable-512.png", func() ([]byte, error) { return encoded(tile(512, maskable)) }},
}

func writeIcons(root string) error {
	for _, icon := range icons {
		b, err := icon.draw()
		if err != nil {
			return err
		}
		if err := replace(filepath.Join(root, "public", icon.name), b); err != nil {
			return err
		}
	}
	return nil
}

// shape is the layout of a tile in its picture.
type shape struct {
	side   float64 // of the tile, where the side of the picture is 1
	corner float64 // radius, in 24ths of the tile
	ground color.RGBA
}

var (
	brand = color.RGBA{0x0b, 0x5f, 0x4f, 0xff}
	sun   = color.RGBA{0xe8, 0xb3, 0x2c, 0xff}
	white = color.RGBA{0xff, 0xff, 0xff, 0xff}

	square  = shape{1, 0, white}
	rounded = shape{1, 4, color.RGBA{}}
	// A device may crop the icon to a circle of 80 % of its width, so the tile fits inside that circle.
	maskable = shape{.6, 4, color.RGBA{0xf5, 0xf3, 0xee, 0xff}}
)

// at returns the colour at a point of the tile, which is 24 wide. Two opposite quarters are squares, the others have a quarter disc around
// the tile's corner.
func (s shape) at(x, y float64) color.RGBA {
	cx, cy := min(max(x, s.corner), 24-s.corner), min(max(y, s.corner), 24-s.corner)
	switch {
	case x < 0 || y < 0 || x > 24 || y > 24 || math.Hypot(x-cx, y-cy) > s.corner:
		return s.ground
	case (x < 12) == (y < 12):
		return brand
	case math.Hypot(x-24, y) < 12 || math.Hypot(x, y-24) < 12:
		return sun
	}
	return white
}

// tile draws a picture of size by size pixels. A pixel is the average of 4 by 4 points.
func tile(size int, s shape) *image.NRGBA {
	const points = 4
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	place := func(i, j int) float64 {
		return ((float64(i)+(float64(j)+.5)/points)/float64(size) - (1-s.side)/2) / s.side * 24
	}
	for y := range size {
		for x := range size {
			var r, g, b, a int
			for j := range points * points {
				c := s.at(place(x, j%points), place(y, j/points))
				r, g, b, a = r+int(c.R), g+int(c.G), b+int(c.B), a+int(c.A)
			}
			if a > 0 { // fully transparent pixels have no colour
				picture.SetNRGBA(x, y, color.NRGBA{uint8(r * 255 / a), uint8(g * 255 / a), uint8(b * 255 / a), uint8(a / (points * points))})
			}
		}
	}
	return picture
}

func encoded(picture image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, picture)
	return b.Bytes(), err
}

// ico packs pictures of the given sizes, each as PNG, into one ICO file.
func ico(sizes ...int) ([]byte, error) {
	head := []byte{0, 0, 1, 0, byte(len(sizes)), 0}
	var body []byte
	for _, size := range sizes {
		b, err := encoded(tile(size, rounded))
		if err != nil {
			return nil, err
		}
		head = append(head, byte(size), byte(size), 0, 0, 1, 0, 32, 0)
		head = binary.LittleEndian.AppendUint32(head, uint32(len(b)))
		head = binary.LittleEndian.AppendUint32(head, uint32(6+16*len(sizes)+len(body)))
		body = append(body, b...)
	}
	return append(head, body...), nil
}
