package unfurl

import "encoding/binary"

// Pixels is the memory that a browser needs to draw a picture.
type Pixels struct {
	Side  int // the longest side of the picture or of one of its frames
	Total int // of all frames
}

// ImagePixels reads the pixels of a picture of a type of ImageType, from its headers alone. A picture of a few kilobytes can need
// gigabytes. ok is false if the headers are not enough.
func ImagePixels(picture []byte) (p Pixels, ok bool) {
	switch ImageType(picture) {
	case "image/png":
		p = pngPixels(picture)
	case "image/gif":
		p = gifPixels(picture)
	case "image/jpeg":
		p.add(jpegSize(picture))
	case "image/webp":
		p = webpPixels(picture)
	case "image/avif":
		p = avifPixels(picture)
	}
	return p, p.Total > 0
}

// pixelsMax keeps sums far below the limit of int.
const pixelsMax = 1 << 40

// add counts one frame.
func (p *Pixels) add(width, height int) {
	if width <= 0 || height <= 0 {
		return
	}
	area := pixelsMax
	if width <= 1<<20 && height <= 1<<20 {
		area = width * height
	}
	p.Side, p.Total = max(p.Side, width, height), min(p.Total+area, pixelsMax)
}

// or returns the larger values of both.
func (p Pixels) or(other Pixels) Pixels {
	return Pixels{max(p.Side, other.Side), max(p.Total, other.Total)}
}

// pngPixels counts each frame and at least the picture once. The picture is the first frame if a frame's control chunk comes before its
// data. https://www.w3.org/TR/png-3/#fcTL-chunk
func pngPixels(b []byte) Pixels {
	var picture, frames Pixels
	if len(b) >= 24 && string(b[8:16]) == "\x00\x00\x00\x0dIHDR" {
		picture.add(int(binary.BigEndian.Uint32(b[16:])), int(binary.BigEndian.Uint32(b[20:])))
	}
	if picture.Total == 0 {
		return picture
	}
	for b = b[8:]; len(b) >= 12; {
		size := uint64(binary.BigEndian.Uint32(b))
		switch kind := string(b[4:8]); {
		case kind == "IDAT" && frames.Total == 0:
			frames = picture
		case kind == "fcTL" && len(b) >= 20:
			frames.add(int(binary.BigEndian.Uint32(b[12:])), int(binary.BigEndian.Uint32(b[16:])))
		}
		b = b[min(size+12, uint64(len(b))):]
	}
	return picture.or(frames)
}

// gifPixels counts each frame by its own size, and at least the screen once. A frame that extends over the edge makes the screen larger.
// https://www.w3.org/Graphics/GIF/spec-gif89a.txt, 18 to 20
func gifPixels(b []byte) (p Pixels) {
	if len(b) < 13 {
		return p
	}
	var screen Pixels
	width, height := int(binary.LittleEndian.Uint16(b[6:])), int(binary.LittleEndian.Uint16(b[8:]))
	b = b[min(13+gifTable(b[10]), len(b)):]
	for len(b) >= 2 && b[0] != ';' {
		switch b[0] {
		case '!':
			b = gifBlocks(b[2:])
		case ',':
			if len(b) < 11 {
				return p
			}
			w, h := int(binary.LittleEndian.Uint16(b[5:])), int(binary.LittleEndian.Uint16(b[7:]))
			p.add(w, h)
			width, height = max(width, int(binary.LittleEndian.Uint16(b[1:]))+w), max(height, int(binary.LittleEndian.Uint16(b[3:]))+h)
			b = gifBlocks(b[min(11+gifTable(b[9]), len(b)):])
		default:
			b = nil // decoders stop here, too
		}
	}
	if screen.add(width, height); p.Total == 0 {
		return Pixels{}
	}
	return p.or(screen)
}

// gifTable returns the length of the colour table with these flags, in bytes.
func gifTable(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// gifBlocks skips a sequence of data blocks and the empty one at its end.
func gifBlocks(b []byte) []byte {
	for len(b) > 0 {
		size := int(b[0])
		b = b[min(size+1, len(b)):]
		if size == 0 {
			break
		}
	}
	return b
}

// webpPixels counts the canvas once or, if that is more, all frames, each by the larger of its sizes in its data and in the file.
// https://developers.google.com/speed/webp/docs/riff_container
func webpPixels(b []byte) (p Pixels) {
	width, height := webpSize(b)
	if width <= 0 || height <= 0 {
		return p
	}
	var canvas Pixels
	canvas.add(width, height)
	eachChunk(b[12:], func(kind string, body []byte) {
		if kind != "ANMF" || len(body) < 16 {
			p.add(webpFrame(kind, body))
			return
		}
		var declared, found Pixels
		declared.add(uint24(body[6:])+1, uint24(body[9:])+1)
		eachChunk(body[16:], func(kind string, body []byte) { found.add(webpFrame(kind, body)) })
		frame := declared.or(found)
		p = Pixels{max(p.Side, frame.Side), min(p.Total+frame.Total, pixelsMax)}
	})
	return p.or(canvas)
}

// eachChunk visits the chunks of a RIFF file. Each is padded to an even length.
func eachChunk(b []byte, do func(kind string, body []byte)) {
	for len(b) >= 8 {
		size := uint64(binary.LittleEndian.Uint32(b[4:]))
		end := min(8+size, uint64(len(b)))
		do(string(b[:4]), b[8:end])
		b = b[min(8+size+size&1, uint64(len(b))):]
	}
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
