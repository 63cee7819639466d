package unfurl

import (
	"bytes"
	"encoding/binary"
)

// imageSide is the largest plausible side of a picture, in pixels.
const imageSide = 1 << 16

// ImageSize returns how wide and high browsers draw a picture of a type of ImageType, in pixels, by its first bytes; 0 if these are not
// enough. It respects the orientation in the file.
func ImageSize(picture []byte) (width, height int) {
	switch ImageType(picture) {
	case "image/png": // https://www.w3.org/TR/png-3/#11IHDR
		if len(picture) >= 24 && string(picture[8:16]) == "\x00\x00\x00\x0dIHDR" {
			width, height = int(binary.BigEndian.Uint32(picture[16:])), int(binary.BigEndian.Uint32(picture[20:]))
		}
	case "image/gif": // https://www.w3.org/Graphics/GIF/spec-gif89a.txt, 18
		if len(picture) >= 10 {
			width, height = int(binary.LittleEndian.Uint16(picture[6:])), int(binary.LittleEndian.Uint16(picture[8:]))
		}
	case "image/jpeg":
		width, height = jpegSize(picture)
	case "image/webp":
		width, height = webpSize(picture)
	case "image/avif":
		width, height = avifSize(picture)
	}
	if width <= 0 || height <= 0 || width > imageSide || height > imageSide {
		return 0, 0
	}
	return width, height
}

// jpegSize reads the frame's header, and the orientation in Exif. It returns 0 if a marker that decoders don't skip comes before the frame,
// because two programs may then find two frames. https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1 and B.2.2
func jpegSize(b []byte) (width, height int) {
	turned := false
	for i := 2; i+4 <= len(b) && b[i] == 0xff; {
		marker := b[i+1]
		if marker == 0xff { // padding
			i++
			continue
		}
		if marker == 0x01 || marker >= 0xd0 && marker <= 0xd7 { // without a length
			i += 2
			continue
		}
		length := int(binary.BigEndian.Uint16(b[i+2:]))
		end := min(i+2+length, len(b))
		if length < 2 || !jpegSegment(marker) {
			return 0, 0
		}
		segment := b[i+4 : max(end, i+4)]
		switch {
		case jpegFrame(marker):
			if len(segment) < 5 {
				return 0, 0
			}
			height, width = int(binary.BigEndian.Uint16(segment[1:])), int(binary.BigEndian.Uint16(segment[3:]))
			if turned {
				width, height = height, width
			}
			return width, height
		case marker == 0xe1 && bytes.HasPrefix(segment, []byte("Exif\x00\x00")):
			turned = turned || exifTurned(segment[6:])
		}
		i += 2 + length
	}
	return 0, 0
}

// jpegFrame reports whether a marker begins a frame: SOF0 to SOF15, without DHT, JPG and DAC.
func jpegFrame(marker byte) bool {
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc
}

// jpegSegment reports whether a marker begins a frame or a segment that may precede one: tables, the restart interval, applications'
// data, comments.
func jpegSegment(marker byte) bool {
	switch marker {
	case 0xc4, 0xcc, 0xdb, 0xdc, 0xdd, 0xfe:
		return true
	}
	return jpegFrame(marker) || marker >= 0xe0 && marker <= 0xef
}

// exifTurned reports whether the orientation swaps width and height: 5 to 8 of tag 0x0112 in the first directory.
// https://web.archive.org/web/20190624045241if_/http://www.cipa.jp:80/std/documents/e/DC-008-Translation-2019-E.pdf, 4.6
func exifTurned(tiff []byte) bool {
	if len(tiff) < 8 {
		return false
	}
	var order binary.ByteOrder = binary.BigEndian
	if string(tiff[:2]) == "II" {
		order = binary.LittleEndian
	}
	offset := uint64(order.Uint32(tiff[4:]))
	if offset+2 > uint64(len(tiff)) {
		return false
	}
	entries := tiff[offset+2:]
	for range order.Uint16(tiff[offset:]) {
		if len(entries) < 12 {
			return false
		}
		if order.Uint16(entries) == 0x0112 {
			orientation := order.Uint16(entries[8:])
			return orientation >= 5 && orientation <= 8
		}
		entries = entries[12:]
	}
	return false
}

// webpSize reads the first chunk. https://developers.google.com/speed/webp/docs/riff_container
func webpSize(b []byte) (width, height int) {
	if len(b) < 30 {
		return 0, 0
	}
	kind, data := string(b[12:16]), b[20:]
	if kind == "VP8X" {
		return uint24(data[4:]) + 1, uint24(data[7:]) + 1
	}
	return webpFrame(kind, data)
}

// webpFrame reads the size of the picture in a chunk, 0 for a chunk without one.
// https://datatracker.ietf.org/doc/html/rfc6386#section-9.1
func webpFrame(kind string, data []byte) (width, height int) {
	switch {
	case kind == "VP8 " && len(data) >= 10 && string(data[3:6]) == "\x9d\x01\x2a":
		return int(binary.LittleEndian.Uint16(data[6:]) & 0x3fff), int(binary.LittleEndian.Uint16(data[8:]) & 0x3fff)
	case kind == "VP8L" && len(data) >= 5 && data[0] == 0x2f:
		bits := binary.LittleEndian.Uint32(data[1:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1
	}
	return 0, 0
}

// avifSize reads the extents of the items in the file. The picture is the largest; the others are thumbnails and tiles. ISO/IEC 14496-12
// and 23008-12, 6.5.3 and 6.5.10; https://aomediacodec.github.io/av1-avif/
func avifSize(b []byte) (width, height int) {
	turned := false
	properties := within(b, "meta", "iprp", "ipco")
	eachBox(properties, func(kind string, body []byte) {
		switch {
		case kind == "ispe" && len(body) >= 12:
			w, h := binary.BigEndian.Uint32(body[4:]), binary.BigEndian.Uint32(body[8:])
			if w <= imageSide && h <= imageSide && uint64(w)*uint64(h) > uint64(width)*uint64(height) {
				width, height = int(w), int(h)
			}
		case kind == "irot" && len(body) >= 1:
			turned = turned || body[0]&1 == 1
		}
	})
	if turned {
		return height, width
	}
	return width, height
}

// within returns the content of the first box on a path of boxes; nil if there is none.
func within(b []byte, path ...string) []byte {
	for _, want := range path {
		var found []byte
		eachBox(b, func(kind string, body []byte) {
			if kind == want && found == nil {
				found = body
			}
		})
		if want == "meta" && len(found) >= 4 {
			found = found[4:] // version and flags
		}
		b = found
	}
	return b
}

func eachBox(b []byte, do func(kind string, body []byte)) {
	for len(b) >= 8 {
		size, head := uint64(binary.BigEndian.Uint32(b)), uint64(8)
		switch {
		case size == 1 && len(b) >= 16:
			size, head = binary.BigEndian.Uint64(b[8:]), 16
		case size == 0: // to the end
			size = uint64(len(b))
		}
		if size < head {
			return
		}
		end := min(size, uint64(len(b)))
		if end >= head {
			do(string(b[4:8]), b[head:end])
		}
		b = b[end:]
	}
}
